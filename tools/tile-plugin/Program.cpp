// Program.cpp - a file from text to what can be run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

using namespace mlir;
using namespace tile;
using namespace tile::plugin;

/// Removes the other kernels where the module has `name`.
static void keepKernel(ModuleOp module, StringRef name) {
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (kernel.getSymName() == name)
      return (void)tile::keepKernel(module, name);
}

static LogicalResult compileForCpu(ModuleOp module, HostEffort effort,
                                   Program &program) {
  auto compiled = CpuProgram::compile(module, effort);
  if (compiled) {
    program.cpu = std::move(*compiled);
    program.metadata = runtime::toJson(program.cpu->getMetadata());
    return success();
  }
  std::string problem = llvm::toString(compiled.takeError());
  if (!problem.empty())
    emitError(UnknownLoc::get(module.getContext())) << problem;
  return failure();
}

/// To be compared with the program at level source: by code of the other
/// effort.
static LogicalResult compileDecomposed(ModuleOp module, Program &program) {
  FailureOr<bool> isDecomposed = decomposeProgram(module);
  if (failed(isDecomposed))
    return failure();
  if (!*isDecomposed)
    return module.emitError("expected a program with composite operations, "
                            "found none");
  return compileForCpu(module, HostEffort::kLittle, program);
}

/// The program, or null where something was reported to `context`.
static std::unique_ptr<Program> compileIn(MLIRContext &context, StringRef path,
                                          StringRef kernel,
                                          const Target &target) {
  OwningOpRef<ModuleOp> module = parseProgram(path, &context);
  if (!module)
    return nullptr;
  ::keepKernel(*module, kernel);
  auto program = std::make_unique<Program>();
  LogicalResult result = failure();
  if (target.machine == "cpu")
    result = compileForCpu(*module, HostEffort::kFull, *program);
  else if (target.machine == "cpu-decomposed")
    result = compileDecomposed(*module, *program);
  else if (target.machine == "cuda")
    result = compileForCuda(*module, target.arch, *program);
  else if (target.machine == "emulator")
    result = compileForEmulator(*module, target.arch, *program);
  else
    module->emitError("expected the machine cpu, cpu-decomposed, cuda or "
                      "emulator, got '")
        << target.machine << "'";
  return succeeded(result) ? std::move(program) : nullptr;
}

std::unique_ptr<Program> tile::plugin::compileFile(StringRef path,
                                                   StringRef kernel,
                                                   const Target &target,
                                                   std::string &error) {
  DialectRegistry registry;
  registerAllDialects(registry);
  // A context and its threads live for one compilation.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  DiagnosticText diagnostics(&context);
  DropRepeatedDiagnostics once(&context);
  std::unique_ptr<Program> program = compileIn(context, path, kernel, target);
  if (!program)
    error = diagnostics.str();
  if (!program && error.empty())
    error = "error: expected '" + path.str() + "' to compile for " +
            target.machine.str() + ", and no pass said why it does not\n";
  return program;
}
