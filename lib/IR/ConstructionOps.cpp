// ConstructionOps.cpp - tile.fill, tile.iota
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

OpFoldResult FillOp::fold(FoldAdaptor adaptor) {
  // A constant is printed as dense<...>; complex ones are left alone, upstream
  // constants of custom shaped types refuse them.
  if (Attribute value = adaptor.getValue())
    if (isa<IntegerAttr, FloatAttr>(value))
      return DenseElementsAttr::get(cast<ShapedType>(getType()), value);
  return {};
}

LogicalResult IotaOp::verify() {
  TileType type = getType();
  // C1
  if (getAxis() >= static_cast<uint64_t>(type.getRank()))
    return emitOpError() << "expected an axis below the rank " << type.getRank()
                         << ", got " << static_cast<int64_t>(getAxis());
  // C2
  Type element = type.getElementType();
  if (!element.isIndex() &&
      !(element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 16) &&
      !element.isInteger(8))
    return emitOpError() << "expected an element type of integers, index, or "
                            "floating point of 16 bits and more, got "
                         << element;
  return success();
}
