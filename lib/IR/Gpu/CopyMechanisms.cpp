// CopyMechanisms.cpp - mechanisms of copies to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

//===----------------------------------------------------------------------===//
// Covered rows
//===----------------------------------------------------------------------===//

bool CoverRowsAttr::coversRows() const { return true; }
bool CoverRowsAttr::isFinishedByThreads() const { return true; }
bool CoverRowsAttr::hasExtraBuffer() const { return true; }

/// Returns the type of the buffer for the last chunks of rows: one chunk for
/// each row.
MemRefType CoverRowsAttr::getExtraBuffer(TileType tile) const {
  int64_t contiguous = getContiguousDimension(tile.getShared());
  Type element = tile.getElementType();
  SmallVector<int64_t> shape(tile.getShape());
  shape[contiguous] = kMaxAccessBytes / getElementBytes(element);
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(),
                         getRowsInShared(getContext(), shape, contiguous));
}

void CoverRowsAttr::finish(OpBuilder &builder, CopyableOpInterface load,
                           ValueRange offsets, Value dest, Value extra) const {
  AlignRowsOp::create(builder, load.getLoc(), dest, extra, load.getArray(),
                      offsets, /*condition=*/Value());
}

//===----------------------------------------------------------------------===//
// By way of registers
//===----------------------------------------------------------------------===//

Arrival ThroughRegistersAttr::getArrival() const { return Arrival::kStores; }
bool ThroughRegistersAttr::isFinishedByThreads() const { return true; }
