// Scalars.cpp - arithmetic of loops on real or complex scalars
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

FloatType cpu::getRealType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return cast<FloatType>(type);
}

bool cpu::isComplex(Value x) { return isa<ComplexType>(x.getType()); }

Value cpu::buildReal(ImplicitLocOpBuilder &b, Type type, double value) {
  FloatType part = getRealType(type);
  FloatAttr real = b.getFloatAttr(part, value);
  if (part == type)
    return arith::ConstantOp::create(b, real);
  return complex::ConstantOp::create(
      b, cast<ComplexType>(type),
      b.getArrayAttr({real, b.getFloatAttr(part, 0)}));
}

Value cpu::getReal(ImplicitLocOpBuilder &b, Value x) {
  return isComplex(x) ? complex::ReOp::create(b, x) : x;
}

Value cpu::getImaginary(ImplicitLocOpBuilder &b, Value x) {
  return complex::ImOp::create(b, x);
}

Value cpu::makeComplex(ImplicitLocOpBuilder &b, Value real, Value imaginary) {
  return complex::CreateOp::create(b, ComplexType::get(real.getType()), real,
                                   imaginary);
}

SmallVector<Value> cpu::getParts(ImplicitLocOpBuilder &b, Value x) {
  SmallVector<Value> parts = {getReal(b, x)};
  if (isComplex(x))
    parts.push_back(getImaginary(b, x));
  return parts;
}

Value cpu::fromReal(ImplicitLocOpBuilder &b, Value real, Type type) {
  if (real.getType() == type)
    return real;
  return makeComplex(b, real, buildReal(b, real.getType(), 0));
}

Value cpu::getSize(ImplicitLocOpBuilder &b, Value x) {
  Value size = math::AbsFOp::create(b, getReal(b, x));
  if (!isComplex(x))
    return size;
  Value imaginary = math::AbsFOp::create(b, getImaginary(b, x));
  return arith::AddFOp::create(b, size, imaginary);
}

Value cpu::isNotZero(ImplicitLocOpBuilder &b, Value x) {
  auto isNot = [&](Value part) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, part,
                                 buildReal(b, part.getType(), 0));
  };
  Value is = isNot(getReal(b, x));
  if (!isComplex(x))
    return is;
  return arith::OrIOp::create(b, is, isNot(getImaginary(b, x)));
}

Value cpu::conjugate(ImplicitLocOpBuilder &b, Value x) {
  if (!isComplex(x))
    return x;
  return makeComplex(b, getReal(b, x),
                     arith::NegFOp::create(b, getImaginary(b, x)));
}

template <typename Op>
static Value createByParts(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (!cpu::isComplex(x))
    return Op::create(b, x, y);
  return cpu::makeComplex(
      b, Op::create(b, cpu::getReal(b, x), cpu::getReal(b, y)),
      Op::create(b, cpu::getImaginary(b, x), cpu::getImaginary(b, y)));
}

Value cpu::add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return createByParts<arith::AddFOp>(b, x, y);
}

Value cpu::subtract(ImplicitLocOpBuilder &b, Value x, Value y) {
  return createByParts<arith::SubFOp>(b, x, y);
}

/// Returns the complex number whose parts are the results of `Op` on a part of
/// x and the real value y.
template <typename Op>
static Value createOfParts(ImplicitLocOpBuilder &b, Value x, Value y) {
  return cpu::makeComplex(b, Op::create(b, cpu::getReal(b, x), y),
                          Op::create(b, cpu::getImaginary(b, x), y));
}

Value cpu::multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto product = [&](Value s, Value t) -> Value {
    return arith::MulFOp::create(b, s, t);
  };
  if (!isComplex(x) && !isComplex(y))
    return product(x, y);
  if (!isComplex(x))
    std::swap(x, y);
  if (!isComplex(y))
    return createOfParts<arith::MulFOp>(b, x, y);
  Value xr = getReal(b, x), xi = getImaginary(b, x);
  Value yr = getReal(b, y), yi = getImaginary(b, y);
  return makeComplex(
      b, arith::SubFOp::create(b, product(xr, yr), product(xi, yi)),
      arith::AddFOp::create(b, product(xr, yi), product(xi, yr)));
}

/// Divides x by y or, if the imaginary part of y is larger in magnitude than
/// the real one, x / i by y / i, which is the same quotient.
static Value divideComplex(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value xr = cpu::getReal(b, x), xi = cpu::getImaginary(b, x);
  Value yr = cpu::getReal(b, y), yi = cpu::getImaginary(b, y);
  Value isTurned = arith::CmpFOp::create(
      b, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, yi).getResult(),
      math::AbsFOp::create(b, yr).getResult());
  auto choose = [&](Value yes, Value no) -> Value {
    return arith::SelectOp::create(b, isTurned, yes, no);
  };
  auto negate = [&](Value a) -> Value { return arith::NegFOp::create(b, a); };
  Value re = choose(xi, xr), im = choose(negate(xr), xi);
  Value large = choose(yi, yr), small = choose(negate(yr), yi);
  Value ratio = arith::DivFOp::create(b, small, large);
  auto product = [&](Value a) -> Value {
    return arith::MulFOp::create(b, a, ratio);
  };
  Value divisor = arith::AddFOp::create(b, large, product(small));
  return cpu::makeComplex(
      b,
      arith::DivFOp::create(b, arith::AddFOp::create(b, re, product(im)),
                            divisor),
      arith::DivFOp::create(b, arith::SubFOp::create(b, im, product(re)),
                            divisor));
}

Value cpu::divide(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (!isComplex(x))
    return arith::DivFOp::create(b, x, y);
  return isComplex(y) ? divideComplex(b, x, y)
                      : createOfParts<arith::DivFOp>(b, x, y);
}
