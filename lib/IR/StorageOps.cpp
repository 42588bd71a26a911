// StorageOps.cpp - convert_layout and the traffic with shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

#include "tile/IR/RowPitch.h"

using namespace mlir;
using namespace tile;

/// Verifies (C1) of each operation here: `actual` has the shape and element
/// type of `expected`.
static LogicalResult verifySameTile(Operation *op, Type expected, Type actual) {
  auto from = cast<ShapedType>(expected), to = cast<ShapedType>(actual);
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return op->emitOpError()
           << "expected shape [" << from.getShape() << "] and element type "
           << from.getElementType() << ", got [" << to.getShape() << "] and "
           << to.getElementType();
  return success();
}

LogicalResult tile::verifyInRegisters(Operation *op, TileType tile) {
  RegisterAttr registers = tile.getRegister();
  if (!registers || !registers.isResolved())
    return op->emitOpError()
           << "expected a tile in registers with a layout, got " << tile;
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  return verifySameTile(*this, getSource().getType(), getType());
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  // Only the last conversion of a chain is kept.
  if (auto inner = getSource().getDefiningOp<ConvertLayoutOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  // Constants are made in any registers.
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource());
      splat && !getType().getShared())
    return splat.resizeSplat(getType());
  return {};
}

LogicalResult RoundTF32Op::verify() {
  // C1
  if (getType().getElementType().isF32())
    return success();
  return emitOpError() << "expected elements of f32, got "
                       << getType().getElementType();
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
