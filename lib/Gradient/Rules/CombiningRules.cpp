// CombiningRules.cpp - derivatives of reductions and scans
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CombinerRules.h"
#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Returns a result of a reduction of a tile of `type`, or a tile of its shape,
/// repeated along the axis that was reduced, or along all. It has the storage
/// of `type`.
static Value expand(ValueBuilder &b, ReduceOp op, Value reduced,
                    TileType type) {
  SmallVector<int64_t> shape(type.getShape());
  if (op.getAxis())
    shape[*op.getAxis()] = 1;
  else
    shape.assign(shape.size(), 1);
  Type element = getElementType(reduced.getType());
  Type kept = TileType::get(shape, element);
  if (reduced.getType() != kept)
    reduced = ReshapeOp::create(b, kept, reduced);
  Type whole = TileType::get(type.getShape(), element);
  if (kept != whole)
    reduced = BroadcastOp::create(b, whole, reduced);
  Type stored = withElementType(type, element);
  return whole == stored ? reduced
                         : ConvertLayoutOp::create(b, stored, reduced);
}

/// Adds up as `op` reduces.
static Value sumAs(ValueBuilder &b, ReduceOp op, Value tile, Type type) {
  auto sum = ReduceOp::create(b, TypeRange{type}, ReduceKind::add, tile,
                              op.getAxisAttr());
  sum.setKeep(op.getKeep());
  return sum.getResult(0);
}

/// Returns the tangent of a maximum or minimum: the mean of the tangents of the
/// elements that are equal to it. If it is NaN, the mean is over the NaN
/// elements instead.
static Value buildTangentOfExtreme(TangentBuilder &b, ReduceOp op,
                                   Value tangent) {
  Value x = op.getSources()[0], y = op.getResult(0);
  auto type = cast<TileType>(x.getType());
  Value isExtreme =
      b.compare(arith::CmpFPredicate::OEQ, x, expand(b, op, y, type));
  Value isNaN = b.compare(arith::CmpFPredicate::UNO, x, x);
  Value isChosen = arith::OrIOp::create(b, isExtreme, isNaN);
  Value weights = b.select(isChosen, b.real(type, 1), Value());
  Value count = sumAs(b, op, weights, y.getType());
  return b.div(sumAs(b, op, b.mul(tangent, weights), y.getType()), count);
}

/// Returns the tangent of a reduction by multiplication: each element's tangent
/// is multiplied by all other elements. Scans from both sides multiply these,
/// so that elements may be zero.
static Value buildTangentOfProduct(TangentBuilder &b, ReduceOp op,
                                   Value tangent) {
  Value x = op.getSources()[0];
  auto multiplyOthers = [&](bool isReverse) -> Value {
    return ScanOp::create(b, TypeRange{x.getType()},
                          ReduceKindAttr::get(b.getContext(), ReduceKind::mul),
                          x,
                          /*identities=*/ArrayAttr(), op.getAxisAttr(),
                          /*exclusive=*/true, isReverse, /*bodyCount=*/0)
        .getResult(0);
  };
  Value others = b.mul(multiplyOthers(false), multiplyOthers(true));
  return sumAs(b, op, b.mul(tangent, others), op.getResult(0).getType());
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

static ScanDirection getDirection(ScanOp op) {
  return {op.getAxisAttr(), op.getExclusive(), op.getReverse()};
}

static Value scanAdd(ValueBuilder &b, ScanOp op, Value tile, bool isReverse) {
  return ScanOp::create(b, TypeRange{tile.getType()},
                        ReduceKindAttr::get(b.getContext(), ReduceKind::add),
                        tile,
                        /*identities=*/ArrayAttr(), op.getAxisAttr(),
                        op.getExclusive(), isReverse, /*bodyCount=*/0)
      .getResult(0);
}

/// Returns the tangent of a scan by multiplication: a scan of pairs of a value
/// and its tangent, by the rule for a multiplication. No element is a divisor,
/// so that elements may be zero.
static Value scanPairs(TangentBuilder &b, ScanOp op, Value tangent) {
  Type type = op.getSources()[0].getType(), element = getElementType(type);
  // As the scan itself, multiply narrow elements in f32.
  bool isNarrow =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? b.getF32Type() : element;
  SmallVector<Value> scanned =
      scanTuples(b, {b.cast(op.getSources()[0], wide), b.cast(tangent, wide)},
                 {getRealIdentity(b, wide, 1), getRealIdentity(b, wide, 0)},
                 getDirection(op),
                 [](ValueBuilder &inner, ValueRange first, ValueRange second) {
                   Value ofFirst = inner.mul(first[1], second[0]);
                   Value ofSecond = inner.mul(second[1], first[0]);
                   return SmallVector<Value>{inner.mul(first[0], second[0]),
                                             inner.add(ofFirst, ofSecond)};
                 });
  return b.cast(scanned[1], element);
}

/// Returns the one of two pairs of a value and its index whose value is the
/// extreme: NaN, or the second one if `isBeyond` holds for it and the first
/// one. A pair with a negative index is none.
static SmallVector<Value> chooseExtreme(ValueBuilder &b,
                                        arith::CmpFPredicate isBeyond,
                                        ValueRange first, ValueRange second) {
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  auto isNone = [&](ValueRange pair) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, pair[1], zero);
  };
  auto isNaN = [&](ValueRange pair) {
    return b.compare(arith::CmpFPredicate::UNO, pair[0], pair[0]);
  };
  auto choose = [&](Value condition, Value a, Value other) -> Value {
    return arith::SelectOp::create(b, condition, a, other);
  };
  Value isSecond = b.compare(isBeyond, second[0], first[0]);
  isSecond = choose(isNaN(second), yes, isSecond);
  isSecond = choose(isNaN(first), no, isSecond);
  isSecond = choose(isNone(second), no, isSecond);
  isSecond = choose(isNone(first), yes, isSecond);
  return {choose(isSecond, second[0], first[0]),
          choose(isSecond, second[1], first[1])};
}

