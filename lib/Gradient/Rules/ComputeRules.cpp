// ComputeRules.cpp - derivatives of casts, choices and fills
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

static bool isFloat(Type type) { return isa<FloatType>(getElementType(type)); }

/// Whether a value is rounded to it without a limit: f8 saturates.
static bool isRounded(Type type) {
  return isFloat(type) && getElementType(type).getIntOrFloatBitWidth() > 8;
}

namespace tile {
static Derivatives makeTangents(CastOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getBitcast() && op.getType() != op.getSource().getType())
    return op->emitError("expected a cast with a derivative, got one of bits");
  if (!isRounded(op.getType()))
    return op->emitError("expected a cast with a derivative, got one that "
                         "saturates, to ")
           << getElementType(op.getType());
  return values({b.cast(tangents[0], getElementType(op.getType()))});
}

static Derivatives makeTranspose(CastOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values(
      {b.cast(cotangents[0], getElementType(op.getSource().getType()))});
}

static Derivatives makeTangents(SelectOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({b.select(op.getCondition(), tangents[1], tangents[2])});
}

static Derivatives makeTranspose(SelectOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value ofTrue, ofFalse;
  if (b.isTangent(op.getTrueValue()))
    ofTrue = b.select(op.getCondition(), cotangents[0], Value());
  if (b.isTangent(op.getFalseValue()))
    ofFalse = b.select(op.getCondition(), Value(), cotangents[0]);
  return values({Value(), ofTrue, ofFalse});
}

static Derivatives makeTranspose(FillOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value sum =
      ReduceOp::create(b, TypeRange{TileType::get({}, op.getValue().getType())},
                       ReduceKind::add, cotangents[0], /*axis=*/IntegerAttr())
          .getResult(0);
  return values({ExtractOp::create(b, sum, ValueRange())});
}

} // namespace tile

void tile::addComputeRules(MLIRContext &context) {
  attachModels<TangentModel, CastOp, SelectOp>(context);
  attachModels<LinearTangentModel, FillOp>(context);
  attachModels<TransposeModel, CastOp, FillOp, SelectOp>(context);
}
