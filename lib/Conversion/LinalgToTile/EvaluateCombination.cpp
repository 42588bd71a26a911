// EvaluateCombination.cpp - reductions as loops over parts of the reduced row
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop combines the tiles of a row with each other, element by element. After
// the loop, `tile.reduce` combines the elements of the resulting tile. A row
// that fits in one tile needs no loop.

#include "BodyBuilder.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

int64_t Evaluator::getTile(linalg::GenericOp op, unsigned loop) {
  const Group &group = getGroup();
  return group.loops[group.loopsOf.find(op)->second[loop]].tile;
}

bool Evaluator::isWhole(linalg::GenericOp op, unsigned loop) {
  const Group &group = getGroup();
  return group.loops[group.loopsOf.find(op)->second[loop]].isWhole();
}

SmallVector<Value> Evaluator::buildReduction(
    linalg::GenericOp op, ArrayRef<unsigned> reduced, Box loops,
    ValueRange carried,
    llvm::function_ref<SmallVector<Value>(const Box &, ValueRange)> body) {
  if (reduced.empty())
    return body(loops, carried);
  unsigned loop = reduced.front();
  BoxDim &dim = loops[loop];
  dim.size = getTile(op, loop);
  if (isWhole(op, loop))
    return buildReduction(op, reduced.drop_front(), loops, carried, body);
  return kernel.buildLoop(op.getLoc(), getLoopExtent(op, loop), dim.size,
                          carried, [&](Value index, ValueRange values) {
                            dim.offset = index;
                            return buildReduction(op, reduced.drop_front(),
                                                  loops, values, body);
                          });
}

/// Combines two elements, or two tiles, by `combiner`.
static Value combine(OpBuilder &builder, Location loc, Operation *combiner,
                     Value lhs, Value rhs) {
  return builder
      .create(loc, combiner->getName().getIdentifier(), ValueRange{lhs, rhs},
              TypeRange{lhs.getType()}, combiner->getAttrs())
      ->getResult(0);
}

/// Combines the elements of a tile along an axis: by the kind of the
/// combination or, for `maxnumf` and `minnumf`, which ignore NaN, by a region.
static Value reduce(OpBuilder &builder, Location loc,
                    const Combination &combination, TypedAttr identity,
                    Value tile, int64_t axis) {
  auto type = ::cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  Type element = type.getElementType();
  auto result = TileType::get(shape, element);
  IntegerAttr along = builder.getI64IntegerAttr(axis);
  if (!isa<arith::MaxNumFOp, arith::MinNumFOp>(combination.combiner))
    return ReduceOp::create(builder, loc, TypeRange{result}, combination.kind,
                            tile, along)
        .getResult(0);
  auto op = ReduceOp::create(builder, loc, TypeRange{result}, ReduceKindAttr(),
                             ValueRange{tile}, builder.getArrayAttr({identity}),
                             along, /*keep=*/false, /*commutative=*/true,
                             /*bodyCount=*/1);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&op->getRegion(0), {}, {element, element},
                                    {loc, loc});
  Value combined = combine(builder, loc, combination.combiner,
                           body->getArgument(0), body->getArgument(1));
  YieldOp::create(builder, loc, combined);
  return op.getResult(0);
}

Value Evaluator::buildCombination(OpResult result, const Box &box) {
  auto op = ::cast<linalg::GenericOp>(result.getOwner());
  Location loc = op.getLoc();
  Combination combination = *matchCombination(op, result.getResultNumber());
  Type element = getElementTypeOrSelf(result.getType());
  TypedAttr identity = getIdentity(builder, combination.kind, element);
  Box loops = getLoops(result, box);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  Box whole(loops);
  for (unsigned loop : reduced)
    whole[loop].size = getTile(op, loop);

  Value start = splat(loc, getShape(whole), identity);
  bool isLoop =
      llvm::any_of(reduced, [&](unsigned loop) { return !isWhole(op, loop); });
  Value tile = buildReduction(
      op, reduced, loops, ValueRange{start},
      [&](const Box &part, ValueRange carried) -> SmallVector<Value> {
        Value added = BodyBuilder(*this, op, part).build(combination.element);
        for (unsigned loop : reduced) {
          Value extent = getLoopExtent(op, loop);
          std::optional<int64_t> constant = getConstantIntValue(extent);
          if (constant && *constant % part[loop].size == 0)
            continue;
          Value other = arith::ConstantOp::create(builder, loc, identity);
          added = keepInside(loc, added, part, loop, extent, other);
        }
        if (!isLoop)
          return {added};
        return {combine(builder, loc, combination.combiner, carried[0], added)};
      })[0];

  SmallVector<unsigned> sized = getSizedDims(whole);
  for (unsigned axis = sized.size(); axis-- > 0;)
    if (llvm::is_contained(reduced, sized[axis]))
      tile = reduce(builder, loc, combination, identity, tile, axis);
  tile = permuteTo(loc, tile, loops, op.getIndexingMapMatchingResult(result));
  Value init = op.getDpsInits()[result.getResultNumber()];
  if (isIdentity(init, identity))
    return tile;
  return combine(builder, loc, combination.combiner, evaluate(init, box), tile);
}
