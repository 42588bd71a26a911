// ThreadLayouts.cpp - where threads have their elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// One element of the first dimension a thread, in order, with all that is
/// behind it.
static RegisterLayout getThreadLayout(ArrayRef<int64_t> shape,
                                      int64_t numWarps) {
  RegisterLayout::Modes values;
  for (int64_t dim = shape.size(); dim-- > 1;)
    values.push_back({shape[dim], dim, 1});
  return RegisterLayout::fromModes({{kWarpSize, 0, 1}},
                                   {{numWarps, 0, kWarpSize}}, values,
                                   {shape.begin(), shape.end()});
}

std::optional<RegisterLayout> PerThreadOp::getRequiredLayout(Value tile,
                                                             int64_t numWarps) {
  return getThreadLayout(getTileShape(tile.getType()), numWarps);
}

/// Brings what a thread has and yields to the thread.
void PerThreadOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t numWarps) {
  OpBuilder builder(*this);
  for (OpOperand &input : getOperation()->getOpOperands())
    input.set(convertTo(
        builder, getLoc(), input.get(),
        getThreadLayout(getTileShape(input.get().getType()), numWarps)));
  for (auto [result, type] :
       llvm::zip_equal(getOperation()->getResults(), wanted))
    setResult(result, getThreadLayout(type.getShape(), numWarps), type);
}
