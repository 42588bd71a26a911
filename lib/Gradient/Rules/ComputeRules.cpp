// ComputeRules.cpp - derivatives of casts, choices and constructed tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

namespace tile {
static Derivatives makeTangents(CastOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getBitcast() && op.getType() != op.getSource().getType())
    return op->emitError("expected a cast with a derivative, got one of bits");
  if (failed(verifyRounding(op)))
    return failure();
  return values({b.cast(tangents[0], getElementType(op.getType()))});
}

static Derivatives makeTranspose(CastOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({b.cast(skipRounding(cotangents[0]),
                        getElementType(op.getSource().getType()))});
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
  return values({sumElements(b, cotangents[0])});
}

/// Element i is start + i step, which is linear in both.
static Derivatives makeTangents(IotaOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Type element = op.getType().getElementType();
  return values({IotaOp::create(b, op.getType(), op.getAxis(),
                                b.orZero(tangents[0], element),
                                b.orZero(tangents[1], element))});
}

static Derivatives makeTranspose(IotaOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value ofStart, ofStep;
  if (b.isTangent(op.getStart()))
    ofStart = sumElements(b, cotangents[0]);
  if (b.isTangent(op.getStep())) {
    Value index = IotaOp::create(b, op.getType(), op.getAxis(),
                                 /*start=*/Value(), /*step=*/Value());
    ofStep = sumElements(b, b.mul(cotangents[0], index));
  }
  return values({ofStart, ofStep});
}
} // namespace tile

void tile::addComputeRules(MLIRContext &context) {
  attachModels<TangentModel, CastOp, IotaOp, SelectOp>(context);
  attachModels<LinearTangentModel, FillOp>(context);
  attachModels<TransposeModel, CastOp, FillOp, IotaOp, SelectOp>(context);
}
