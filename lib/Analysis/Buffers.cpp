// Buffers.cpp - which buffer, and which of its bytes, an operation touches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Buffers.h"

#include "tile/Analysis/SharedAccess.h"

using namespace mlir;
using namespace tile;

Value tile::getViewed(Value memref) {
  if (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    return view.getViewSource();
  if (auto transpose = memref.getDefiningOp<memref::TransposeOp>())
    return transpose.getIn();
  return Value();
}

Value tile::getMemoryRoot(Value memref) {
  while (Value viewed = getViewed(memref))
    memref = viewed;
  return memref;
}

memref::AllocOp tile::getAllocation(Value buffer) {
  return getMemoryRoot(buffer).getDefiningOp<memref::AllocOp>();
}

static SharedAttr getShared(memref::AllocOp allocation) {
  return cast<SharedAttr>(allocation.getType().getMemorySpace());
}

bool tile::hasStages(memref::AllocOp allocation) {
  int64_t rank = getShared(allocation).getBox().size();
  return allocation.getType().getRank() > rank;
}

int64_t tile::getNumStages(memref::AllocOp allocation) {
  return hasStages(allocation) ? allocation.getType().getDimSize(0) : 1;
}

int64_t tile::getStageBytes(memref::AllocOp allocation) {
  return getBufferBytes(getShared(allocation),
                        getElementBytes(allocation.getType().getElementType()));
}

int64_t tile::getAllocationBytes(memref::AllocOp allocation) {
  return getNumStages(allocation) * getStageBytes(allocation);
}

bool tile::isExchangeBuffer(memref::AllocOp allocation) {
  constexpr int64_t kMostBytes = 256;
  return getAllocationBytes(allocation) <= kMostBytes;
}
