// CheckBounds.cpp - assertions that positions inside tiles are in bounds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass asserts run-time positions in tiles and, after phase 8, the offsets
// of views of buffers. It also asserts that accesses which the program assumes
// to be inside an array (`in_bounds`) are inside.

#include "tile/IR/BoundsAssertions.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {
#define GEN_PASS_DEF_CHECKBOUNDS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static void check(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  if (auto bounds = dyn_cast<BoundsOpInterface>(op))
    bounds.assertInside(builder);
  else if (isa<tile_gpu::CopyAsyncOp, ArrayAccessOpInterface>(op))
    assertInsideArray(builder, op);
  else if (auto subview = dyn_cast<memref::SubViewOp>(op);
           subview && isSharedBuffer(subview.getSourceType()))
    assertBoxInside(builder, op->getLoc(), subview.getMixedOffsets(),
                    subview.getStaticSizes(),
                    subview.getSourceType().getShape());
}

namespace {
struct CheckBounds : tile::impl::CheckBoundsBase<CheckBounds> {
  using CheckBoundsBase::CheckBoundsBase;

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    OpBuilder builder(&getContext());
    for (Operation *op : operations)
      check(builder, op);
  }
};
} // namespace
