// BlockCapacity.cpp - tiles that no block can hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockCapacity.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace tile;

LogicalResult tile::verifyFitsBlock(Operation *op, TileType tile,
                                    const Architecture &architecture) {
  int64_t blockBytes = architecture.registersPerBlock * 4;
  int64_t bytes = getElementBytes(tile.getElementType());
  for (int64_t extent : tile.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      bytes = std::numeric_limits<int64_t>::max();
  if (bytes <= blockBytes)
    return success();
  return op->emitError("expected a tile of at most ")
         << blockBytes << " bytes (a block's registers), got " << bytes
         << " of " << tile;
}
