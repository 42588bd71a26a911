// CheckPlaces.cpp - assertions that places inside tiles are inside
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On whole tiles, and on what phase 8 leaves of them: views of buffers.

#include "TileBuilder.h"

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "tile-check-places"

namespace tile {
#define GEN_PASS_DEF_CHECKPLACES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// "8x64".
static std::string describeShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(shape, stream, "x");
  return text;
}

static void assertHolds(OpBuilder &builder, Location loc, Value condition,
                        const Twine &message) {
  AssertOp::create(builder, loc, condition, message.str());
}

/// That a box of extents `box` at run-time offsets lies inside `shape`.
static void checkBox(OpBuilder &builder, Location loc,
                     ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> box,
                     ArrayRef<int64_t> shape) {
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, Value offset,
                     int64_t bound) {
    Value limit = arith::ConstantIndexOp::create(builder, loc, bound);
    Value holds =
        builder.createOrFold<arith::CmpIOp>(loc, predicate, offset, limit);
    inside = inside ? builder.createOrFold<arith::AndIOp>(loc, inside, holds)
                    : holds;
  };
  for (auto [offset, extent, whole] : llvm::zip_equal(offsets, box, shape)) {
    auto value = dyn_cast<Value>(offset);
    if (!value || getConstantIntValue(offset))
      continue; // verified
    require(arith::CmpIPredicate::sge, value, 0);
    require(arith::CmpIPredicate::sle, value, whole - extent);
  }
  if (inside)
    assertHolds(builder, loc, inside,
                "expected offsets of a box of " + describeShape(box) +
                    " in a tile of " + describeShape(shape));
}

/// That the indices of a take are below `extent`.
static void checkIndices(OpBuilder &builder, TakeOp op, int64_t extent) {
  TileType type = op.getIndices().getType();
  Type element = type.getElementType();
  TileBuilder tiles(builder, op.getLoc(), type.getShape(), type.getStorage());
  Value inside = tiles.create<arith::CmpIOp>(
      arith::CmpIPredicate::sge, op.getIndices(), tiles.constant(element, 0));
  bool mayExceed = element.isIndex() ||
                   llvm::isIntN(element.getIntOrFloatBitWidth(), extent - 1);
  if (mayExceed) {
    Value isBelow =
        tiles.create<arith::CmpIOp>(arith::CmpIPredicate::sle, op.getIndices(),
                                    tiles.constant(element, extent - 1));
    inside = tiles.create<arith::AndIOp>(inside, isBelow);
  }
  assertHolds(builder, op.getLoc(), inside,
              "expected indices from 0 to " + Twine(extent - 1) +
                  " along axis " + Twine(op.getAxis()));
}

static void check(OpBuilder &builder, Operation *op) {
  auto shapeOf = [](Value tile) { return getTileShape(tile.getType()); };
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto view = dyn_cast<ViewOp>(op);
      view && !view.getSteps() &&
      view.getType().getRank() == view.getSource().getType().getRank())
    checkBox(builder, loc, getAsOpFoldResult(view.getOffsets()),
             shapeOf(view.getResult()), shapeOf(view.getSource()));
  else if (auto insert = dyn_cast<InsertOp>(op))
    checkBox(builder, loc, getAsOpFoldResult(insert.getOffsets()),
             shapeOf(insert.getPart()), shapeOf(insert.getDest()));
  else if (auto subview = dyn_cast<memref::SubViewOp>(op);
           subview && isSharedBuffer(subview.getSourceType()))
    checkBox(builder, loc, subview.getMixedOffsets(), subview.getStaticSizes(),
             subview.getSourceType().getShape());
  else if (auto take = dyn_cast<TakeOp>(op))
    checkIndices(builder, take, shapeOf(take.getSource())[take.getAxis()]);
}

namespace {
struct CheckPlaces : tile::impl::CheckPlacesBase<CheckPlaces> {
  using CheckPlacesBase::CheckPlacesBase;

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    OpBuilder builder(&getContext());
    for (Operation *op : operations)
      check(builder, op);
  }
};
} // namespace
