// BoundsAssertions.cpp - assertions that boxes are inside tiles and arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/BoundsAssertions.h"
#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

/// Returns a shape as text, for example "8x64".
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

void tile::assertBoxInside(OpBuilder &builder, Location loc,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<int64_t> box, ArrayRef<int64_t> shape,
                           std::optional<ArrayRef<int64_t>> steps) {
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

/// Returns the extents of the box that a view selects of its source. They are
/// one along the dimensions that the view lacks.
static SmallVector<int64_t> getBox(ViewOp view) {
  ArrayRef<int64_t> result = getTileShape(view.getType());
  int64_t rank = getTileShape(view.getSource().getType()).size();
  SmallVector<int64_t> box(rank - result.size(), 1);
  llvm::append_range(box, result);
  return box;
}

static SmallVector<int64_t> getBox(ExtractOp extract) {
  return SmallVector<int64_t>(extract.getIndices().size(), 1);
}

void ViewOp::assertInside(OpBuilder &builder) {
  assertBoxInside(builder, getLoc(), getAsOpFoldResult(getOffsets()),
                  ::getBox(*this), getTileShape(getSource().getType()),
                  getSteps());
}

void ExtractOp::assertInside(OpBuilder &builder) {
  assertBoxInside(builder, getLoc(), getAsOpFoldResult(getIndices()),
                  getBox(*this), getTileShape(getSource().getType()));
}

void InsertOp::assertInside(OpBuilder &builder) {
  assertBoxInside(builder, getLoc(), getAsOpFoldResult(getOffsets()), getBox(),
                  getTileShape(getDest().getType()));
}

void TakeOp::assertInside(OpBuilder &builder) {
  int64_t extent = getTileShape(getSource().getType())[getAxis()];
  TileType type = getIndices().getType();
  Type element = type.getElementType();
  TileBuilder tiles(builder, getLoc(), type.getShape(), type.getStorage());
  Value inside = tiles.create<arith::CmpIOp>(
      arith::CmpIPredicate::sge, getIndices(), tiles.constant(element, 0));
  bool mayExceed = element.isIndex() ||
                   llvm::isIntN(element.getIntOrFloatBitWidth(), extent - 1);
  if (mayExceed) {
    Value isBelow =
        tiles.create<arith::CmpIOp>(arith::CmpIPredicate::sle, getIndices(),
                                    tiles.constant(element, extent - 1));
    inside = tiles.create<arith::AndIOp>(inside, isBelow);
  }
  assertHolds(builder, getLoc(), inside,
              "expected indices from 0 to " + Twine(extent - 1) +
                  " along axis " + Twine(getAxis()));
}

//===----------------------------------------------------------------------===//
// Offsets that folding drops
//===----------------------------------------------------------------------===//

/// Asserts that the box is inside along the dimensions in which it fills the
/// tile; other dimensions are not checked.
static void
assertFilled(Operation *op, ValueRange offsets, ArrayRef<int64_t> box,
             ArrayRef<int64_t> shape,
             std::optional<ArrayRef<int64_t>> steps = std::nullopt) {
  OpBuilder builder(op);
  SmallVector<OpFoldResult> checked = getAsOpFoldResult(offsets);
  for (auto [offset, extent, whole] : llvm::zip_equal(checked, box, shape))
    if (extent != whole)
      offset = builder.getIndexAttr(0); // left to -tile-check-bounds
  assertBoxInside(builder, op->getLoc(), checked, box, shape, steps);
}

void tile::assertFilledBounds(Operation *root) {
  SmallVector<Operation *> operations;
  root->walk([&](BoundsOpInterface op) { operations.push_back(op); });
  for (Operation *operation : operations)
    llvm::TypeSwitch<Operation *>(operation)
        .Case([](ViewOp op) {
          assertFilled(op, op.getOffsets(), getBox(op),
                       getTileShape(op.getSource().getType()), op.getSteps());
        })
        .Case([](ExtractOp op) {
          assertFilled(op, op.getIndices(), getBox(op),
                       getTileShape(op.getSource().getType()));
        })
        .Case([](InsertOp op) {
          assertFilled(op, op.getOffsets(), op.getBox(),
                       getTileShape(op.getDest().getType()));
        });
}
