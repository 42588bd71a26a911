// Compile.cpp - the compiler as a C library: from a program to its outputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileOptions.h"
#include "OwnStack.h"
#include "Program.h"

#include "tile/Target/LowerUntil.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;

//===----------------------------------------------------------------------===//
// For each machine
//===----------------------------------------------------------------------===//

template <typename Value>
static std::string print(Value &&value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static LogicalResult compileForCuda(ModuleOp module, const Request &request,
                                    capi::Result &result) {
  FailureOr<CompiledModule> compiled = compile(module, request.options);
  if (failed(compiled))
    return failure();
  auto keep = [&](tile_output output, auto &&print) {
    if (request.wants(output))
      result.outputs[output] = print();
  };
  result.outputs[TILE_OUTPUT_METADATA] = toJson(compiled->metadata);
  keep(TILE_OUTPUT_PTX, [&] { return std::move(compiled->ptx); });
  if (!compiled->cubin.empty())
    keep(TILE_OUTPUT_CUBIN, [&] { return std::move(compiled->cubin); });
  keep(TILE_OUTPUT_LLVM_IR, [&] { return std::move(compiled->llvmIR); });
  keep(TILE_OUTPUT_REPORT, [&] { return toText(compiled->report); });
  keep(TILE_OUTPUT_REPORT_JSON, [&] {
    return print(llvm::formatv("{0:2}\n", toJson(compiled->report)));
  });
  return success();
}

static LogicalResult lowerToIR(ModuleOp module, const Request &request,
                               capi::Result &result) {
  LogicalResult lowered =
      request.lastPass.empty()
          ? LogicalResult(compile(module, request.options))
          : lowerUntil(module, request.options.pipeline, request.lastPass);
  if (failed(lowered))
    return failure();
  result.outputs[TILE_OUTPUT_IR] = print(*module) + "\n";
  return success();
}

/// Reports an error, unless it is empty because a diagnostic has reported it.
static LogicalResult reportError(ModuleOp module, llvm::Error error) {
  std::string problem = llvm::toString(std::move(error));
  if (!problem.empty())
    emitError(UnknownLoc::get(module.getContext())) << problem;
  return failure();
}

static LogicalResult compileForEmulator(ModuleOp module, const Request &request,
                                        capi::Result &result) {
  auto compiled =
      EmulatorProgram::compile(module, request.options.pipeline.arch);
  if (!compiled)
    return reportError(module, compiled.takeError());
  result.emulator = std::move(*compiled);
  result.outputs[TILE_OUTPUT_METADATA] =
      runtime::toJson(result.emulator->getMetadata());
  return success();
}

static LogicalResult compileForCpu(ModuleOp module, HostEffort effort,
                                   capi::Result &result) {
  auto compiled = CpuProgram::compile(module, effort);
  if (!compiled)
    return reportError(module, compiled.takeError());
  result.cpu = std::move(*compiled);
  result.outputs[TILE_OUTPUT_METADATA] =
      runtime::toJson(result.cpu->getMetadata());
  return success();
}

/// Compiles the program after decomposition, whose results are compared with
/// those of the program at level source. The former is compiled with little
/// effort, the latter with full effort.
static LogicalResult compileDecomposed(ModuleOp module, capi::Result &result) {
  FailureOr<bool> isDecomposed = decomposeProgram(module);
  if (failed(isDecomposed))
    return failure();
  if (!*isDecomposed)
    return module.emitError("expected a program with composite operations, "
                            "found none");
  return compileForCpu(module, HostEffort::kLittle, result);
}

static LogicalResult compileForMachine(ModuleOp module, const Request &request,
                                       capi::Result &result) {
  switch (request.machine) {
  case TILE_MACHINE_EMULATOR:
    return compileForEmulator(module, request, result);
  case TILE_MACHINE_CPU:
    return compileForCpu(module, HostEffort::kFull, result);
  case TILE_MACHINE_CPU_DECOMPOSED:
    return compileDecomposed(module, result);
  default:
    return request.wants(TILE_OUTPUT_IR)
               ? lowerToIR(module, request, result)
               : compileForCuda(module, request, result);
  }
}

//===----------------------------------------------------------------------===//
// One compilation
//===----------------------------------------------------------------------===//

/// Removes all kernels except for `name`. Keeps all kernels if `name` is empty
/// or a host function, which may launch any of them.
static LogicalResult keepWanted(ModuleOp module, StringRef name) {
  if (name.empty() || module.lookupSymbol<func::FuncOp>(name))
    return success();
  return keepKernel(module, name);
}

/// Runs `body` on the module of a program, and fills in `result`. On failure
/// `result` has the errors, and `error` has their text.
static LogicalResult readProgram(Compiler &compiler, StringRef program,
                                 const std::string &name, capi::Result &result,
                                 std::string &error, ProgramBody body) {
  MLIRContext context(compiler.dialects, MLIRContext::Threading::DISABLED);
  if (compiler.threads)
    context.setThreadPool(*compiler.threads);
  context.printOpOnDiagnostic(false);
  DiagnosticText text(&context);
  ScopedDiagnosticHandler record(&context, [&](Diagnostic &diagnostic) {
    result.diagnostics.add(diagnostic);
    return failure(); // `text` has it, too.
  });
  DropRepeatedDiagnostics once(&context);
  OwningOpRef<ModuleOp> module = parseProgram(
      llvm::MemoryBuffer::getMemBufferCopy(program, name), &context);
  if (module && succeeded(body(compiler, *module, result)))
    return success();
  if (!result.diagnostics.hasErrors())
    emitError(UnknownLoc::get(&context))
        << "expected '" << name
        << "' to compile, and no pass said why it does not";
  result.outputs.clear();
  error = text.str();
  return failure();
}

tile_status capi::withProgram(tile_compiler *compiler, const void *program,
                              size_t size, const std::string &name,
                              tile_result **result, ProgramBody body) {
  std::shared_ptr<Compiler> found;
  if (tile_status status = findHandle(compiler, found))
    return status;
  if (tile_status status = found->poison.check("compiler"))
    return status;
  if (tile_status status = expectPointer(program, "program"))
    return status;
  // After a fatal error of LLVM, the objects that exist are not destroyed.
  auto *made =
      new std::shared_ptr<capi::Result>(std::make_shared<capi::Result>());
  LogicalResult done = failure();
  std::string error;
  tile_status status = TILE_STATUS_OK;
  runOnOwnStack([&] {
    status = found->poison.guard([&] {
      StringRef text(static_cast<const char *>(program), size);
      done = readProgram(*found, text, name, **made, error, body);
    });
  });
  if (status != TILE_STATUS_OK)
    return status;
  addHandle(*made, result);
  delete made;
  return succeeded(done) ? TILE_STATUS_OK
                         : fail(TILE_STATUS_INVALID_PROGRAM, error);
}

TILE_C_EXPORT tile_status tile_compile(tile_compiler *compiler,
                                       const void *program, size_t size,
                                       const tile_compile_options *options,
                                       tile_result **result) {
  if (tile_status status = resetOutput(result, "result"))
    return status;
  Request request;
  if (tile_status status = readRequest(options, request))
    return status;
  return withProgram(compiler, program, size, request.name, result,
                     [&](Compiler &by, ModuleOp module, capi::Result &made) {
                       request.options.ptxas = by.ptxas;
                       request.options.libdevice = by.libdevice;
                       return failure(
                           failed(keepWanted(module, request.kernel)) ||
                           failed(compileForMachine(module, request, made)));
                     });
}
