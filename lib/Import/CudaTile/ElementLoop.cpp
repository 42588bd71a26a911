// ElementLoop.cpp - accesses through pointers, one element after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PointerAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Returns element `at` of a tile of rank 1, as a tile of one element.
static Value getElement(KernelTranslator &t, Value tile, Value at) {
  return t.toTile(ExtractOp::create(t.b, tile, at), {1});
}

/// Returns a tile of rank 1 with another value of element `at`.
static Value replace(KernelTranslator &t, Value tile, Value at, Value element) {
  ArrayRef<int64_t> shape = cast<TileType>(tile.getType()).getShape();
  Type integer = t.b.getI32Type();
  Value indices = IotaOp::create(t.b, TileType::get(shape, integer), /*axis=*/0,
                                 Value(), Value());
  Value isAt = arith::CmpIOp::create(t.b, arith::CmpIPredicate::eq, indices,
                                     t.toTile(t.fromIndex(at, integer), shape));
  return SelectOp::create(t.b, isAt, t.broadcast(element, shape), tile);
}

Value PointerAccess::forEach(KernelTranslator &t, ArrayRef<Value> tiles,
                             Value results, Access access) const {
  Value offsets = flatten(t, offset);
  Value end = arith::ConstantIndexOp::create(t.b, count),
        step = arith::ConstantIndexOp::create(t.b, 1);
  auto loop = scf::ForOp::create(t.b, zero, end, step,
                                 results ? ValueRange(results) : ValueRange());
  OpBuilder::InsertionGuard guard(t.b);
  t.b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  scf::IfOp branch;
  if (mask) {
    branch = scf::IfOp::create(t.b, loop.getResultTypes(),
                               ExtractOp::create(t.b, mask, at),
                               /*addThenBlock=*/true,
                               /*addElseBlock=*/results != nullptr);
    t.b.setInsertionPointToStart(branch.thenBlock());
  }
  PointerAccess one{array, zero, getElement(t, offsets, at), Value(), 1};
  SmallVector<Value> elements;
  for (Value tile : tiles)
    elements.push_back(getElement(t, tile, at));
  Value given = access(one, elements);
  if (!results) {
    if (mask)
      scf::YieldOp::create(t.b);
    return Value();
  }
  Value before = loop.getRegionIterArg(0);
  Value after = replace(t, before, at, given);
  if (mask) {
    scf::YieldOp::create(t.b, after);
    t.b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(t.b, before);
    t.b.setInsertionPointAfter(branch);
    after = branch.getResult(0);
  }
  scf::YieldOp::create(t.b, after);
  return loop.getResult(0);
}
