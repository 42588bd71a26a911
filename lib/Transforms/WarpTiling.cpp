// WarpTiling.cpp - distribution of operations over warps and instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block has as many warps as its operations request (BlockSize.h). Each
// operation enumerates its distributions (CooperativeOpInterface) and gets the
// cheapest one.

#include "BlockCapacity.h"
#include "BlockSize.h"
#include "IntegerList.h"
#include "Tiling/DescriptorLimits.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Decisions.h"
#include "tile/Transforms/Passes.h"
#include "tile/Transforms/TilingOptions.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

namespace tile {
#define GEN_PASS_DEF_WARPTILING
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static std::string toText(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

/// Returns the reason why the cheapest of `numWays` distributions was chosen.
static std::string explain(const DistributionCost &cost, size_t numWays) {
  if (numWays == 1)
    return "nothing else is left open";
  return llvm::formatv("the cheapest of {0}: work {1}, traffic {2} of a warp, "
                       "{3} warps idle",
                       numWays, cost.work, cost.traffic, cost.idle);
}

/// Refuses a tile that no block can hold in registers, or in the smaller shared
/// memory. The check comes before layouts are enumerated: with almost 2^31
/// elements their boxes would not be valid boxes of a tile.
static LogicalResult verifyTilesFit(Operation *op,
                                    const Architecture &architecture) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (auto tile = dyn_cast<TileType>(type))
      if (failed(verifyFitsBlock(op, tile, architecture)))
        return failure();
  return success();
}

/// Applies the cheapest of the operation's distributions, if it has any.
static LogicalResult distribute(Operation *op,
                                const DistributionContext &context) {
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  if (!cooperative && !isa<MatmulOpInterface>(op))
    return success();
  if (!cooperative)
    return op->emitError("expected an operation with CooperativeOpInterface, "
                         "got '")
           << op->getName() << "'";
  if (failed(verifyTilesFit(op, context.architecture)))
    return failure();
  FailureOr<SmallVector<WorkDistribution>> distributions =
      cooperative.enumerateDistributions(context);
  if (failed(distributions))
    return failure();
  if (distributions->empty())
    return op->emitError("expected a distribution over ")
           << context.numWarps << " warps, got none of '" << op->getName()
           << "'";
  const WorkDistribution &cheapest = findCheapest(*distributions);
  if (cheapest.plan)
    recordDecision(op, "distribution", toText(cheapest.plan),
                   explain(cheapest.cost, distributions->size()));
  return cooperative.distribute(cheapest, context);
}

namespace {
struct WarpTiling : tile::impl::WarpTilingBase<WarpTiling> {
  using WarpTilingBase::WarpTilingBase;

