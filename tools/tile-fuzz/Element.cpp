// Element.cpp - one element of a tile, with the bound of its error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"

#include "tile/IR/Tile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <cstring>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

bool tile::fuzz::isInteger(Type type) { return type.isIntOrIndex(); }

unsigned tile::fuzz::getIntegerBits(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

int64_t tile::fuzz::wrapInteger(int64_t value, Type type) {
  unsigned bits = getIntegerBits(type);
  if (bits == 1)
    return value & 1;
  unsigned shift = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

Type tile::fuzz::getPartType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

bool tile::fuzz::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

double tile::fuzz::getUnitRoundoff(Type type) {
  return std::ldexp(1.0, -static_cast<int>(llvm::APFloat::semanticsPrecision(
                             getSemantics(type))));
}

double tile::fuzz::roundTo(double value, Type type) {
  if (type.isF64())
    return value;
  llvm::APFloat result(value);
  bool losesInfo;
  result.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  result.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return result.convertToDouble();
}

double tile::fuzz::getSmallest(Type type) {
  return llvm::APFloat::getSmallest(getSemantics(type)).convertToDouble();
}

double tile::fuzz::getLargest(Type type) {
  return llvm::APFloat::getLargest(getSemantics(type)).convertToDouble();
}

/// Makes a floating-point element. It is unknown if `value` and `error`
/// together reach the largest value of the type, since the program's value may
/// have overflowed.
static Element checkRange(double value, double error, Type type) {
  if (std::isnan(value) || std::isnan(error) ||
      std::fabs(value) + error >= getLargest(type))
    return Element::unknown();
  return Element::ofFloat(value, error);
}

Element tile::fuzz::rounded(double value, double error, Type type) {
  if (error == 0)
    return Element::ofFloat(roundTo(value, type));
  return checkRange(value,
                    error + getUnitRoundoff(type) * (std::fabs(value) + error) +
                        getSmallest(type),
                    type);
}

Element tile::fuzz::approximate(double value, double error, double ulps,
                                Type type) {
  // Infinities and NaN of exact operands are not rounded.
  if (error == 0 && !std::isfinite(value))
    return Element::ofFloat(value);
  return checkRange(
      value,
      error + 2 * ulps * getUnitRoundoff(type) * (std::fabs(value) + error) +
          ulps * getSmallest(type),
      type);
}

Element tile::fuzz::readElement(const void *memory, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    const char *second =
        static_cast<const char *>(memory) + getElementBytes(part);
    return Element::ofComplex(readElement(memory, part),
                              readElement(second, part));
  }
  uint64_t bits = 0;
  std::memcpy(&bits, memory, getElementBytes(type));
  if (isInteger(type))
    return Element::ofInteger(wrapInteger(static_cast<int64_t>(bits), type));
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APFloat result(getSemantics(type), llvm::APInt(width, bits));
  bool losesInfo;
  result.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return Element::ofFloat(result.convertToDouble());
}

void tile::fuzz::writeElement(void *memory, const Element &element, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    writeElement(memory, element, part);
    writeElement(static_cast<char *>(memory) + getElementBytes(part),
                 Element::ofFloat(element.imaginary), part);
    return;
  }
  uint64_t bits = static_cast<uint64_t>(element.integer);
  if (!isInteger(type)) {
    llvm::APFloat rounded(element.value);
    bool losesInfo;
    rounded.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                    &losesInfo);
    bits = rounded.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(memory, &bits, getElementBytes(type));
}
