// RowDistributions.cpp - distribution of sorted or scanned rows over threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "SortLayout.h"

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

static Holder getHolderOfRows(const RegisterLayout &layout, int64_t axis) {
  return layout.getExtent(RegisterLayout::kWarp, axis) > 1
             ? Holder::block
             : getHolder(layout.getExtent(RegisterLayout::kLane, axis));
}

static int64_t countHolders(Holder holder, int64_t numWarps) {
  switch (holder) {
  case Holder::thread:
    return numWarps * kWarpSize;
  case Holder::half_warp:
    return numWarps * 2;
  case Holder::warp:
    return numWarps;
  case Holder::block:
    return 1;
  }
  llvm_unreachable("all holders are listed");
}

/// Describes the distribution of rows along an axis of a tile of this shape.
static WorkDistribution describe(MLIRContext *context, ArrayRef<int64_t> shape,
                                 const RegisterLayout &layout, int64_t axis) {
  Holder holder = getHolderOfRows(layout, axis);
  int64_t rows = llvm::product_of(shape) / shape[axis];
  return {holder,
          static_cast<int64_t>(llvm::divideCeil(
              rows, countHolders(holder, layout.getNumWarps()))),
          getRowCost(layout, axis), RegisterAttr::get(context, layout)};
}

/// Returns the shape of the keys, with the length of rows rounded up to a power
/// of two, as for the network.
static SmallVector<int64_t> getSortedShape(SortOp op) {
  SmallVector<int64_t> shape(getTileShape(op.getSources().front().getType()));
  shape[op.getAxis()] = llvm::PowerOf2Ceil(shape[op.getAxis()]);
  return shape;
}

namespace {
struct SortDistributions
    : CooperativeOpInterface::ExternalModel<SortDistributions, SortOp> {
  /// Limits the number of elements of a thread, since the code of the network
  /// grows with it.
  WarpDemand getWarpDemand(Operation *op,
                           const DistributionContext &context) const {
    WarpDemand demand;
    demand.elements = llvm::product_of(getSortedShape(cast<SortOp>(op)));
    demand.most = context.maxWarps;
    return demand;
  }

  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    int64_t axis = cast<SortOp>(op).getAxis();
    SmallVector<int64_t> shape = getSortedShape(cast<SortOp>(op));
    return llvm::map_to_vector(listSortLayouts(shape, axis, context.numWarps),
                               [&](const RegisterLayout &layout) {
                                 return describe(op->getContext(), shape,
                                                 layout, axis);
                               });
  }
};

/// Distributions of scans whose elements are not in order within their threads;
/// other scans are computed in the layout that their elements already have.
struct ScanDistributions
    : CooperativeOpInterface::ExternalModel<ScanDistributions, ScanOp> {
  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    auto scan = cast<ScanOp>(op);
    SmallVector<int64_t> shape(
        getTileShape(scan.getSources().front().getType()));
    if (!scan.getAxis())
      shape = {llvm::product_of(shape)};
    int64_t axis = scan.getAxis().value_or(0);
    return SmallVector<WorkDistribution>{
        describe(op->getContext(), shape,
                 RegisterLayout::ordered({shape.begin(), shape.end()}, axis,
                                         context.numWarps),
                 axis)};
  }
};
} // namespace

void tile::addRowDistributions(MLIRContext &context) {
  SortOp::attachInterface<SortDistributions>(context);
  ScanOp::attachInterface<ScanDistributions>(context);
}
