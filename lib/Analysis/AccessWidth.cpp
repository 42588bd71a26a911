// AccessWidth.cpp - how many elements one access of an array takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/AccessWidth.h"

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
