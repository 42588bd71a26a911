// OptimizeLLVM.cpp - LLVM's passes over a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/OptimizeLLVM.h"

#include "ReduceStrength.h"

using namespace tile;

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
        bool isOurs = name == ReduceStrengthPass::kName;
        if (isOurs)
          passes.addPass(ReduceStrengthPass());
        return isOurs;
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
