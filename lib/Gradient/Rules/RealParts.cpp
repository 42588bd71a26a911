// RealParts.cpp - values as vectors of real parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RealParts.h"

using namespace mlir;
using namespace tile;

static Type getPartType(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

/// Returns the wider one of two floating-point types; f32 for different types
/// of one width.
static Type getWider(Type a, Type b) {
  unsigned ofA = a.getIntOrFloatBitWidth(), ofB = b.getIntOrFloatBitWidth();
  if (ofA == ofB)
    return a == b ? a : Float32Type::get(a.getContext());
  return ofA > ofB ? a : b;
}

RealParts::RealParts(ArrayRef<Type> elements) : elements(elements) {
  for (auto [index, element] : llvm::enumerate(elements)) {
    Type part = getPartType(element);
    type = type ? getWider(type, part) : part;
    parts.push_back({index, false});
    if (part != element)
      parts.push_back({index, true});
  }
}

SmallVector<Value> RealParts::split(ValueBuilder &b,
                                    ArrayRef<Value> values) const {
  SmallVector<Value> result;
  for (Part part : parts) {
    Value value = values[part.element];
    Type element = elements[part.element];
    if (value && isa<ComplexType>(element))
      value = b.createComplex(
          part.isImaginary ? ComplexKind::im : ComplexKind::re,
          withElementType(value.getType(), getPartType(element)), value);
    result.push_back(b.cast(value, type));
  }
  return result;
}

SmallVector<Value> RealParts::join(ValueBuilder &b, ValueRange values) const {
  SmallVector<Value> joined;
  for (auto [part, value] : llvm::zip_equal(parts, values)) {
    Type element = elements[part.element];
    Value rounded = b.cast(value, getPartType(element));
    if (part.isImaginary)
      joined.back() = b.createComplex(
          ComplexKind::create, withElementType(rounded.getType(), element),
          {joined.back(), rounded});
    else
      joined.push_back(rounded);
  }
  return joined;
}

SmallVector<Value> RealParts::makeUnit(ValueBuilder &b,
                                       std::optional<size_t> unit) const {
  SmallVector<Value> scalars;
  for (Type element : elements)
    scalars.push_back(b.zero(element));
  if (!unit)
    return scalars;
  auto [index, isImaginary] = parts[*unit];
  Type element = elements[index], part = getPartType(element);
  scalars[index] = isImaginary
                       ? b.createComplex(ComplexKind::create, element,
                                         {b.zero(part), b.real(part, 1)})
                       : b.real(element, 1);
  return scalars;
}

Value tile::multiplyParts(ValueBuilder &b, ArrayRef<Value> left,
                          ArrayRef<Value> right) {
  Value sum;
  for (auto [x, y] : llvm::zip_equal(left, right))
    sum = b.add(sum, b.mul(x, y));
  return sum;
}
