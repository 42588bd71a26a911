// CopyBox.cpp - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyBox.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// The least that cp.async copies (PTX ISA, "cp.async": cp-size).
static constexpr int64_t kMinAsyncBytes = 4;

CopyBox::CopyBox(CopyAsyncOp op,
                 CopyAsyncOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                 const LoweringContext &lowering,
                 ConversionPatternRewriter &rewriter)
    : op(op), index(rewriter, op.getLoc()),
      address(index, rewriter, op.getDest()),
      array(adaptor.getSource().front()),
      nonNegative(lowering.nonNegative.lookup(op)),
      leading(static_cast<int64_t>(op.getOffsets().size()) - getRank()),
      plan(makePlan(lowering.vectorWidth.lookup(op))) {
  for (ValueRange offset : adaptor.getOffsets())
    offsets.push_back(offset.front());
  if (op.getCondition())
    condition = adaptor.getCondition().front();
  for (int64_t dim = 0, rank = offsets.size(); dim < rank; ++dim)
    sizes.push_back(memref::DimOp::create(rewriter, op.getLoc(), array,
                                          index.constant(dim)));
}

ArrayRef<int64_t> CopyBox::getTileShape() {
  return tile::getTileShape(op.getDest().getType());
}

Type CopyBox::getElementType() {
  return cast<ShapedType>(op.getDest().getType()).getElementType();
}

int64_t CopyBox::getExtent(int64_t dim) {
  return dim < leading ? 1 : getTileShape()[dim - leading];
}

bool CopyBox::canBeAsync(const AccessPlan &copy) {
  Type type = getElementType();
  return type.isIntOrFloat() && !type.isInteger(1) &&
         copy.vector * getElementBytes(type) >= kMinAsyncBytes;
}

AccessPlan CopyBox::makePlan(int64_t width) {
  int64_t fastest = address.getFastestDimension();
  std::optional<int64_t> dim =
      getContiguousDimension(cast<MemRefType>(op.getSource().getType()));
  int64_t vector = 1;
  if (dim && *dim == leading + fastest)
    vector = std::min(width, address.getMaxVector());
  AccessPlan copy =
      getCopyPlan(address.getBox(), fastest, vector, getNumWarps(op));
  if (canBeAsync(copy))
    return copy;
  return getCopyPlan(address.getBox(), fastest, 1, getNumWarps(op));
}
