// ThreadLayouts.cpp - layouts of the tiles of tile.per_thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"

using namespace mlir;
using namespace tile;

/// Returns the layout in which each thread holds one index of the first
/// dimension, in order, and all elements of the other dimensions at that index;
/// idle threads hold padding.
static RegisterLayout getThreadLayout(ArrayRef<int64_t> shape,
                                      int64_t numWarps) {
  std::vector<int64_t> box(shape.begin(), shape.end());
  box.front() = numWarps * kWarpSize;
  RegisterLayout::Modes values;
  for (int64_t dim = shape.size(); dim-- > 1;)
    values.push_back({shape[dim], dim, 1});
  return RegisterLayout::fromModes({{kWarpSize, 0, 1}},
                                   {{numWarps, 0, kWarpSize}}, values, box);
}

std::optional<RegisterLayout> PerThreadOp::getRequiredLayout(Value tile,
                                                             int64_t numWarps) {
  return getThreadLayout(getTileShape(tile.getType()), numWarps);
}
