// CopySource.cpp - addresses of the elements of array accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopySource.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/BufferView.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Layout/BankConflicts.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

/// Returns the constant part of the distance, in elements, from the array's
/// base to the box.
static int64_t getFirst(MemRefType array, ValueRange offsets) {
  auto [strides, first] = array.getStridesAndOffset();
  if (ShapedType::isDynamic(first))
    first = 0;
  for (auto [offset, stride] : llvm::zip_equal(offsets, strides))
    if (std::optional<int64_t> at = getConstantIntValue(offset);
        at && !ShapedType::isDynamic(stride))
      first += *at * stride;
  return first;
}

/// Returns the array's strides along the box's dimensions, in bytes. A stride
/// known only at run time is assumed to be at least the span of the dimensions
/// after it, in whole lines.
static SmallVector<int64_t> getStrides(MemRefType array,
                                       ArrayRef<int64_t> shape) {
  int64_t bytes = getElementBytes(array.getElementType()), span = bytes;
  auto all = array.getStridesAndOffset().first;
  SmallVector<int64_t> strides(ArrayRef(all).take_back(shape.size()));
  for (auto [stride, extent] : llvm::zip_equal(strides, shape)) {
    if (ShapedType::isDynamic(stride))
      continue;
    stride *= bytes;
    span += std::abs(stride) * (extent - 1);
  }
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (!ShapedType::isDynamic(strides[dim]))
      continue;
    strides[dim] = llvm::alignTo(span, kLineBytes);
    span = strides[dim] * shape[dim];
  }
  return strides;
}

CopySource tile::getBoxSource(MemRefType array, ValueRange offsets,
                              ArrayRef<int64_t> shape) {
  return {getFirst(array, offsets) * getElementBytes(array.getElementType()),
          getStrides(array, shape), SmallVector<int64_t>(shape)};
}

CopySource tile::getCopySource(tile_gpu::CopyAsyncOp op) {
  return getBoxSource(cast<MemRefType>(op.getSource().getType()),
                      op.getOffsets(), getTileShape(op.getDest().getType()));
}

CopySource tile::getEndsSource(tile_gpu::CopyAsyncOp op) {
  CopySource source = getCopySource(op);
  int64_t dim = getBufferBox(op.getDest())->contiguous;
  source.first += source.extents[dim] * source.strides[dim];
  source.extents[dim] = getAccess(op).getVector();
  source.isEnds = true;
  return source;
}
