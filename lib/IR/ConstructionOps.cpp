// ConstructionOps.cpp - tile.fill, tile.iota, tile.random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

OpFoldResult FillOp::fold(FoldAdaptor adaptor) {
  // A constant is printed as dense<...>; complex values are not folded:
  // upstream constants of custom shaped types refuse them.
  if (Attribute value = adaptor.getValue())
    if (isa<IntegerAttr, FloatAttr>(value))
      return DenseElementsAttr::get(cast<ShapedType>(getType()), value);
  return {};
}

LogicalResult IotaOp::verify() {
  TileType type = getType();
  // C1
  if (failed(verifyAxis(*this, getAxis(), type.getRank())))
    return failure();
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

LogicalResult RandomOp::verify() {
  // C1
  Type element = getType().getElementType();
  bool isBits = getDistribution() == Distribution::bits;
  bool isMeant =
      isBits ? isa<IntegerType>(element) && !element.isInteger(1)
             : isa<FloatType>(element) && element.getIntOrFloatBitWidth() >= 16;
  if (isMeant)
    return success();
  return emitOpError() << "expected an element type of "
                       << (isBits ? "i8, i16, i32 or i64"
                                  : "f16, bf16, f32 or f64")
                       << " for '" << stringifyDistribution(getDistribution())
                       << "', got " << element;
}
