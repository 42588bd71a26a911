// SortLayout.cpp - layouts of the rows of a sorting network
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SortLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tile;

using Modes = RegisterLayout::Modes;

/// Whether the bit of `distance` in positions along `axis` belongs to one of
/// these modes.
static bool hasBit(const Modes &modes, int64_t axis, int64_t distance) {
  return llvm::any_of(modes, [&](const RegisterMode &mode) {
    return mode.dim == axis && mode.step <= distance &&
           distance < mode.step * mode.extent;
  });
}

bool tile::isWithinWarps(const RegisterLayout &layout, int64_t axis,
                         int64_t distance) {
  return !hasBit(layout.getModes(RegisterLayout::kWarp), axis, distance);
}

bool tile::isWithinThreads(const RegisterLayout &layout, int64_t axis,
                           int64_t distance) {
  return hasBit(layout.getModes(RegisterLayout::kValue), axis, distance);
}

/// Returns the layout in which `threads` threads, a power of two, share each
/// row.
static RegisterLayout spreadRows(llvm::ArrayRef<int64_t> shape, int64_t axis,
                                 int64_t threads, int64_t numWarps) {
  // The number of warps that hold different elements is a power of two; other
  // warps hold replicas.
  int64_t usedWarps = numWarps & -numWarps;
  std::vector<int64_t> order = {axis};
  for (int64_t dim = shape.size(); dim-- > 0;)
    if (dim != axis)
      order.push_back(dim);
  RegisterLayout layout = RegisterLayout::blocked(
      shape.vec(), shape[axis] / threads, usedWarps, order);
  Modes warps = layout.getModes(RegisterLayout::kWarp);
  warps.push_back({numWarps / usedWarps, -1, 0});
  return RegisterLayout::fromModes(
      layout.getModes(RegisterLayout::kLane), warps,
      layout.getModes(RegisterLayout::kValue), layout.getBox());
}

/// Threads that share a row hold no other row. A row that is wider than a warp
/// gives each of its threads at least eight elements, which are compared
/// without shared memory.
llvm::SmallVector<RegisterLayout>
tile::listSortLayouts(llvm::ArrayRef<int64_t> shape, int64_t axis,
                      int64_t numWarps) {
  int64_t extent = shape[axis];
  int64_t rows = llvm::product_of(shape) / extent;
  int64_t most = std::min(extent, std::max(kWarpSize, extent / 8));
  int64_t numThreads = (numWarps & -numWarps) * kWarpSize;
  llvm::SmallVector<RegisterLayout> layouts = {
      spreadRows(shape, axis, /*threads=*/1, numWarps)};
  for (int64_t threads = 2; threads <= most && threads * rows <= numThreads;
       threads *= 2)
    layouts.push_back(spreadRows(shape, axis, threads, numWarps));
  return layouts;
}

DistributionCost tile::getRowCost(const RegisterLayout &layout, int64_t axis) {
  int64_t threads = layout.getExtent(RegisterLayout::kLane, axis) *
                    layout.getExtent(RegisterLayout::kWarp, axis);
  DistributionCost cost;
  cost.work = layout.getNumValues();
  cost.traffic = cost.work * llvm::Log2_64_Ceil(threads);
  return cost;
}

RegisterLayout tile::makeSortLayout(llvm::ArrayRef<int64_t> shape, int64_t axis,
                                    int64_t numWarps) {
  llvm::SmallVector<RegisterLayout> layouts =
      listSortLayouts(shape, axis, numWarps);
  return *llvm::min_element(
      layouts, [&](const RegisterLayout &a, const RegisterLayout &b) {
        return getRowCost(a, axis) < getRowCost(b, axis);
      });
}

RegisterLayout tile::getSortLayout(const RegisterLayout &source,
                                   llvm::ArrayRef<int64_t> shape,
                                   int64_t axis) {
  bool servesAlready = source.getBox()[axis] == shape[axis] &&
                       source.getExtent(RegisterLayout::kWarp, axis) == 1;
  return servesAlready ? source
                       : makeSortLayout(shape, axis, source.getNumWarps());
}

RegisterLayout tile::exchangeWarps(const RegisterLayout &layout, int64_t axis) {
  Modes lanes, warps = layout.getModes(RegisterLayout::kWarp);
  int64_t count = layout.getExtent(RegisterLayout::kWarp, axis);
  for (RegisterMode mode : layout.getModes(RegisterLayout::kLane)) {
    if (mode.dim != axis) {
      lanes.push_back(mode);
      continue;
    }
    int64_t kept = mode.extent / count, last = mode.step * kept;
    lanes.push_back({kept, axis, mode.step});
    for (RegisterMode &warp : warps)
      if (warp.dim == axis) {
        lanes.push_back({count, axis, warp.step});
        warp.step = last;
      }
  }
  return RegisterLayout::fromModes(
      lanes, warps, layout.getModes(RegisterLayout::kValue), layout.getBox());
}
