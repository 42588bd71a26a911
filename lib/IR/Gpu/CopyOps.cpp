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
  if (getCopyMechanism().getArrival() != Arrival::kGroup)
    return emitOpError(
               "expected a mechanism whose copies arrive as a group, got ")
           << getCopyMechanism();
  if (getExtra() && !getCopyMechanism().hasExtraBuffer())
    return emitOpError("expected a mechanism with a further buffer, got ")
           << getCopyMechanism() << " and a buffer of type "
           << getExtra().getType();
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}

LogicalResult AlignRowsOp::verify() {
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}
