// AccessWidth.cpp - how many elements one access of an array takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/AccessWidth.h"

#include "tile/Analysis/SharedWidth.h"

using namespace mlir;
using namespace tile;

/// Whether elements that are adjacent in the array have the same indices.
static bool sharesIndex(IndexedOpInterface op, MemRefType array) {
  auto tile = cast<TileType>(op.getIndexedTile().getType());
  std::optional<int64_t> dim = getContiguousDimension(array, tile.getRank());
  return dim && !op.isIndexed(*dim) &&
         llvm::all_of(op.getIndexOperands(), [&](OpOperand *indices) {
           return getTileShape(indices->get().getType())[*dim] == 1;
         });
}

int64_t tile::getAccessWidth(ArrayAccessOpInterface op, Assume assume) {
  Value array = op.getArray();
  auto indexed = dyn_cast<IndexedOpInterface>(op.getOperation());
  if (op.isPerElement() ||
      (indexed && (op.getMask() ||
                   !sharesIndex(indexed, cast<MemRefType>(array.getType())))))
    return 1;
  auto tile = cast<TileType>(op.getAccessedTile().getType());
  return getVectorWidth(array, op.getOffsets(), tile.getShape(), assume);
}

int64_t tile::narrowToLayout(TileType tile, MemRefType array, int64_t width) {
  std::optional<int64_t> dim = getContiguousDimension(array, tile.getRank());
  if (!dim || !isVectorElement(tile.getElementType()))
    return 1;
  RegisterLayout layout = tile.getRegister().getRegisterLayout();
  while (width > 1 && (layout.getContiguity(*dim) % width != 0 ||
                       tile.getDimSize(*dim) % width != 0))
    width /= 2;
  return std::max<int64_t>(width, 1);
}
