// LargestAccess.cpp - the largest accessed tile, and threads for its elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/LargestAccess.h"

#include "tile/IR/Tile.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tile;

LargestAccess tile::findLargestAccess(Operation *root) {
  LargestAccess largest;
  root->walk([&](ArrayAccessOpInterface access) {
    auto tile = dyn_cast<TileType>(access.getAccessedTile().getType());
    if (!tile || tile.getNumElements() < largest.elements)
      return;
    int64_t bytes = getElementBytes(tile.getElementType());
    bool isLarger = tile.getNumElements() > largest.elements;
    largest.bytes = isLarger ? bytes : std::min(largest.bytes, bytes);
    largest.elements = tile.getNumElements();
  });
  return largest;
}

int64_t tile::getElementsPerThread(const LargestAccess &largest,
                                   const Costs &costs) {
  return largest.elements == 0
             ? costs.elementsPerThread
             : std::max(costs.elementsPerThread,
                        costs.accessBytesPerThread / largest.bytes);
}

int64_t tile::spreadElements(int64_t elements, int64_t each, int64_t most) {
  int64_t warps = elements / (kWarpSize * each);
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp<int64_t>(warps, 1, most)));
}
