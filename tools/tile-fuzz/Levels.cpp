// Levels.cpp - prints a program between two passes, and continues from the text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Levels.h"

#include "Random.h"

#include "tile/IR/Tile.h"
#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// Splits a list such as "a{b,c},d(e,f)" at the commas outside of all brackets.
static std::vector<std::string> splitList(StringRef text) {
  std::vector<std::string> elements(1);
  int depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      elements.emplace_back();
    else
      elements.back() += c;
  }
  return elements;
}

/// Returns the text in the parentheses after the name; nothing if there are
/// none.
static std::optional<StringRef> getNested(StringRef element, StringRef name) {
  if (!element.consume_front(name) || !element.consume_front("(") ||
      !element.consume_back(")"))
    return std::nullopt;
  return element;
}

/// Returns the passes of phases 1 to 8, each as the text of a pipeline.
static std::vector<std::string> listPasses(MLIRContext *context) {
  PassManager phases(context);
  buildTilePhases(phases);
  std::string text;
  llvm::raw_string_ostream os(text);
  phases.printAsTextualPipeline(os);
  std::vector<std::string> passes;
  for (StringRef element : splitList(*getNested(text, "builtin.module"))) {
    std::optional<StringRef> nested = getNested(element, "tile.kernel");
    if (!nested)
      passes.push_back(element.str());
    else
      for (const std::string &pass : splitList(*nested))
        passes.push_back("tile.kernel(" + pass + ")");
  }
  return passes;
}

static LogicalResult runPasses(ModuleOp module,
                               ArrayRef<std::string> pipelines) {
  PassManager passes(module.getContext());
  if (failed(parsePassPipeline(llvm::join(pipelines, ","), passes)))
    return failure();
  return passes.run(module);
}

static OwningOpRef<ModuleOp> printAndParse(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return parseSourceString<ModuleOp>(text, ParserConfig(module.getContext()),
                                     "printed");
}

Resumed tile::fuzz::resumeFromText(OwningOpRef<ModuleOp> module, StringRef arch,
                                   uint64_t seed) {
  MLIRContext *context = module->getContext();
  std::vector<std::string> passes = listPasses(context);
  Random random(mixSeed(seed, 2));
  size_t count =
      random.chance(40) ? passes.size() : 1 + random.below(passes.size());
  Resumed resumed{nullptr, passes[count - 1]};
  (*module)->setAttr(kTargetAttr, StringAttr::get(context, arch));
  ArrayRef<std::string> all = passes;
  if (failed(runPasses(*module, all.take_front(count))))
    return resumed;
  module = printAndParse(*module);
  if (module && succeeded(runPasses(*module, all.drop_front(count))))
    resumed.module = std::move(module);
  return resumed;
}