  WarpTilingOptions getOptions() const {
    auto list = [](ArrayRef<int64_t> values) {
      return llvm::to_vector(values);
    };
    return {list(warps), list(sub), list(thread), atom,
            operands,    vector,    stages};
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture)
      return signalPassFailure();
    eraseDecisionsOfPhases(kernel);
    if (failed(applyOptions(kernel)) ||
        failed(verifyWarpsFit(kernel, *architecture)))
      return signalPassFailure();
    MatmulChains chains(kernel, *architecture);
    DistributionContext context = {*architecture, chains,
                                   architecture->getMaxWarps()};
    if (kernel.getBlock())
      recordDecision(kernel, "warps", Twine(kernel.getNumWarps()),
                     "of the program's block");
    else
      kernel.setBlock(kWarpSize * chooseWarps(kernel, context));
    if (failed(verifyOccupancy(kernel, *architecture)))
      return signalPassFailure();
    context.numWarps = kernel.getNumWarps();
    limitDescriptors(kernel, chains, *architecture);
    WalkResult result = kernel.walk(
        [&](Operation *op) { return WalkResult(distribute(op, context)); });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Gives every matmul a tiling: the parameters that the program gives,
  /// completed by those of the pass options.
  LogicalResult applyOptions(KernelOp kernel) {
    WalkResult result = kernel.walk([&](MatmulOpInterface op) -> WalkResult {
      TilingAttr tiling = completeByOptions(op);
      if (!tiling)
        return WalkResult::interrupt();
      op.setTilingAttr(tiling);
      if (failed(verify(op, /*verifyRecursively=*/false)))
        return WalkResult::interrupt();
      if (tiling.getVector() != 0)
        kernel->setAttr(kExactAccessesAttr, UnitAttr::get(&getContext()));
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Returns the matmul's tiling, completed by the options. Null after an
  /// error.
  TilingAttr completeByOptions(MatmulOpInterface op) {
    TilingAttr own = op.getTilingAttr();
    if (!own)
      own = TilingAttr::get(&getContext(), {}, {}, {}, {},
                            OperandSource::shared, 0, 0);
    auto pair = [&](DenseI64ArrayAttr given, ArrayRef<int64_t> option) {
      return given || option.empty()
                 ? given
                 : DenseI64ArrayAttr::get(&getContext(), option);
    };
    Attribute instruction = own.getAtom();
    if (!instruction && !atom.empty())
      instruction = StringAttr::get(&getContext(), atom);
    return TilingAttr::getChecked(
        [&] { return op->emitOpError(); }, &getContext(),
        pair(own.getWarps(), warps), pair(own.getSub(), sub),
        pair(own.getThread(), thread), instruction,
        own.getOperands() == OperandSource::shared ? operands.getValue()
                                                   : own.getOperands(),
        own.getVector() ? own.getVector() : vector,
        own.getStages() ? own.getStages() : stages);
  }

  /// Refuses a matmul that requests more warps than a block may have, before a
  /// block size is chosen for it.
  static LogicalResult verifyWarpsFit(KernelOp kernel,
                                      const Architecture &architecture) {
    WalkResult result = kernel.walk([&](MatmulOpInterface op) -> WalkResult {
      DenseI64ArrayAttr given = op.getTilingAttr().getWarps();
      if (given &&
          llvm::product_of(given.asArrayRef()) > architecture.getMaxWarps())
        return op->emitOpError()
               << "expected at most " << architecture.getMaxWarps()
               << " warps (" << architecture.threadsPerBlock
               << " threads a block), got " << formatIntegers(given, " x ");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Returns the error in the value of an option, if there is one: MLIR's parser
/// reports it only on standard error.
static std::string findWrongValue(StringRef option) {
  auto [name, value] = option.split('=');
  // A list may be in braces. A list with blanks is not checked.
  if (value.consume_front("{") && !value.consume_back("}"))
    return "";
  if (name == "operands")
    return symbolizeOperandSource(value)
               ? ""
               : ("expected shared or global, got '" + value + "'").str();
  if (!llvm::is_contained({"warps", "sub", "thread", "vector", "stages"}, name))
    return "";
  SmallVector<StringRef> elements;
  value.split(elements, ',');
  for (StringRef element : elements)
    if (int64_t parsed; element.getAsInteger(10, parsed))
      return ("expected numbers for " + name + ", got '" + element + "'").str();
  return "";
}

LogicalResult tile::parseTilingOptions(StringRef text,
                                       WarpTilingOptions &options,
                                       std::string &error) {
  WarpTiling pass;
  auto onError = [&](const Twine &message) -> LogicalResult {
    error = ("expected options of -tile-warp-tiling, got '" + text +
             "': " + StringRef(message.str()).rtrim())
                .str();
    return failure();
  };
  SmallVector<StringRef> given;
  llvm::SplitString(text, given);
  for (StringRef option : given)
    if (std::string wrong = findWrongValue(option); !wrong.empty())
      return onError(wrong);
  if (failed(pass.initializeOptions(text, onError)))
    return failure();
  options = pass.getOptions();
  return success();
}

std::string tile::printTilingOptions(const WarpTilingOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  WarpTiling(options).printAsTextualPipeline(stream);
  // tile-warp-tiling{OPTIONS}
  return StringRef(text).split('{').second.drop_back().str();
}

bool tile::isTilingGiven(const WarpTilingOptions &options) {
  return printTilingOptions(options) != printTilingOptions({});
}
