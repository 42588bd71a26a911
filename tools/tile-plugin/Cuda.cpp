// Cuda.cpp - the plugin's way to a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CodeGenPrepare.h"
#include "../Toolkit.h"
#include "Program.h"

#include "tile/Target/Compiler.h"

#include <mutex>

using namespace mlir;
using namespace tile;

LogicalResult plugin::compileForCuda(ModuleOp module, StringRef arch,
                                     Program &program) {
  static std::once_flag once;
  std::call_once(once, limitCodeGenPrepare);
  CompileOptions options;
  options.ptxas = findToolkitPart(ToolkitPart::kPtxas);
  options.libdevice = findToolkitPart(ToolkitPart::kLibdevice);
  options.pipeline.arch = arch.str();
  FailureOr<CompiledModule> compiled = compile(module, options);
  if (failed(compiled))
    return failure();
  program.metadata = runtime::toJson(compiled->metadata);
  program.binary = std::move(compiled->cubin);
  return success();
}
