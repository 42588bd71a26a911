// PrefetchLoads.cpp - loads an iteration before the one that uses them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrefetchLoads.h"

#include "../ArgumentRoles.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace tile;

using Slice = SetVector<Operation *>;

/// Returns the operations of the loop that compute the offsets of a load, in
/// order; nothing if some are not arithmetic.
static std::optional<Slice> getOffsets(scf::ForOp loop, LoadOp load) {
  Slice slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  if (failed(getBackwardSlice(load.getOperation(), &slice, options)))
    return std::nullopt;
  bool isArithmetic = llvm::all_of(slice, [](Operation *op) {
    return isa<arith::ArithDialect>(op->getDialect()) && isPure(op);
  });
  for (Value argument : loop.getRegionIterArgs())
    for (Operation *user : argument.getUsers())
      isArithmetic &= user != load && !slice.contains(user);
  return isArithmetic ? std::optional(slice) : std::nullopt;
}

static bool canPrefetch(LoadOp load) {
  return isReadOnlyArgument(load.getSource()) && !load.getInBounds() &&
         !load.getMask();
}

/// Creates the load of the iteration `index`, and returns its tile.
static Value cloneLoad(OpBuilder &b, scf::ForOp loop, LoadOp load,
                       const Slice &offsets, Value index) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  for (Operation *op : offsets)
    b.clone(*op, mapping);
  return b.clone(*load, mapping)->getResult(0);
}

scf::ForOp tile::prefetchLoads(scf::ForOp loop) {
  if (!loop.getBody()->getOps<MatmulOp>().empty())
    return loop;
  SmallVector<std::pair<LoadOp, Slice>> loads;
  for (auto load : loop.getBody()->getOps<LoadOp>())
    if (canPrefetch(load))
      if (std::optional<Slice> offsets = getOffsets(loop, load))
        loads.emplace_back(load, *offsets);
  IRRewriter b(loop.getContext());
  SmallVector<Value> first, next;
  b.setInsertionPoint(loop);
  for (auto &[load, offsets] : loads)
    first.push_back(cloneLoad(b, loop, load, offsets, loop.getLowerBound()));
  b.setInsertionPointToStart(loop.getBody());
  Value following = arith::AddIOp::create(
      b, loop.getLoc(), loop.getInductionVar(), loop.getStep());
  for (auto &[load, offsets] : loads)
    next.push_back(cloneLoad(b, loop, load, offsets, following));
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    for (auto [load, tile] : llvm::zip_equal(loads, carried))
      load.first.getResult().replaceAllUsesWith(tile);
    return next;
  };
  auto pipelined = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false, yield));
  for (auto &[load, offsets] : loads)
    load.erase();
  return pipelined;
}
