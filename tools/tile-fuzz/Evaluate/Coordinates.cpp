// Coordinates.cpp - shapes, coordinates and positions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

void tile::fuzz::forEach(ArrayRef<int64_t> shape,
                         llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  SmallVector<int64_t> coordinate(shape.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    visit(coordinate);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++coordinate[dim] < shape[dim])
        break;
      coordinate[dim] = 0;
    }
  }
}

int64_t tile::fuzz::getRowMajorIndex(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> coordinate) {
  int64_t index = 0;
  for (auto [extent, i] : llvm::zip(shape, coordinate))
    index = index * extent + i;
  return index;
}

ArrayRef<int64_t> tile::fuzz::getShape(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

Type tile::fuzz::getElement(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile ? tile.getElementType() : getElementTypeOrSelf(value.getType());
}

Element tile::fuzz::readElement(Attribute attribute) {
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return Element::ofComplex(readElement(parts[0]), readElement(parts[1]));
  if (auto constant = dyn_cast<FloatAttr>(attribute))
    return Element::ofFloat(constant.getValueAsDouble());
  auto constant = cast<IntegerAttr>(attribute);
  return Element::ofInteger(
      wrapInteger(constant.getValue().getSExtValue(), constant.getType()));
}

SmallVector<int64_t>
tile::fuzz::shiftCoordinate(ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> coordinate,
                            std::optional<ArrayRef<int64_t>> dims) {
  SmallVector<int64_t> result(offsets);
  size_t leading = offsets.size() - coordinate.size();
  for (auto [dim, index] : llvm::enumerate(coordinate))
    result[dims ? (*dims)[dim] : leading + dim] += index;
  return result;
}

const Element &tile::fuzz::getRepeated(const Elements &indices,
                                       ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> coordinate) {
  SmallVector<int64_t> at(coordinate);
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent == 1)
      at[dim] = 0;
  return indices[getRowMajorIndex(shape, at)];
}

SmallVector<SmallVector<size_t>>
tile::fuzz::getRows(ArrayRef<int64_t> shape, std::optional<uint64_t> axis) {
  SmallVector<SmallVector<size_t>> rows;
  llvm::MapVector<int64_t, SmallVector<size_t>> byRow;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> row(coordinate);
    if (axis)
      row[*axis] = 0;
    else
      row.assign(row.size(), 0);
    byRow[getRowMajorIndex(shape, row)].push_back(
        getRowMajorIndex(shape, coordinate));
  });
  for (auto &[index, indices] : byRow)
    rows.push_back(std::move(indices));
  return rows;
}
