// CopyOps.cpp - asynchronous copies
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Verify.h"

#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

/// Estimates the instructions: accesses of four elements or more, and their
/// addresses.
int64_t CopyAsyncOp::getInstructions(int64_t, int64_t numThreads) {
  MemRefType dest = getDest().getType();
  int64_t elements = dest.hasStaticShape() ? dest.getNumElements() : 1;
  return llvm::divideCeil(elements, 4 * numThreads) * 4;
}

LogicalResult CopyAsyncOp::verify() {
  // C3
  if (getEnds() && !getCovering())
    return emitOpError()
           << "expected 'covering' with a buffer for the ends of rows";
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}

LogicalResult AlignRowsOp::verify() {
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}
