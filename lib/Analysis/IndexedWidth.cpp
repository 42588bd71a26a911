// IndexedWidth.cpp - how many elements one indexed access takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/IndexedWidth.h"

using namespace mlir;
using namespace tile;

/// The width of an access to a tile of `shape` in an array.
template <typename Op>
static int64_t getWidth(Op op, Value array, ArrayRef<int64_t> shape,
                        Assume assume) {
  std::optional<int64_t> dim =
      getContiguousDimension(cast<MemRefType>(array.getType()), shape.size());
  bool sharesIndex = dim && *dim != static_cast<int64_t>(op.getAxis()) &&
                     op.getIndices().getType().getDimSize(*dim) == 1;
  if (!sharesIndex || op.getMask())
    return 1;
  return getVectorWidth(array, op.getOffsets(), shape, assume);
}

int64_t tile::getIndexedWidth(GatherOp op, Assume assume) {
  return getWidth(op, op.getSource(), op.getType().getShape(), assume);
}

int64_t tile::getIndexedWidth(ScatterOp op, Assume assume) {
  if (op.getKind())
    return 1;
  return getWidth(op, op.getDest(), op.getValue().getType().getShape(), assume);
}
