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

Number ArrayValue::read(int64_t distance) const {
  return others.count(distance) ? Number::unknown() : elements[distance];
}

void ArrayValue::write(int64_t distance, const Number &number) {
  elements[distance] = number;
  isWritten[distance] = true;
  others.erase(distance);
}

void ArrayValue::writeOneOf(int64_t distance, ArrayRef<Number> numbers) {
  write(distance, numbers.front());
  if (numbers.size() > 1)
    others[distance].assign(numbers.begin() + 1, numbers.end());
}

void ArrayValue::forget() {
  for (size_t distance = 0; distance < elements.size(); ++distance)
    write(distance, Number::unknown());
}
