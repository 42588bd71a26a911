// CombiningRules.cpp - derivatives of reductions and scans
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

/// Returns a result of a reduction of a tile of `type`, or a tile of its shape,
/// repeated along the axis that was reduced, or along all.
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
  return kept == whole ? reduced
                       : BroadcastOp::create(b, whole, reduced).getResult();
}

/// Adds up as `op` reduces.
static Value sumAs(ValueBuilder &b, ReduceOp op, Value tile, Type type) {
  auto sum = ReduceOp::create(b, TypeRange{type}, ReduceKind::add, tile,
                              op.getAxisAttr());
  sum.setKeep(op.getKeep());
  return sum.getResult(0);
}

/// Returns the tangent of a maximum or minimum: the mean of the tangents of the
/// elements that are equal to it, or NaN as it is.
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

namespace tile {
static Derivatives makeTangents(ReduceOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (!op.getKind())
    return op->emitError("expected a reduction by a kind, got one by a region, "
                         "whose derivative is not known");
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
  return values({expand(b, op, cotangents[0],
                        cast<TileType>(op.getSources()[0].getType()))});
}

static Value scanAdd(ValueBuilder &b, ScanOp op, Value tile, bool isReverse) {
  return ScanOp::create(b, TypeRange{tile.getType()},
                        ReduceKindAttr::get(b.getContext(), ReduceKind::add),
                        tile,
                        /*identities=*/ArrayAttr(), op.getAxisAttr(),
                        op.getExclusive(), isReverse, /*bodyCount=*/0)
      .getResult(0);
}

static Derivatives makeTangents(ScanOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getKind() != ReduceKind::add)
    return op->emitError("expected a scan by 'add', got another one, whose "
                         "derivative is not known");
  return values({scanAdd(b, op, tangents[0], op.getReverse())});
}

static Derivatives makeTranspose(ScanOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({scanAdd(b, op, cotangents[0], !op.getReverse())});
}
} // namespace tile

void tile::addCombiningRules(MLIRContext &context) {
  attachModels<TangentModel, ReduceOp, ScanOp>(context);
  attachModels<TransposeModel, ReduceOp, ScanOp>(context);
}
