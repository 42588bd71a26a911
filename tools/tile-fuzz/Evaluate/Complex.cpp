// Complex.cpp - complex arithmetic, and unpacking of elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"
#include "Sums.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

#include <complex>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

static std::complex<double> getValue(const Element &x) {
  return {x.value, x.imaginary};
}

/// Makes a result whose parts are each within `error`; unknown if squares of
/// parts may overflow or vanish.
static Element bounded(std::complex<double> value, double error,
                       ArrayRef<Element> x, Type part) {
  for (const Element &element : x) {
    double size = std::abs(getValue(element));
    if (!(size < 1e8) || !(size > 1e-8) || !(element.error < size / 8))
      return Element::unknown();
  }
  return Element::ofComplex(rounded(value.real(), error, part),
                            rounded(value.imag(), error, part));
}

static Element divide(const Element &x, const Element &y, Type part) {
  std::complex<double> quotient = getValue(x) / getValue(y);
  double size = std::abs(getValue(y));
  double error = 4 * (x.error + std::abs(quotient) * y.error) / size +
                 12 * getUnitRoundoff(part) * std::abs(quotient);
  return bounded(quotient, error, {x, y}, part);
}

static Element getExp(const Element &x, Type part) {
  std::complex<double> value = std::exp(getValue(x));
  double size = std::abs(value);
  if (!(size < 1e30) || !(size > 1e-30) || !(x.error < 1) ||
      !(std::fabs(x.imaginary) < 1e5))
    return Element::unknown();
  double error = size * (4 * x.error + 40 * getUnitRoundoff(part));
  return Element::ofComplex(rounded(value.real(), error, part),
                            rounded(value.imag(), error, part));
}

static Element getSize(const Element &x, Type part) {
  double size = std::abs(getValue(x));
  Element result =
      bounded(size, 2 * x.error + 8 * getUnitRoundoff(part) * size, x, part);
  result.imaginary = 0;
  return result;
}

static Element getPart(double value, const Element &x) {
  return Element::ofFloat(value, x.error);
}

static Element computeElement(ComplexKind kind, ArrayRef<Element> x, Type type,
                              Type part) {
  auto add = [&](double sign) {
    double error = x[0].error + x[1].error;
    return Element::ofComplex(
        rounded(x[0].value + sign * x[1].value, error, part),
        rounded(x[0].imaginary + sign * x[1].imaginary, error, part));
  };
  switch (kind) {
  case ComplexKind::add:
    return add(1);
  case ComplexKind::sub:
    return add(-1);
  case ComplexKind::mul:
    return reduceElements(ReduceKind::mul, x, type);
  case ComplexKind::div:
    return divide(x[0], x[1], part);
  case ComplexKind::neg:
    return {-x[0].value, x[0].error, 0, -x[0].imaginary};
  case ComplexKind::conj:
    return {x[0].value, x[0].error, 0, -x[0].imaginary};
  case ComplexKind::exp:
    return getExp(x[0], part);
  case ComplexKind::abs:
    return getSize(x[0], part);
  case ComplexKind::re:
    return getPart(x[0].value, x[0]);
  case ComplexKind::im:
    return getPart(x[0].imaginary, x[0]);
  case ComplexKind::create:
    return Element::ofComplex(x[0], x[1]);
  }
  llvm_unreachable("kind of operation on complex numbers");
}

std::optional<ComplexKind> fuzz::getComplexKind(Operation *op) {
  using Kind = std::optional<ComplexKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case([](ComplexOp op) { return op.getKind(); })
      .Case([](complex::AddOp) { return ComplexKind::add; })
      .Case([](complex::SubOp) { return ComplexKind::sub; })
      .Case([](complex::MulOp) { return ComplexKind::mul; })
      .Case([](complex::DivOp) { return ComplexKind::div; })
      .Case([](complex::NegOp) { return ComplexKind::neg; })
      .Case([](complex::ConjOp) { return ComplexKind::conj; })
      .Case([](complex::ExpOp) { return ComplexKind::exp; })
      .Case([](complex::AbsOp) { return ComplexKind::abs; })
      .Case([](complex::ReOp) { return ComplexKind::re; })
      .Case([](complex::ImOp) { return ComplexKind::im; })
      .Case([](complex::CreateOp) { return ComplexKind::create; })
      .Default([](Operation *) { return std::nullopt; });
}

void Interpreter::computeComplex(Operation *op, ComplexKind kind) {
  Value only = op->getResult(0);
  Type type = getElement(only), part = getPartType(type);
  Elements result;
  for (size_t index = 0; index < get(op->getOperand(0)).size(); ++index) {
    Tuple x = getTuple(op->getOperands(), index);
    bool isKnown = llvm::none_of(
        x, [](const Element &element) { return element.isUnknown(); });
    result.push_back(isKnown ? computeElement(kind, x, type, part)
                             : Element::unknown());
  }
  set(only, std::move(result));
}

void Interpreter::unpack(UnpackOp op) {
  Type word = getElement(op.getSource());
  int64_t bits = op.getBits(), count = getIntegerBits(word) / bits;
  ArrayRef<int64_t> from = getShape(op.getSource());
  Elements result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at(coordinate);
    int64_t index = at[op.getAxis()] % count;
    at[op.getAxis()] /= count;
    const Element &x = get(op.getSource())[getRowMajorIndex(from, at)];
    if (x.isUnknown())
      return result.push_back(x);
    uint64_t value = getLowBits(x.integer, word) >> (index * bits);
    int64_t modulus = int64_t(1) << bits;
    int64_t low = static_cast<int64_t>(value & (modulus - 1));
    if (!op.getUnsignedInteger() && low >= modulus / 2)
      low -= modulus;
    result.push_back(Element::ofInteger(low));
  });
  set(op.getResult(), std::move(result));
}
