// GenerateCode.h - run LLVM's passes from LLVM IR to PTX
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

/// Returns the target machine; null if LLVM has been built without the NVPTX
/// target. `ptxVersion` is the version times ten.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const Architecture &architecture, int ptxVersion);

/// Facts about a module by which LLVM's passes and the passes of code
/// generation are chosen. A walk over thousands of instructions takes as long
/// as a pass, so one walk collects all facts.
struct KernelFacts {
  explicit KernelFacts(llvm::Module &module);

  /// Number of instructions of the longest function. Code of functions that are
  /// inlined counts only after inlining.
  size_t length = 0;
  bool hasAllocas = false, hasAtomics = false;
  /// Whether there are functions to inline, namely functions of libdevice.
  bool hasCallees = false;
  /// Array arguments that may be read atomically: those of kernels with atomic
  /// loads that phase 9 did not mark as read-only. If the kernel does not write
  /// such an array, LLVM would infer that it is read-only, but it has no
  /// instruction for an atomic load from read-only memory.
  llvm::SmallVector<llvm::Argument *> readAtomically;
};

/// Runs LLVM's passes over the module's IR. Inlining makes kernels longer, so
/// `facts` are updated.
void optimizeKernels(llvm::Module &module, llvm::TargetMachine &machine,
                     KernelFacts &facts);

/// Writes the module as PTX. @pre LLVM's verifier accepts the module.
llvm::LogicalResult generateCode(llvm::Module &module,
                                 llvm::TargetMachine &machine,
                                 const KernelFacts &facts, std::string &ptx);

} // namespace tile

#endif // TILE_TARGET_GENERATECODE_H
