// OptimizeLLVM.cpp - LLVM's passes over a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/OptimizeLLVM.h"

#include "HoldStored.h"
#include "ReduceStrength.h"

using namespace tile;

/// Adds the pass `Pass` if this is its name.
template <typename Pass>
static bool addNamed(llvm::StringRef name, llvm::FunctionPassManager &passes) {
  if (name != Pass::kName)
    return false;
  passes.addPass(Pass());
  return true;
}

void tile::optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine,
                        llvm::PipelineTuningOptions tuning,
                        llvm::StringRef pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::FunctionPassManager &passes,
         llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        return addNamed<HoldStoredPass>(name, passes) ||
               addNamed<ReduceStrengthPass>(name, passes);
      });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (pipeline.empty())
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  else
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}
