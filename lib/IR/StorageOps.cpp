// StorageOps.cpp - changes of storage, layout and precision
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

LogicalResult tile::verifySameTile(Operation *op, Type expected, Type actual) {
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
