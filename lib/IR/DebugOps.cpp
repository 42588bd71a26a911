// DebugOps.cpp - tile.print, tile.assert
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Verifies that a text contains no null character, at which printing would
/// end.
static LogicalResult verifyText(Operation *op, StringRef what, StringRef text) {
  if (!text.contains('\0'))
    return success();
  return op->emitOpError() << "expected a " << what << " without character 0";
}

LogicalResult PrintOp::verify() {
  // C1
  return verifyText(*this, "text", getText());
}

LogicalResult AssertOp::verify() {
  // C1
  auto tile = dyn_cast<TileType>(getCondition().getType());
  if (tile && !tile.getElementType().isInteger(1))
    return emitOpError() << "expected a condition of i1, got " << tile;
  // C2
  return verifyText(*this, "message", getMessage());
}
