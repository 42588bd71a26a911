// ComplexRules.cpp - derivatives of arithmetic on complex values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A complex value counts as the pair of its parts: the tangent of z is that of
// its parts, and its cotangent g stands for the derivatives by the real and by
// the imaginary part. As a real matrix, the multiplication by c has the
// multiplication by the conjugate of c as its transpose.

#include "Rules.h"

#include "tile/IR/AttachModels.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {
/// An operation on complex values: of the dialect complex, or tile.complex.
struct Arithmetic {
  ComplexKind kind;
  ValueRange inputs;
  Value result;
};
} // namespace

static Arithmetic read(ComplexOp op) {
  return {op.getKind(), op.getInputs(), op.getResult()};
}

static ComplexKind getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, ComplexKind>(op)
      .Case<complex::AddOp>([](auto) { return ComplexKind::add; })
      .Case<complex::SubOp>([](auto) { return ComplexKind::sub; })
      .Case<complex::MulOp>([](auto) { return ComplexKind::mul; })
      .Case<complex::DivOp>([](auto) { return ComplexKind::div; })
      .Case<complex::AbsOp>([](auto) { return ComplexKind::abs; })
      .Case<complex::ReOp>([](auto) { return ComplexKind::re; })
      .Case<complex::ImOp>([](auto) { return ComplexKind::im; })
      .Default([](auto) { return ComplexKind::create; });
}

template <typename Op>
static Arithmetic read(Op op) {
  return {getKind(op), op->getOperands(), op->getResult(0)};
}

static Value makeTangent(TangentBuilder &b, const Arithmetic &op,
                         ArrayRef<Value> tangents) {
  Value x = op.inputs.front(), y = op.inputs.back();
  Value dx = tangents.front(), dy = tangents.back();
  Type type = op.result.getType();
  switch (op.kind) {
  case ComplexKind::add:
    return b.add(dx, dy);
  case ComplexKind::sub:
    return b.sub(dx, dy);
  case ComplexKind::mul:
    return b.add(b.mul(dx, y), b.mul(dy, x));
  case ComplexKind::div:
    return b.div(b.sub(dx, b.mul(dy, op.result)), y);
  case ComplexKind::exp:
    return b.mul(dx, op.result);
  case ComplexKind::neg:
  case ComplexKind::conj:
  case ComplexKind::re:
  case ComplexKind::im:
    return b.createComplex(op.kind, type, dx);
  case ComplexKind::create: {
    Type part = x.getType();
    return b.createComplex(op.kind, type,
                           {b.orZero(dx, part), b.orZero(dy, part)});
  }
  case ComplexKind::abs:
    break;
  }
  // The real part of conj(x) dx, over |x|; zero where x is zero.
  Value part = b.createComplex(ComplexKind::re, type, b.mul(dx, b.conj(x)));
  Value isZero = b.compare(arith::CmpFPredicate::OEQ, op.result, b.zero(type));
  return b.div(part, b.select(isZero, b.real(type, 1), op.result));
}

static SmallVector<Value> makeCotangents(TransposeBuilder &b,
                                         const Arithmetic &op, Value g) {
  Value x = op.inputs.front(), y = op.inputs.back();
  Type type = x.getType();
  switch (op.kind) {
  case ComplexKind::add:
    return {g, g};
  case ComplexKind::sub:
    return {g, b.isTangent(y) ? b.neg(g) : Value()};
  case ComplexKind::mul:
    if (b.isTangent(x))
      return {b.mul(g, b.conj(y)), Value()};
    return {Value(), b.mul(g, b.conj(x))};
  case ComplexKind::div:
    return {b.div(g, b.conj(y)), Value()};
  case ComplexKind::neg:
  case ComplexKind::conj:
    return {b.createComplex(op.kind, type, g)};
  case ComplexKind::re:
    return {
        b.createComplex(ComplexKind::create, type, {g, b.zero(g.getType())})};
  case ComplexKind::im:
    return {
        b.createComplex(ComplexKind::create, type, {b.zero(g.getType()), g})};
  case ComplexKind::create:
    return {b.createComplex(ComplexKind::re, type, g),
            b.createComplex(ComplexKind::im, type, g)};
  case ComplexKind::exp:
  case ComplexKind::abs:
    break;
  }
  llvm_unreachable("a kind that is not linear has no tangents as operands");
}

namespace tile {
template <typename Op>
static Derivatives makeTangents(Op op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({makeTangent(b, read(op), tangents)});
}

template <typename Op>
static Derivatives makeTranspose(Op op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return makeCotangents(b, read(op), cotangents[0]);
}
} // namespace tile

void tile::addComplexRules(MLIRContext &context) {
  attachModels<TangentModel, complex::AddOp, complex::SubOp, complex::MulOp,
               complex::DivOp, complex::AbsOp, complex::ReOp, complex::ImOp,
               complex::CreateOp>(context);
  attachModels<TransposeModel, complex::AddOp, complex::SubOp, complex::MulOp,
               complex::DivOp, complex::ReOp, complex::ImOp, complex::CreateOp>(
      context);
}

void tile::addTileComplexRules(MLIRContext &context) {
  attachModels<TangentModel, ComplexOp>(context);
  attachModels<TransposeModel, ComplexOp>(context);
}
