// BufferOps.cpp - tiles that buffers hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Verify.h"

#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/RowPitch.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

Placement FromBufferOp::getResultPlacement() { return Placement::alias; }

void FromBufferOp::bufferize(Bufferizer &bufferizer) {
  bufferizer.setBuffer(*this, getSource());
}

LogicalResult FromBufferOp::verify() {
  if (failed(verifySameTile(*this, getSource().getType(), getType())))
    return failure();
  if (!getType().getShared())
    return emitOpError() << "expected a tile in shared memory, got "
                         << getType();
  return success();
}

std::optional<int64_t> tile::getRowPitch(MemRefType buffer,
                                         ArrayRef<int64_t> shape) {
  auto shared = cast<SharedAttr>(buffer.getMemorySpace());
  if (!buffer.getLayout().isIdentity() || shared.getSwizzle() ||
      shared.getBox() != SmallVector<int64_t>(buffer.getShape()))
    return std::nullopt;
  const Layout &layout = shared.getLayout().getValue();
  int64_t length = shape.empty() ? 1 : shape.back();
  int64_t gaps = llvm::product_of(shape) / length - 1;
  int64_t pitch = gaps == 0 ? length : (layout.cosize() - length) / gaps;
  bool isExact = gaps * pitch + length == layout.cosize();
  if (!layout.isInjective() || pitch < length || !isExact)
    return std::nullopt;
  return pitch;
}

LogicalResult StoreSharedOp::verify() {
  auto from = cast<ShapedType>(Type(getValue().getType()));
  auto to = cast<ShapedType>(getDest().getType());
  if (from.getElementType() != to.getElementType() ||
      from.getNumElements() != to.getNumElements())
    return emitOpError() << "expected a buffer of " << from.getNumElements()
                         << " elements of " << from.getElementType() << ", got "
                         << to.getNumElements() << " of "
                         << to.getElementType();
  // C2
  if (from.getShape() != to.getShape() &&
      (getZeroPadding() ||
       !getRowPitch(cast<MemRefType>(getDest().getType()), from.getShape())))
    return emitOpError() << "expected a buffer without padding and gaps but "
                            "between rows for a tile of another shape, got "
                         << to << " for shape [" << from.getShape() << "]";
  return verifyInRegisters(*this, getValue().getType());
}

LogicalResult LoadSharedOp::verify() {
  if (failed(verifySameTile(*this, getSource().getType(), getType())))
    return failure();
  return verifyInRegisters(*this, getType());
}

LogicalResult PutSharedOp::verify() {
  if (failed(verifyPut(*this)))
    return failure();
  // C6
  for (Type type : (*this)->getOperandTypes())
    if (auto tile = dyn_cast<TileType>(type))
      if (failed(verifyInRegisters(*this, tile)))
        return failure();
  return success();
}
