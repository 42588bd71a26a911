// CheckPlaces.cpp - assertions that places inside tiles are inside
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On whole tiles, and on what phase 8 leaves of them: views of buffers.

#include "tile/IR/TileBuilder.h"
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

/// That a box of extents `box`, and of these steps or one, at run-time offsets
/// lies inside `shape`.
static void checkBox(OpBuilder &builder, Location loc,
                     ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> box,
                     ArrayRef<int64_t> shape,
                     std::optional<ArrayRef<int64_t>> steps = std::nullopt) {
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, Value offset,
                     int64_t bound) {
    Value limit = arith::ConstantIndexOp::create(builder, loc, bound);
    Value holds =
        builder.createOrFold<arith::CmpIOp>(loc, predicate, offset, limit);
    inside = inside ? builder.createOrFold<arith::AndIOp>(loc, inside, holds)
                    : holds;
  };
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    auto value = dyn_cast<Value>(offset);
    if (!value || getConstantIntValue(offset))
      continue; // verified
    int64_t way = (box[dim] - 1) * (steps ? (*steps)[dim] : 1);
    int64_t last = shape[dim] - 1;
    require(arith::CmpIPredicate::sge, value, std::max<int64_t>(-way, 0));
    require(arith::CmpIPredicate::sle, value, last - std::max<int64_t>(way, 0));
  }
  if (!inside)
    return;
  std::string how = steps ? " in steps of " + describeShape(*steps) : "";
  assertHolds(builder, loc, inside,
              "expected offsets of a box of " + describeShape(box) + how +
                  " in a tile of " + describeShape(shape));
}

/// A box has extent one along the dimensions that the view lacks.
static void checkView(OpBuilder &builder, ViewOp op) {
  ArrayRef<int64_t> source = getTileShape(op.getSource().getType());
  ArrayRef<int64_t> result = getTileShape(op.getType());
  SmallVector<int64_t> box(source.size() - result.size(), 1);
  llvm::append_range(box, result);
  checkBox(builder, op.getLoc(), getAsOpFoldResult(op.getOffsets()), box,
           source, op.getSteps());
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
  if (auto view = dyn_cast<ViewOp>(op))
    checkView(builder, view);
  else if (auto extract = dyn_cast<ExtractOp>(op))
    checkBox(builder, loc, getAsOpFoldResult(extract.getIndices()),
             SmallVector<int64_t>(extract.getIndices().size(), 1),
             shapeOf(extract.getSource()));
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
