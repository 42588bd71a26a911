// DecomposeArgReduce.cpp - tile.arg_reduce as a reduction of pairs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %v, %i = tile.arg_reduce max %t axis 1 : ...
//
// becomes
//
//   %n = tile.iota axis 1
//   %v, %i = tile.reduce %t, %n identity [-inf, max] axis 1 commutative {
//   ^bb0(%a, %i, %b, %j):
//     // the greater one, or NaN; of equal ones the one that comes first
//   }

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

static arith::CmpIPredicate getPredicate(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::min:
    return arith::CmpIPredicate::slt;
  case ReduceKind::max:
    return arith::CmpIPredicate::sgt;
  case ReduceKind::umin:
    return arith::CmpIPredicate::ult;
  default:
    return arith::CmpIPredicate::ugt;
  }
}

/// Whether `a` is chosen over `b` whatever their indices: it is better by
/// `kind`, or it is NaN and `b` is not.
static Value isBetter(OpBuilder &builder, Location loc, ReduceKind kind,
                      Value a, Value b) {
  if (!isa<FloatType>(a.getType()))
    return arith::CmpIOp::create(builder, loc, getPredicate(kind), a, b);
  // Unordered comparisons hold for NaN on either side.
  auto predicate = kind == ReduceKind::min ? arith::CmpFPredicate::ULT
                                           : arith::CmpFPredicate::UGT;
  Value isLess = arith::CmpFOp::create(builder, loc, predicate, a, b);
  Value isNumber =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, b, b);
  return arith::AndIOp::create(builder, loc, isLess, isNumber);
}

/// Builds a region that chooses the pair with the better value or, if neither
/// is better, the pair with the lower index.
static void buildChoice(OpBuilder &builder, Location loc, ReduceKind kind,
                        Block &body) {
  Value a = body.getArgument(0), i = body.getArgument(1);
  Value b = body.getArgument(2), j = body.getArgument(3);
  Value isFirst = isBetter(builder, loc, kind, a, b);
  Value isSecond = isBetter(builder, loc, kind, b, a);
  Value isLower =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, i, j);
  // If the values are equal, or both NaN, neither is better.
  Value isChosen = arith::SelectOp::create(
      builder, loc, isSecond, arith::ConstantIntOp::create(builder, loc, 0, 1),
      arith::OrIOp::create(builder, loc, isFirst, isLower));
  YieldOp::create(
      builder, loc,
      ValueRange{arith::SelectOp::create(builder, loc, isChosen, a, b),
                 arith::SelectOp::create(builder, loc, isChosen, i, j)});
}

Replacements tile::decompose(ArgReduceOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  Type indexType = op.getIndex().getType().getElementType();
  TileBuilder tiles(builder, loc, type.getShape());
  Value indices = op.getAxis() ? tiles.iota(indexType, *op.getAxis())
                               : tiles.number(indexType);
  auto last = builder.getIntegerAttr(
      indexType,
      APInt::getSignedMaxValue(
          indexType.isIndex() ? 64 : indexType.getIntOrFloatBitWidth()));
  auto reduce = ReduceOp::create(
      builder, loc, op.getResultTypes(), /*kind=*/ReduceKindAttr(),
      ValueRange{op.getSource(), indices},
      builder.getArrayAttr({getIdentity(builder, op.getKind(), element), last}),
      op.getAxisAttr(), op.getKeepAttr(),
      /*commutative=*/builder.getUnitAttr(), /*bodyCount=*/1);
  Type arguments[] = {element, indexType, element, indexType};
  SmallVector<Location> locs(4, loc);
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&reduce.getBody().front(), {}, arguments, locs);
  buildChoice(builder, loc, op.getKind(), *body);
  return SmallVector<Value>(reduce.getResults());
}
