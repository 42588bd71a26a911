// DecomposeStack.cpp - tile.push and tile.pop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack is a tile and the number of its elements. Elements are pushed, or
// popped, where a mask holds. The distance of such an element from the top is
// the number of elements before it for which the mask holds, which an exclusive
// scan computes.

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

namespace {
/// Tiles of one row, with an element for each position of the values.
class Row {
public:
  Row(OpBuilder &builder, Location loc, Value mask)
      : builder(builder), loc(loc),
        shape(cast<TileType>(mask.getType()).getShape()),
        row{cast<TileType>(mask.getType()).getNumElements()},
        tiles(builder, loc, row), i32(builder.getI32Type()),
        mask(flatten(mask)) {
    Value ones = tiles.cast(this->mask, i32);
    before = ScanOp::create(
                 builder, loc, TypeRange{tiles.getType(i32)},
                 ReduceKindAttr::get(builder.getContext(), ReduceKind::add),
                 ValueRange{ones}, /*identities=*/ArrayAttr(),
                 builder.getI64IntegerAttr(0),
                 /*exclusive=*/builder.getUnitAttr(), /*reverse=*/UnitAttr(),
                 /*bodyCount=*/0)
                 .getResult(0);
    Value sum =
        ReduceOp::create(builder, loc, TypeRange{TileType::get({}, i32)},
                         ReduceKind::add, ones, IntegerAttr())
            .getResult(0);
    total = ExtractOp::create(builder, loc, sum, ValueRange());
  }

  Value flatten(Value tile) {
    auto type = cast<TileType>(tile.getType());
    return tiles.create<ReshapeOp>(tiles.getType(type.getElementType()), tile);
  }
  Value restore(Value tile) {
    auto type = cast<TileType>(tile.getType());
    return ReshapeOp::create(builder, loc,
                             TileType::get(shape, type.getElementType()), tile);
  }
  /// Returns `positions` where `chosen` holds, and -1 elsewhere.
  Value choose(Value chosen, Value positions) {
    return tiles.create<SelectOp>(chosen, positions,
                                  tiles.constant(i32, 0xFFFFFFFF));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return tiles.create<arith::CmpIOp>(predicate, a, b);
  }
  Value both(Value a, Value b) { return tiles.create<arith::AndIOp>(a, b); }

  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
  int64_t row[1];
  TileBuilder tiles;
  Type i32;
  Value mask;
  /// Counts of the elements of the mask that hold: those before each element,
  /// and all of them.
  Value before, total;
};
} // namespace

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Replacements tile::decompose(PushOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  TileType stack = op.getStack().getType();
  Row row(builder, loc, op.getMask());
  TileBuilder &tiles = row.tiles;
  Value positions =
      tiles.create<arith::AddIOp>(tiles.fill(op.getCount()), row.before);
  Value capacity = tiles.constant(row.i32, stack.getNumElements());
  Value chosen = row.both(
      row.mask, row.compare(arith::CmpIPredicate::slt, positions, capacity));
  Value result = PutOp::create(builder, loc, stack, row.flatten(op.getValues()),
                               op.getStack(), positions, /*axis=*/0, chosen,
                               /*kind=*/AtomicKindAttr());
  Value count = arith::MinSIOp::create(
      builder, loc,
      arith::AddIOp::create(builder, loc, op.getCount(), row.total),
      createI32(builder, loc, stack.getNumElements()));
  return SmallVector<Value>{result, count,
                            row.restore(row.choose(chosen, positions))};
}

Replacements tile::decompose(PopOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  Row row(builder, loc, op.getMask());
  TileBuilder &tiles = row.tiles;
  Value top = arith::SubIOp::create(builder, loc, op.getCount(),
                                    createI32(builder, loc, 1));
  Value positions = tiles.create<arith::SubIOp>(tiles.fill(top), row.before);
  Value zero = tiles.constant(row.i32, 0);
  Value chosen = row.both(
      row.mask, row.compare(arith::CmpIPredicate::sge, positions, zero));
  Type element = op.getStack().getType().getElementType();
  Value taken = TakeOp::create(
      builder, loc, tiles.getType(element), op.getStack(),
      tiles.create<SelectOp>(chosen, positions, zero), /*axis=*/0);
  Value values = tiles.create<SelectOp>(chosen, taken, tiles.zero(element));
  Value count = arith::MaxSIOp::create(
      builder, loc,
      arith::SubIOp::create(builder, loc, op.getCount(), row.total),
      createI32(builder, loc, 0));
  Value restored = row.restore(values);
  return SmallVector<Value>{restored, count,
                            row.restore(row.choose(chosen, positions))};
}
