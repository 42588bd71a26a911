// PassesOnLevels.cpp - runs every pass on the IR of every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sweep.h"

#include "tile/IR/Tile.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;
using llvm::StringRef;

namespace {
/// A module and its context, which has the dialects that the text needs and no
/// others.
struct ParsedProgram {
  ParsedProgram(const DialectRegistry &dialects, StringRef text, StringRef arch)
      : context(dialects, MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    module = parseProgram(llvm::MemoryBuffer::getMemBufferCopy(text), &context);
    if (module && !(*module)->hasAttr(kTargetAttr))
      (*module)->setAttr(kTargetAttr, StringAttr::get(&context, arch));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Runs `pipeline` as tile-opt does, and prints the resulting IR. That the IR
/// can be parsed again is part of the pass's contract.
static bool runPass(ParsedProgram &parsed, StringRef pipeline,
                    llvm::raw_ostream &result) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &parsed.context, llvm::errs());
  PassManager passes(&parsed.context, ModuleOp::getOperationName(),
                     OpPassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(pipeline, passes)) ||
      failed(passes.run(*parsed.module)))
    return false;
  std::string text = print(*parsed.module);
  if (parseSourceString<ModuleOp>(text, &parsed.context)) {
    result << text;
    return true;
  }
  llvm::errs() << "what the pass leaves does not read back\n" << text;
  std::abort();
}

/// Returns the name of a pass as part of a file name.
static std::string toName(StringRef pipeline) {
  std::string name;
  for (char c : pipeline)
    name += llvm::isAlnum(c) ? c : '-';
  return name;
}

void tile::fuzz::sweepPasses(Sweep &sweep, StringRef name, StringRef program,
                             StringRef arch, llvm::ArrayRef<std::string> steps,
                             llvm::ArrayRef<std::string> passes) {
  std::string text = program.str();
  for (size_t reached = 0;; ++reached) {
    ParsedProgram parsed(sweep.getDialects(), text, arch);
    if (!parsed.module)
      return; // no program, as some tests' inputs
    text = print(*parsed.module);
    auto run = [&](StringRef pass) {
      return sweep.run(
          (name + "-" + arch + "-" + llvm::Twine(reached) + "-" + toName(pass))
              .str(),
          ("tile-opt %s -pass-pipeline='builtin.module(" + pass + ")'").str(),
          text, [&](llvm::raw_ostream &result) {
            return runPass(parsed, pass, result);
          });
    };
    for (const std::string &pass : passes)
      run(pass);
    if (reached == steps.size())
      return;
    Outcome next = run(steps[reached]);
    if (next.ending != Ending::kResult)
      return;
    text = std::move(next.result);
  }
}
