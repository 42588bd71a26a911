// Arrays.cpp - the elements of an array argument
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Evaluate.h"

using namespace mlir;
using namespace tile::fuzz;

std::optional<int64_t> ArrayValue::find(ArrayRef<int64_t> coordinate) const {
  int64_t distance = low;
  for (auto [index, size, stride] : llvm::zip(coordinate, sizes, strides)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    distance += index * stride;
  }
  return distance;
}

Element ArrayValue::read(int64_t distance) const {
  return others.count(distance) ? Element::unknown() : elements[distance];
}

void ArrayValue::write(int64_t distance, const Element &value) {
  elements[distance] = value;
  isWritten[distance] = true;
  others.erase(distance);
}

void ArrayValue::writeOneOf(int64_t distance, ArrayRef<Element> values) {
  write(distance, values.front());
  if (values.size() > 1)
    others[distance].assign(values.begin() + 1, values.end());
}

void ArrayValue::forget() {
  for (size_t distance = 0; distance < elements.size(); ++distance)
    write(distance, Element::unknown());
}
