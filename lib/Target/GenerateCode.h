// GenerateCode.h - LLVM's passes from its IR to the text of PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_GENERATECODE_H
#define TILE_TARGET_GENERATECODE_H

#include "tile/Analysis/Architecture.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace tile {

/// Null if LLVM has been built without the NVPTX target. `ptxVersion` is the
/// version times ten.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const Architecture &architecture, int ptxVersion);

/// The facts by which LLVM's passes over a module's functions, and those of
/// code generation, are chosen. Every walk over thousands of instructions takes
/// as long as a pass, so there is one walk.
struct KernelFacts {
  explicit KernelFacts(llvm::Module &module);

  /// Instructions of the longest function; inlined code counts once it is
  /// inlined.
  size_t length = 0;
  bool hasAllocas = false, hasAtomics = false;
  /// Whether there are functions to inline: those of libdevice.
  bool hasCallees = false;
  /// The arrays that may be read atomically: those of a kernel with such loads
  /// that phase 9 does not call read-only. LLVM infers that they are, since the
  /// kernel does not write them, and has no instruction for an atomic load of
  /// memory that nobody writes.
  llvm::SmallVector<llvm::Argument *> readAtomically;
};

/// Runs LLVM's passes over the module's IR. Inlining makes kernels longer:
/// `facts` are updated for it.
void optimizeKernels(llvm::Module &module, llvm::TargetMachine &machine,
                     KernelFacts &facts);

/// Writes the module as PTX. @pre LLVM's verifier takes the module.
llvm::LogicalResult generateCode(llvm::Module &module,
                                 llvm::TargetMachine &machine,
                                 const KernelFacts &facts, std::string &ptx);

} // namespace tile

#endif // TILE_TARGET_GENERATECODE_H
