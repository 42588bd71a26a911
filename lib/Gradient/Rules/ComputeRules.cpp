// ComputeRules.cpp - derivatives of casts, choices and fills, and of tile.map
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

static Derivatives makeTangents(ComplexOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value x = op.getInputs()[0], y = op.getInputs().back();
  Value dx = tangents[0], dy = tangents.back();
  auto create = [&](ComplexKind kind, ValueRange inputs) -> Value {
    return ComplexOp::create(b, op.getType(), kind, inputs);
  };
  switch (op.getKind()) {
  case ComplexKind::add:
    return values({b.add(dx, dy)});
  case ComplexKind::sub:
    return values({b.sub(dx, dy)});
  case ComplexKind::mul:
    return values({b.add(b.mul(dx, y), b.mul(dy, x))});
  case ComplexKind::div:
    return values({b.div(b.sub(dx, b.mul(dy, op.getResult())), y)});
  case ComplexKind::exp:
    return values({b.mul(dx, op.getResult())});
  case ComplexKind::neg:
  case ComplexKind::conj:
  case ComplexKind::re:
  case ComplexKind::im:
    return values({create(op.getKind(), dx)});
  case ComplexKind::create: {
    Type part = x.getType();
    return values(
        {create(op.getKind(), {b.orZero(dx, part), b.orZero(dy, part)})});
  }
  case ComplexKind::abs: {
    // The real part of conj(x) dx, over |x|; zero where x is.
    Value product = b.mul(dx, b.conj(x));
    Value part = create(ComplexKind::re, product);
    Value isZero = b.compare(arith::CmpFPredicate::OEQ, op.getResult(),
                             b.zero(op.getType()));
    Value divisor = b.select(isZero, b.real(op.getType(), 1), op.getResult());
    return values({b.div(part, divisor)});
  }
  }
  llvm_unreachable("all kinds are listed");
}

static Derivatives makeTranspose(ComplexOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value g = cotangents[0];
  Value x = op.getInputs()[0], y = op.getInputs().back();
  auto create = [&](ComplexKind kind, Type type, ValueRange inputs) -> Value {
    return ComplexOp::create(b, type, kind, inputs);
  };
  switch (op.getKind()) {
  case ComplexKind::add:
    return values({g, g});
  case ComplexKind::sub:
    return values({g, b.isTangent(y) ? b.neg(g) : Value()});
  case ComplexKind::mul:
    if (b.isTangent(x))
      return values({b.mul(g, b.conj(y)), Value()});
    return values({Value(), b.mul(g, b.conj(x))});
  case ComplexKind::div:
    return values({b.div(g, b.conj(y)), Value()});
  case ComplexKind::neg:
  case ComplexKind::conj:
    return values({create(op.getKind(), op.getType(), g)});
  case ComplexKind::re:
    return values(
        {create(ComplexKind::create, x.getType(), {g, b.zero(g.getType())})});
  case ComplexKind::im:
    return values(
        {create(ComplexKind::create, x.getType(), {b.zero(g.getType()), g})});
  case ComplexKind::create:
    return values({create(ComplexKind::re, x.getType(), g),
                   create(ComplexKind::im, x.getType(), g)});
  case ComplexKind::exp:
  case ComplexKind::abs:
    break;
  }
  llvm_unreachable("a kind that is not linear has no tangents as operands");
}
} // namespace tile

void tile::addComputeRules(MLIRContext &context) {
  attachModels<TangentModel, CastOp, ComplexOp, SelectOp>(context);
  attachModels<LinearTangentModel, FillOp>(context);
  attachModels<TransposeModel, CastOp, ComplexOp, FillOp, SelectOp>(context);
}
