// LowerUntil.cpp - lower a program until a pass of the pipeline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole pipeline is built. MLIR passes each run of a pass to a handler as
// an action (mlir/IR/Action.h), and the handler executes or skips it.

#include "tile/Target/LowerUntil.h"

#include "StartLevel.h"
#include "tile/Analysis/Architecture.h"
#include "tile/Analysis/HostCode.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <mutex>

using namespace mlir;
using namespace tile;

static void buildPasses(OpPassManager &passes, const TileToNVVMOptions &options,
                        Level from) {
  buildTilePhases(passes, options, from);
  buildTileLowering(passes, options);
}

/// Prints a pipeline without the options in braces.
static std::string printWithoutOptions(const OpPassManager &passes) {
  std::string text, names;
  llvm::raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  int depth = 0;
  for (char c : text) {
    depth += c == '{';
    if (depth == 0)
      names += c;
    depth -= c == '}';
  }
  return names;
}

/// Returns the names of the passes of a pipeline. The other words of the
/// pipeline's text are names of operations, such as "builtin.module".
static std::vector<std::string> listPasses(const OpPassManager &passes) {
  std::string text = printWithoutOptions(passes);
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, "(),");
  std::vector<std::string> names;
  for (StringRef word : words)
    if (!word.contains('.') && !llvm::is_contained(names, word))
      names.push_back(word.str());
  return names;
}

std::vector<std::string> tile::listPasses(Level from) {
  OpPassManager passes(ModuleOp::getOperationName());
  buildPasses(passes, {}, from);
  return ::listPasses(passes);
}

namespace {
/// Skips the passes after `last`, for each operation separately.
class PassLimit {
public:
  PassLimit(ModuleOp module, StringRef last) : module(module), last(last) {}

  void operator()(function_ref<void()> transform,
                  const tracing::Action &action);

private:
  bool isBeyond(Operation *op);

  ModuleOp module;
  StringRef last;
  /// Guards `ended`, since passes run on kernels in parallel.
  std::mutex mutex;
  /// Operations on which `last` has run.
  SmallPtrSet<Operation *, 4> ended;
};
} // namespace

bool PassLimit::isBeyond(Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  return ended.contains(module) || ended.contains(op) ||
         (op == module && !ended.empty());
}

void PassLimit::operator()(function_ref<void()> transform,
                           const tracing::Action &action) {
  const auto *execution = dyn_cast<PassExecutionAction>(&action);
  if (!execution)
    return transform();
  if (isBeyond(execution->getOp()))
    return;
  transform();
  if (execution->getPass().getArgument() != last)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  ended.insert(execution->getOp());
}

LogicalResult tile::lowerUntil(ModuleOp module,
                               const TileToNVVMOptions &options,
                               StringRef pass) {
  if (failed(verifyHasKernels(module)) ||
      !setTargetArchitecture(module, options.arch))
    return failure();
  FailureOr<Level> level = verifyStart(module, options);
  if (failed(level))
    return failure();
  MLIRContext *context = module.getContext();
  PassManager passes(context, ModuleOp::getOperationName());
  buildPasses(passes, options, *level);
  std::vector<std::string> names = ::listPasses(passes);
  if (!llvm::is_contained(names, pass))
    return emitError(module.getLoc())
           << "expected a pass for kernels at level '" << stringifyLevel(*level)
           << "' (" << llvm::join(names, ", ") << "), got '" << pass << "'";
  PassLimit limit(module, pass);
  context->registerActionHandler(
      [&limit](function_ref<void()> transform, const tracing::Action &action) {
        limit(transform, action);
      });
  // Launches do not fit the types of lowered kernels.
  HostCodeAside aside(module);
  LogicalResult result = passes.run(module);
  context->registerActionHandler(nullptr);
  return result;
}
