// OptimizeLLVM.h - LLVM's passes over a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_OPTIMIZELLVM_H
#define TILE_TARGET_OPTIMIZELLVM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace tile {

/// Runs `pipeline`, in the words of LLVM's -passes and of ReduceStrength.h, for
/// `machine`; LLVM's O3 where it is empty ("default<O3>" would not heed
/// `tuning`). @pre LLVM parses the pipeline.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine,
                  llvm::PipelineTuningOptions tuning, llvm::StringRef pipeline);

} // namespace tile

#endif // TILE_TARGET_OPTIMIZELLVM_H