/// Returns, for each element of a scan by `max` or `min`, the index along
/// `direction.axis` of the first of the elements that are equal to it, or -1 if
/// the scan combines no element.
static Value findExtremes(ValueBuilder &b, Value source, bool isMax,
                          ScanDirection direction) {
  auto type = cast<TileType>(source.getType());
  Value indices = TileBuilder(b, b.getLoc(), type.getShape())
                      .iota(b.getI32Type(), direction.axis.getInt());
  auto isBeyond = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  return scanTuples(
      b, {source, indices},
      {getRealIdentity(b, type.getElementType(), 0), b.getI32IntegerAttr(-1)},
      direction, [&](ValueBuilder &inner, ValueRange first, ValueRange second) {
        return chooseExtreme(inner, isBeyond, first, second);
      })[1];
}

/// Returns the tangent of a scan by `max` or `min`: that of the first of the
/// elements that are equal to the result.
static Value takeExtremes(TangentBuilder &b, ScanOp op, Value tangent) {
  Value source = op.getSources()[0];
  auto type = cast<TileType>(source.getType());
  ScanDirection direction = getDirection(op);
  SmallVector<int64_t> shape(type.getShape());
  if (!direction.axis) {
    shape = {type.getNumElements()};
    direction.axis = b.getI64IntegerAttr(0);
  }
  Value indices = findExtremes(b, reshape(b, source, shape),
                               op.getKind() == ReduceKind::max, direction);
  Value zero = TileBuilder(b, b.getLoc(), shape).zero(b.getI32Type());
  Value isFound =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, indices, zero);
  Value flat = reshape(b, tangent, shape);
  Value taken = TakeOp::create(b, flat.getType(), flat,
                               arith::MaxSIOp::create(b, indices, zero),
                               direction.axis.getInt());
  return reshape(b, b.select(isFound, taken, Value()), type.getShape());
}

namespace tile {
static Derivatives makeTangents(ReduceOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (!op.getKind())
    return buildTangentsByRegion(op, b, tangents);
  Value tangent = tangents[0];
  switch (*op.getKind()) {
  case ReduceKind::add:
    return values({sumAs(b, op, tangent, op.getResult(0).getType())});
  case ReduceKind::mul:
    return values({buildTangentOfProduct(b, op, tangent)});
  default:
    return values({buildTangentOfExtreme(b, op, tangent)});
  }
}

static Derivatives makeTranspose(ReduceOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  auto type = cast<TileType>(op.getSources()[0].getType());
  SmallVector<Value> expanded;
  for (Value cotangent : cotangents)
    expanded.push_back(cotangent ? expand(b, op, cotangent, type) : Value());
  return op.getKind() ? expanded : transposeByRegion(op, b, expanded);
}

static Derivatives makeTangents(ScanOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (!op.getKind())
    return buildTangentsByRegion(op, b, tangents);
  switch (*op.getKind()) {
  case ReduceKind::add:
    return values({scanAdd(b, op, tangents[0], op.getReverse())});
  case ReduceKind::mul:
    return values({scanPairs(b, op, tangents[0])});
  default:
    return values({takeExtremes(b, op, tangents[0])});
  }
}

static Derivatives makeTranspose(ScanOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  if (!op.getKind())
    return transposeByRegion(op, b, cotangents);
  return values({scanAdd(b, op, cotangents[0], !op.getReverse())});
}
} // namespace tile

void tile::addCombiningRules(MLIRContext &context) {
  attachModels<TangentModel, ReduceOp, ScanOp>(context);
  attachModels<TransposeModel, ReduceOp, ScanOp>(context);
}
