// OptimizeLLVM.h - run LLVM's passes over a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_OPTIMIZELLVM_H
#define TILE_TARGET_OPTIMIZELLVM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace tile {

/// Runs `pipeline` for `machine`. The syntax is that of LLVM's -passes, with
/// the pass of ReduceStrength.h added. If `pipeline` is empty, runs LLVM's O3
/// pipeline (for which "default<O3>" would ignore `tuning`).
/// @pre LLVM can parse the pipeline.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine,
                  llvm::PipelineTuningOptions tuning, llvm::StringRef pipeline);

} // namespace tile

#endif // TILE_TARGET_OPTIMIZELLVM_H
