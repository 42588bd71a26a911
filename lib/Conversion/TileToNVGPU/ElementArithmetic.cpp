// ElementArithmetic.cpp - arithmetic on real or complex elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementArithmetic.h"

#include "tile/Algorithms/ComplexScale.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tile;

Type ElementArithmetic::getPartType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

bool ElementArithmetic::isComplex(Value a) {
  return isa<ComplexType>(a.getType());
}

Value ElementArithmetic::fromReal(Value value) {
  return isComplex() ? makeComplex(value, real(0)) : value;
}

Value ElementArithmetic::getReal(Value a) {
  return isComplex(a) ? create<complex::ReOp>(a) : a;
}

Value ElementArithmetic::getImaginary(Value a) {
  return create<complex::ImOp>(a);
}

Value ElementArithmetic::makeComplex(Value re, Value im) {
  return create<complex::CreateOp>(ComplexType::get(element), re, im);
}

Value ElementArithmetic::negate(Value a) {
  if (!isComplex(a))
    return RealArithmetic::negate(a);
  return makeComplex(RealArithmetic::negate(getReal(a)),
                     RealArithmetic::negate(getImaginary(a)));
}

Value ElementArithmetic::conjugate(Value a) {
  if (!isComplex(a))
    return a;
  return makeComplex(getReal(a), RealArithmetic::negate(getImaginary(a)));
}

template <typename Op>
Value ElementArithmetic::createByParts(Value a, Value b) {
  if (!isComplex(a))
    return create<Op>(a, b);
  return makeComplex(create<Op>(getReal(a), getReal(b)),
                     create<Op>(getImaginary(a), getImaginary(b)));
}

Value ElementArithmetic::add(Value a, Value b) {
  return createByParts<arith::AddFOp>(a, b);
}

Value ElementArithmetic::subtract(Value a, Value b) {
  return createByParts<arith::SubFOp>(a, b);
}

Value ElementArithmetic::multiply(Value a, Value b) {
  if (isComplex(a) && !isComplex(b))
    std::swap(a, b);
  return multiplyAdd(a, b, Value());
}

Value ElementArithmetic::multiplyAdd(Value a, Value b, Value c) {
  if (!isComplex(b))
    return RealArithmetic::multiplyAdd(a, b, c);
  Value re = RealArithmetic::multiplyAdd(getReal(a), getReal(b),
                                         c ? getReal(c) : Value());
  Value im = RealArithmetic::multiplyAdd(getReal(a), getImaginary(b),
                                         c ? getImaginary(c) : Value());
  if (!isComplex(a))
    return makeComplex(re, im);
  Value imaginary = getImaginary(a);
  return makeComplex(
      RealArithmetic::multiplyAdd(RealArithmetic::negate(imaginary),
                                  getImaginary(b), re),
      RealArithmetic::multiplyAdd(imaginary, getReal(b), im));
}

Value ElementArithmetic::addSquare(Value a, Value c) {
  Value sum = RealArithmetic::multiplyAdd(getReal(a), getReal(a), c);
  if (!isComplex(a))
    return sum;
  return RealArithmetic::multiplyAdd(getImaginary(a), getImaginary(a), sum);
}

Value ElementArithmetic::getSizeBits(Value a) {
  if (!isComplex(a))
    return RealArithmetic::getSizeBits(a);
  return RealArithmetic::getSizeBits(create<arith::AddFOp>(
      create<math::AbsFOp>(getReal(a)), create<math::AbsFOp>(getImaginary(a))));
}

Value ElementArithmetic::isNotZero(Value a) {
  auto isNot = [&](Value part) {
    return compare(arith::CmpFPredicate::UNE, part, real(0));
  };
  if (!isComplex(a))
    return isNot(a);
  return create<arith::OrIOp>(isNot(getReal(a)), isNot(getImaginary(a)));
}

/// Uses the instruction rcp.approx instead of a division, which would be a
/// call, around which values cannot stay in registers. The instruction's result
/// is within one ulp for f32, and has 20 bits for f64 (PTX ISA, "rcp",
/// "rcp.approx.ftz.f64").
Value ElementArithmetic::createNormalReciprocal(Value x) {
  StringRef name = element.isF32() ? "llvm.nvvm.rcp.approx.ftz.f"
                                   : "llvm.nvvm.rcp.approx.ftz.d";
  Value reciprocal =
      LLVM::CallIntrinsicOp::create(index.builder, index.loc, element,
                                    index.builder.getStringAttr(name), x)
          .getResult(0);
  if (element.isF64())
    for (int step = 0; step < 2; ++step)
      reciprocal = refineReciprocal(x, reciprocal);
  return reciprocal;
}

Value ElementArithmetic::refineReciprocal(Value x, Value reciprocal) {
  Value one = real(1);
  if (isComplex(x))
    one = fromReal(one);
  Value rest = multiplyAdd(negate(reciprocal), x, one);
  return multiplyAdd(rest, reciprocal, reciprocal);
}

/// Computes conj(a s) / |a s|^2 with a power of two s, and multiplies the
/// result by s.
Value ElementArithmetic::createComplexReciprocal(Value a) {
  Value scale =
      createComplexScale(index.builder, index.loc, getReal(a), getImaginary(a));
  Value scaled = conjugate(multiply(a, scale));
  Value reciprocal = createNormalReciprocal(addSquare(scaled, Value()));
  return multiply(multiply(scaled, reciprocal), scale);
}

Value ElementArithmetic::select(Value condition, Value a, Value b) {
  if (!isComplex(a))
    return index.select(condition, a, b);
  return makeComplex(index.select(condition, getReal(a), getReal(b)),
                     index.select(condition, getImaginary(a), getImaginary(b)));
}
