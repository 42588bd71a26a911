// DecomposeComplex.cpp - tile.complex as a tile.map
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// Applies `Op` to the real and to the imaginary parts. complex.add and
/// complex.sub are not used: their folds turn (x - y) + y into x.
template <typename Op>
static Value createByParts(ImplicitLocOpBuilder &b, ValueRange x) {
  Value real = Op::create(b, complex::ReOp::create(b, x[0]),
                          complex::ReOp::create(b, x[1]));
  Value imaginary = Op::create(b, complex::ImOp::create(b, x[0]),
                               complex::ImOp::create(b, x[1]));
  return complex::CreateOp::create(b, x[0].getType(), real, imaginary);
}

static Value createExp(ImplicitLocOpBuilder &b, Value x) {
  Value size = math::ExpOp::create(b, complex::ReOp::create(b, x));
  Value angle = complex::ImOp::create(b, x);
  return complex::CreateOp::create(
      b, x.getType(),
      arith::MulFOp::create(b, size, math::CosOp::create(b, angle)),
      arith::MulFOp::create(b, size, math::SinOp::create(b, angle)));
}

/// Returns the conjugate of x if `isConjugate`, otherwise -x.
static Value createNegative(ImplicitLocOpBuilder &b, Value x,
                            bool isConjugate) {
  Value real = complex::ReOp::create(b, x);
  if (!isConjugate)
    real = arith::NegFOp::create(b, real);
  Value imaginary = arith::NegFOp::create(b, complex::ImOp::create(b, x));
  return complex::CreateOp::create(b, x.getType(), real, imaginary);
}

static Value createElement(ImplicitLocOpBuilder &b, ComplexKind kind,
                           Type result, ValueRange x) {
  switch (kind) {
  case ComplexKind::add:
    return createByParts<arith::AddFOp>(b, x);
  case ComplexKind::sub:
    return createByParts<arith::SubFOp>(b, x);
  case ComplexKind::mul:
    return complex::MulOp::create(b, x[0], x[1]);
  case ComplexKind::div:
    return complex::DivOp::create(b, x[0], x[1]);
  case ComplexKind::neg:
    return createNegative(b, x[0], /*isConjugate=*/false);
  case ComplexKind::conj:
    return createNegative(b, x[0], /*isConjugate=*/true);
  case ComplexKind::exp:
    return createExp(b, x[0]);
  case ComplexKind::abs:
    return complex::AbsOp::create(b, x[0]);
  case ComplexKind::re:
    return complex::ReOp::create(b, x[0]);
  case ComplexKind::im:
    return complex::ImOp::create(b, x[0]);
  case ComplexKind::create:
    return complex::CreateOp::create(b, result, x[0], x[1]);
  }
  llvm_unreachable("kind of operation on complex numbers");
}

Replacements tile::decompose(ComplexOp op, OpBuilder &builder) {
  Type element = op.getType().getElementType();
  Type type = TileType::get(op.getType().getShape(), element);
  auto map = MapOp::create(builder, op.getLoc(), type, op.getInputs());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&map.getBody());
  for (Value input : op.getInputs())
    body->addArgument(cast<TileType>(input.getType()).getElementType(),
                      op.getLoc());
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  YieldOp::create(
      b, createElement(b, op.getKind(), element, body->getArguments()));
  return SmallVector<Value>(map.getResults());
}
