// BufferView.cpp - a part of a buffer, and its layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/BufferView.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;

namespace {
/// A dimension of a view: the dimension of the buffer that it corresponds to
/// (-1 for the stages of a circular buffer), and its extent.
struct ViewDimension {
  int64_t dim;
  int64_t extent;
};
} // namespace

static SmallVector<ViewDimension> transpose(memref::TransposeOp op,
                                            ArrayRef<ViewDimension> dims) {
  SmallVector<ViewDimension> result;
  for (AffineExpr expr : op.getPermutation().getResults())
    result.push_back(dims[cast<AffineDimExpr>(expr).getPosition()]);
  return result;
}

/// Returns the dimensions of a subview. If it takes a part of a dimension, the
/// extent is that of the part; otherwise it is the buffer's extent with
/// padding.
static SmallVector<ViewDimension> cut(memref::SubViewOp op,
                                      ArrayRef<ViewDimension> dims) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  ArrayRef<int64_t> of = op.getSourceType().getShape();
  SmallVector<ViewDimension> result;
  for (auto [dim, size] : llvm::enumerate(op.getStaticSizes())) {
    if (dropped.test(dim))
      continue;
    bool isPart = size != of[dim];
    result.push_back({dims[dim].dim, isPart ? size : dims[dim].extent});
  }
  return result;
}

/// Returns the dimensions of a view of a buffer.
static SmallVector<ViewDimension> getDimensions(Value view) {
  if (auto op = view.getDefiningOp<memref::TransposeOp>())
    return transpose(op, getDimensions(op.getIn()));
  if (auto op = view.getDefiningOp<memref::SubViewOp>())
    return cut(op, getDimensions(op.getSource()));
  if (auto op = view.getDefiningOp<memref::CastOp>())
    return getDimensions(op.getSource());
  if (auto op = view.getDefiningOp<tile_gpu::StageOp>())
    return llvm::to_vector(
        ArrayRef(getDimensions(op.getSource())).drop_front());
  auto allocation = view.getDefiningOp<memref::AllocOp>();
  auto shared = cast<SharedAttr>(allocation.getType().getMemorySpace());
  SmallVector<ViewDimension> dims;
  SmallVector<int64_t> box = shared.getBox();
  if (hasStages(allocation))
    dims.push_back({-1, getNumStages(allocation)});
  for (auto [dim, extent] : llvm::enumerate(box))
    dims.push_back({static_cast<int64_t>(dim), extent});
  return dims;
}

/// Returns BufferView::start of `view`. Mode d of `layout` is the layout of
/// dimension d of the viewed buffer.
static std::optional<int64_t> getStart(Value view, const Layout &layout) {
  int64_t start = 0;
  for (; Operation *op = view.getDefiningOp(); view = op->getOperand(0)) {
    if (isa<memref::AllocOp>(op))
      break;
    auto subview = dyn_cast<memref::SubViewOp>(op);
    if (!subview)
      continue;
    for (auto [of, offset] : llvm::zip_equal(getDimensions(subview.getSource()),
                                             subview.getStaticOffsets())) {
      if (of.dim < 0)
        continue;
      if (ShapedType::isDynamic(offset))
        return std::nullopt;
      start += layout.mode(of.dim)(offset);
    }
  }
  return start;
}

std::optional<BufferView> tile::getBufferView(Value view) {
  memref::AllocOp allocation = getAllocation(view);
  if (!allocation)
    return std::nullopt;
  auto shared = cast<SharedAttr>(allocation.getType().getMemorySpace());
  const Layout &layout = shared.getLayout().getValue();
  if (layout.shape().isLeaf())
    return BufferView{allocation, shared, 0};
  std::vector<IntTuple> shape, stride;
  for (ViewDimension dim : getDimensions(view)) {
    if (dim.dim < 0)
      return std::nullopt;
    Layout mode = layout.mode(dim.dim);
    if (dim.extent == mode.size()) {
      shape.push_back(mode.shape());
      stride.push_back(mode.stride());
      continue;
    }
    auto digits = mode.coalescedModes();
    if (digits.size() > 1)
      return std::nullopt;
    shape.push_back(IntTuple(dim.extent));
    stride.push_back(IntTuple(digits.empty() ? 0 : digits.front().second));
  }
  Result<Layout> viewed = Layout::get(IntTuple(shape), IntTuple(stride));
  if (!viewed)
    return std::nullopt;
  MLIRContext *context = allocation.getContext();
  return BufferView{allocation,
                    SharedAttr::get(context, LayoutAttr::get(context, *viewed),
                                    shared.getSwizzle(), shared.getAlignment()),
                    getStart(view, layout)};
}

/// Returns the largest known power of two that divides the offset of a view, at
/// most `vector`.
static int64_t narrowToOffset(int64_t vector, OpFoldResult offset) {
  if (auto value = dyn_cast<Value>(offset))
    return std::min(vector, getKnownDivisor(value));
  int64_t constant = *getConstantIntValue(offset);
  return constant == 0 ? vector : std::min(vector, constant & -constant);
}

/// Returns the getMaxVector of the buffer's layout, narrowed so that the views
/// along its contiguous dimension start at multiples of it.
static int64_t getMaxVector(Value view, memref::AllocOp allocation,
                            SharedAttr shared) {
  int64_t vector = tile::getMaxVector(
      shared, getElementBytes(allocation.getType().getElementType()));
  int64_t contiguous = getContiguousDimension(shared);
  for (; view != allocation.getResult();
       view = view.getDefiningOp()->getOperand(0)) {
    auto subview = view.getDefiningOp<memref::SubViewOp>();
    if (!subview)
      continue;
    for (auto [of, offset] : llvm::zip_equal(getDimensions(subview.getSource()),
                                             subview.getMixedOffsets()))
      if (of.dim == contiguous)
        vector = narrowToOffset(vector, offset);
  }
  return vector;
}

/// Whether only stages, subviews, transposes and casts lead from the allocation
/// to the value.
static bool isView(Value view, memref::AllocOp allocation) {
  for (; view != allocation.getResult();
       view = view.getDefiningOp()->getOperand(0))
    if (!isa<memref::SubViewOp, memref::TransposeOp, memref::CastOp,
             tile_gpu::StageOp>(view.getDefiningOp()))
      return false;
  return true;
}

std::optional<BufferBox> tile::getBufferBox(Value view) {
  memref::AllocOp allocation = getAllocation(view);
  if (!allocation || !isSharedBuffer(allocation.getType()) ||
      !isView(view, allocation))
    return std::nullopt;
  auto shared = cast<SharedAttr>(allocation.getType().getMemorySpace());
  BufferBox box{{}, 0, ::getMaxVector(view, allocation, shared)};
  for (auto [dim, of] : llvm::enumerate(getDimensions(view))) {
    if (of.dim < 0)
      return std::nullopt;
    if (of.dim == getContiguousDimension(shared))
      box.contiguous = dim;
    box.extents.push_back(of.extent);
  }
  return box;
}
