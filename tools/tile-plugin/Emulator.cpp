// Emulator.cpp - the plugin's way to the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

using namespace mlir;
using namespace tile;

LogicalResult plugin::compileForEmulator(ModuleOp module, StringRef arch,
                                         Program &program) {
  llvm::Expected<std::unique_ptr<EmulatorProgram>> compiled =
      EmulatorProgram::compile(module, arch);
  if (!compiled) {
    std::string problem = llvm::toString(compiled.takeError());
    if (!problem.empty())
      emitError(UnknownLoc::get(module.getContext())) << problem;
    return failure();
  }
  program.metadata = runtime::toJson((*compiled)->getMetadata());
  program.emulator = std::move(*compiled);
  return success();
}
