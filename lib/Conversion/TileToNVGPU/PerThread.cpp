// PerThread.cpp - a region that every thread runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread holds its elements as values (-tile-assign-layouts ensures this).
// They are the arguments of the region, as scalars or as a vector. Threads of
// the last warp that the kernel did not request do not run the region.

#include "IdleThreads.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"

#include "tile/IR/ElementRegion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Returns the elements that the thread holds of a tile, in the form of the
/// region's argument.
static Value join(OpBuilder &builder, Location loc, TileType tile,
                  ValueRange packs) {
  SmallVector<Value> elements = unpack(builder, loc, tile, packs);
  auto vector = dyn_cast<VectorType>(getThreadType(tile));
  if (!vector)
    return elements.front();
  return vector::FromElementsOp::create(builder, loc, vector, elements);
}

static SmallVector<Value> split(OpBuilder &builder, Location loc, Value held) {
  if (!isa<VectorType>(held.getType()))
    return {held};
  return vector::ToElementsOp::create(builder, loc, held).getResults();
}

namespace {
/// The threads that the kernel requests, among those of its warps.
class ActiveThreads {
public:
  ActiveThreads(IndexBuilder &index, KernelOp kernel)
      : index(index), isActive(isAskedFor(index, kernel)),
        thread(index.thread()) {}

  Value getThread() { return thread; }

  /// Emits the code of `emit` for the active threads only, and returns the
  /// values that it creates; in idle threads they are zero.
  SmallVector<Value> run(TypeRange types, IndexBuilder::Emit emit) {
    return index.emitIf(isActive, types, emit);
  }

  /// Returns `element` in active threads; an idle thread gets the element of
  /// the first thread of its warp. Idle threads then compute only with values
  /// that active threads also compute with. Otherwise LLVM might conclude from
  /// a division by zero that no thread is idle.
  Value fillIdle(Value element) {
    if (!isActive)
      return element;
    OpBuilder &builder = index.builder;
    if (!source)
      source = arith::IndexCastOp::create(
          builder, index.loc, builder.getI32Type(),
          index.select(isActive, index.rem(thread, kWarpSize),
                       index.constant(0)));
    return readLane(builder, index.loc, element, source);
  }

private:
  IndexBuilder &index;
  Value isActive; ///< null if all threads are active
  Value thread;
  Value source; ///< the lane whose element a thread takes
};

struct ConvertPerThread : OpConversionPattern<PerThreadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PerThreadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    ActiveThreads threads(index, op->getParentOfType<KernelOp>());
    SmallVector<Value> arguments = {threads.getThread()};
    for (auto [input, packs] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      arguments.push_back(
          join(rewriter, loc, cast<TileType>(input.getType()), packs));
    auto types = llvm::map_to_vector(op.getResultTypes(), [](Type type) {
      return getThreadType(cast<TileType>(type));
    });
    SmallVector<Value> yielded = threads.run(types, [&] {
      return inlineElementRegion(rewriter, op.getBody(), arguments);
    });
    SmallVector<SmallVector<Value>> results;
    for (auto [type, held] : llvm::zip_equal(op.getResultTypes(), yielded)) {
      SmallVector<Value> elements = split(rewriter, loc, held);
      for (Value &element : elements)
        element = threads.fillIdle(element);
      results.push_back(pack(rewriter, loc, cast<TileType>(type), elements));
    }
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populatePerThreadPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns) {
  patterns.add<ConvertPerThread>(types, patterns.getContext());
}
