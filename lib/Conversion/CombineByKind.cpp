// CombineByKind.cpp - operations that the kinds of reductions and updates name
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/CombineByKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

Value tile::createIdentity(OpBuilder &builder, Location loc, ReduceKind kind,
                           Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(builder, loc,
                                     getIdentity(builder, kind, type));
  Type part = complex.getElementType();
  Attribute imaginary = getIdentity(builder, ReduceKind::add, part);
  if (kind == ReduceKind::mul)
    imaginary = builder.getZeroAttr(part);
  return complex::ConstantOp::create(
      builder, loc, complex,
      builder.getArrayAttr({getIdentity(builder, kind, part), imaginary}));
}

static Value combineComplex(OpBuilder &builder, Location loc, ReduceKind kind,
                            Value a, Value b) {
  if (kind == ReduceKind::mul)
    return complex::MulOp::create(builder, loc, a, b);
  return complex::AddOp::create(builder, loc, a, b);
}

Value tile::combineByKind(OpBuilder &builder, Location loc, ReduceKind kind,
                          Value a, Value b) {
  bool isFloat = isa<FloatType>(a.getType());
  if (isa<ComplexType>(a.getType()))
    return combineComplex(builder, loc, kind, a, b);
  switch (kind) {
  case ReduceKind::add:
    // A multiplication that may be contracted has one rounding with the sum.
    return isFloat ? arith::AddFOp::create(builder, loc, a, b,
                                           arith::FastMathFlags::contract)
                         .getResult()
                   : arith::AddIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::mul:
    return isFloat ? arith::MulFOp::create(builder, loc, a, b).getResult()
                   : arith::MulIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::min:
    return isFloat ? arith::MinimumFOp::create(builder, loc, a, b).getResult()
                   : arith::MinSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::max:
    return isFloat ? arith::MaximumFOp::create(builder, loc, a, b).getResult()
                   : arith::MaxSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::umin:
    return arith::MinUIOp::create(builder, loc, a, b);
  case ReduceKind::umax:
    return arith::MaxUIOp::create(builder, loc, a, b);
  case ReduceKind::bit_and:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReduceKind::bit_or:
    return arith::OrIOp::create(builder, loc, a, b);
  case ReduceKind::bit_xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("all kinds are listed");
}
