// SegmentedLoops.cpp - loops that keep a state of each segment
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SegmentedLoops.h"

#include "CountedLoops.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tile;

Value tile::createSegmentLength(ImplicitLocOpBuilder &b, Value trips) {
  // max(f, trips / f) is least where f is sqrt(trips).
  constexpr int64_t kMostFactor = 4096;
  Value length;
  for (int64_t f = 1; f <= kMostFactor; f *= 4) {
    Value factor = arith::ConstantIndexOp::create(b, f);
    Value count = b.createOrFold<arith::CeilDivSIOp>(trips, factor);
    Value larger = b.createOrFold<arith::MaxSIOp>(factor, count);
    length = length ? b.createOrFold<arith::MinSIOp>(length, larger) : larger;
  }
  return length;
}

void tile::splitIntoSegments(scf::ForOp loop, Value length) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value trips = toIndex(b, countTrips(b, loop));
  auto outer = scf::ForOp::create(b, zero, trips, length, loop.getInitArgs());
  b.setInsertionPointToStart(outer.getBody());
  Value base = outer.getInductionVar();
  Value rest = arith::SubIOp::create(b, trips, base);
  Value count = arith::MinSIOp::create(b, length, rest);
  auto inner =
      scf::ForOp::create(b, zero, count, one, outer.getRegionIterArgs());
  if (loop.getNumResults() != 0)
    scf::YieldOp::create(b, inner.getResults());

  inner.getBody()->clear();
  b.setInsertionPointToStart(inner.getBody());
  Value iteration = arith::AddIOp::create(b, base, inner.getInductionVar());
  Value distance = arith::MulIOp::create(
      b,
      getValueOrCreateCastToIndexLike(
          b, b.getLoc(), loop.getInductionVar().getType(), iteration),
      loop.getStep());
  Value induction = arith::AddIOp::create(b, loop.getLowerBound(), distance);
  loop.getInductionVar().replaceAllUsesWith(induction);
  for (auto [from, to] :
       llvm::zip_equal(loop.getRegionIterArgs(), inner.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
  inner.getBody()->getOperations().splice(inner.getBody()->end(),
                                          loop.getBody()->getOperations());
  loop->replaceAllUsesWith(outer);
  loop->erase();
}
