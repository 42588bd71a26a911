// CompileDamaged.cpp - compiles damaged programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileDamaged.h"

#include "tile/Pipelines/TileToCPU.h"
#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Feedback for libFuzzer
//===----------------------------------------------------------------------===//

/// Counters for libFuzzer in a compiler built without counters of branches: an
/// input is worth keeping if it has a new operation or a new message.
__attribute__((
    used, section("__libfuzzer_extra_counters"))) static uint8_t seen[1 << 13];

static void markSeen(StringRef what) {
  seen[llvm::xxh3_64bits(what) % std::size(seen)] = 1;
}

/// Returns a message without names, types and numbers of the program.
static std::string stripMessage(StringRef message) {
  std::string text;
  bool isQuoted = false;
  for (char c : message) {
    isQuoted ^= c == '\'';
    if (!isQuoted && (llvm::isAlpha(c) || c == ' '))
      text += c;
  }
  return text;
}

static void markOperations(ModuleOp module) {
  module.walk([](Operation *op) {
    std::string text = op->getName().getStringRef().str();
    llvm::raw_string_ostream os(text);
    for (Type type : op->getResultTypes())
      os << getElementTypeOrSelf(type);
    markSeen(text);
  });
}

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

static const DialectRegistry &getDialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    registerAllDialects(all);
    return all;
  }();
  return registry;
}

/// Aborts if a refusal has no error.
static void expectReason(const DiagnosticText &reasons) {
  StringRef text = reasons.str();
  markSeen(stripMessage(text.split('\n').first));
  if (text.contains("error: "))
    return;
  llvm::errs() << "expected an error, got none\n";
  std::abort();
}

static void compileForGPU(ModuleOp module) {
  DiagnosticText reasons(module.getContext());
  CompileOptions options;
  options.stage = CompileStage::kLLVMDialect;
  if (failed(tile::compile(module, options)))
    expectReason(reasons);
}

static void compileForCPU(ModuleOp module) {
  DiagnosticText reasons(module.getContext());
  PassManager passes(module.getContext());
  buildTileToCPU(passes);
  if (failed(passes.run(module)))
    expectReason(reasons);
}

void tile::fuzz::compileDamaged(StringRef file) {
  MLIRContext context(getDialects(), MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  DiagnosticText reasons(&context);
  OwningOpRef<ModuleOp> module = parseProgram(
      llvm::MemoryBuffer::getMemBufferCopy(file, "damaged"), &context);
  if (!module)
    return expectReason(reasons);
  markOperations(*module);
  OwningOpRef<ModuleOp> copy = module->clone();
  compileForGPU(*module);
  compileForCPU(*copy);
}
