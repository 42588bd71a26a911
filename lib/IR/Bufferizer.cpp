// Bufferizer.cpp - creation and lookup of the buffers of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Bufferizer.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

void Bufferizer::setBuffer(Operation *op, Value buffer) {
  buffers.map(op->getResult(0), buffer);
  drop(op);
}

void Bufferizer::replace(Operation *op, Value tile) {
  op->getResult(0).replaceAllUsesWith(tile);
  drop(op);
}

Value Bufferizer::createBuffer(Location loc, TileType type) {
  auto buffer = MemRefType::get(type.getShape(), type.getElementType(),
                                MemRefLayoutAttrInterface(), type.getShared());
  return memref::AllocOp::create(builder, loc, buffer);
}

Value Bufferizer::createView(Location loc, Value buffer, ValueRange offsets,
                             ArrayRef<int64_t> shape) {
  SmallVector<OpFoldResult> begins(offsets.begin(), offsets.end()), sizes;
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffer, begins, sizes,
                                   strides);
}

void Bufferizer::store(Location loc, Value tile, Value buffer, bool padding) {
  tile_gpu::StoreSharedOp::create(builder, loc, tile, buffer, padding);
}

/// Whether the buffer's box is larger than the tile.
static bool hasPadding(TileType type) {
  return type.getShared().getBox() != SmallVector<int64_t>(type.getShape());
}

Value Bufferizer::storeToNew(Location loc, Value tile, TileType to) {
  Value buffer = createBuffer(loc, to);
  store(loc, tile, buffer, hasPadding(to));
  return buffer;
}

Value Bufferizer::loadRows(Location loc, Value buffer, ArrayRef<int64_t> box) {
  auto type = cast<MemRefType>(buffer.getType());
  auto layout = RegisterLayout::blocked(
      {box.begin(), box.end()}, 1,
      getParticipants(builder.getInsertionBlock()->getParentOp()).numWarps);
  auto registers = RegisterAttr::get(builder.getContext(), layout);
  return tile_gpu::LoadSharedOp::create(
      builder, loc,
      TileType::get(builder.getContext(), type.getShape(),
                    type.getElementType(), registers),
      buffer);
}

Value Bufferizer::copyBuffer(Location loc, Value source, TileType to) {
  return storeToNew(loc, loadRows(loc, source, to.getShared().getBox()), to);
}

/// Whether an operation may change its tile's buffer: nothing else reads the
/// tile, the buffer is filled anew each time that the operation runs (a tile
/// from before a loop is read again in the next iteration), and the tile owns
/// the buffer (an alias has the buffer of another tile).
static bool canChangeInPlace(Operation *op, Value dest) {
  auto definition = dest.getDefiningOp<StorageOpInterface>();
  return dest.hasOneUse() && definition &&
         definition.getResultPlacement() != Placement::alias &&
         definition->getBlock() == op->getBlock();
}

Value Bufferizer::getToChange(Operation *op, Value dest) {
  Value buffer = lookup(dest);
  if (canChangeInPlace(op, dest))
    return buffer;
  return copyBuffer(op->getLoc(), buffer,
                    cast<TileType>(op->getResult(0).getType()));
}

Value Bufferizer::getInRegisters(Location loc, Value tile) {
  if (auto convert = tile.getDefiningOp<ConvertLayoutOp>())
    tile = convert.getSource();
  if (Value buffer = lookup(tile))
    return loadRows(loc, buffer, getTileShape(tile.getType()));
  return tile;
}
