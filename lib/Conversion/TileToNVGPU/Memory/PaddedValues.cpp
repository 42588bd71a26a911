// PaddedValues.cpp - a thread's values of a layout that is larger than the tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PaddedValues.h"

using namespace mlir;
using namespace tile;

PaddedValues::PaddedValues(IndexBuilder &index, ThreadCoordinates &coordinates,
                           ArrayRef<int64_t> shape, int64_t width)
    : coordinates(coordinates), shape(shape) {
  int64_t count = coordinates.getLayout().getNumValues();
  for (int64_t value = 0; value < count; value += width) {
    std::vector<int64_t> key = getKey(value);
    if (!llvm::all_of_zip(key, shape, std::less<>()))
      continue;
    auto [it, isNew] = groupOf.try_emplace(key, groups.size());
    if (isNew)
      groups.push_back({coordinates.isInside(value, shape), {}});
    groups[it->second].values.push_back(value);
  }
}

std::vector<int64_t> PaddedValues::getKey(int64_t value) const {
  const RegisterLayout &layout = coordinates.getLayout();
  std::vector<int64_t> key = layout.valueOffset(value);
  for (auto [dim, offset] : llvm::enumerate(key))
    if (layout.getBox()[dim] <= shape[dim])
      offset = 0;
  return key;
}

Value PaddedValues::isInside(int64_t value) const {
  return groups[groupOf.at(getKey(value))].inside;
}

/// Returns coordinates whose dynamic part is zero in threads in which the value
/// lies outside the tile. The static part is inside.
ThreadCoordinates *PaddedValues::getReadable(int64_t value) {
  std::vector<int64_t> key = getKey(value);
  auto group = groupOf.find(key);
  if (group == groupOf.end())
    return nullptr;
  Value inside = groups[group->second].inside;
  if (!inside)
    return &coordinates;
  auto [it, isNew] = readable.try_emplace(key, coordinates);
  if (isNew)
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (coordinates.getLayout().getBox()[dim] > extent)
        it->second.clearUnless(dim, inside);
  return &it->second;
}
