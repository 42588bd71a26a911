// IndexedRules.cpp - derivatives of elements that are found, sorted or put
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of these operations are elements of their operands. The indices
// identify them; indices are constant where operands change a little.

#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }

static Value take(ValueBuilder &b, Type type, Value source, Value indices,
                  int64_t axis) {
  return TakeOp::create(b, type, source, indices, axis);
}

namespace tile {
//===----------------------------------------------------------------------===//
// Sorted and found elements
//===----------------------------------------------------------------------===//

/// Sorts again, with the index of each element as another value.
static Derivatives makeTangents(SortOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  TileType keys = getType(op.getSources()[0]);
  SmallVector<Value> sources{op.getSources()[0]};
  sources.push_back(TileBuilder(b, b.getLoc(), keys.getShape())
                        .iota(b.getI32Type(), op.getAxis()));
  auto sorted =
      SortOp::create(b, ValueRange(sources).getTypes(), sources, op.getAxis(),
                     op.getDescending(), op.getUnsignedInteger());
  SmallVector<Value> ofResults;
  for (auto [result, tangent] : llvm::zip_equal(op.getResults(), tangents))
    ofResults.push_back(tangent
                            ? takeDistinct(b, result.getType(), tangent,
                                           sorted.getResult(1), op.getAxis())
                            : Value());
  return ofResults;
}

static Derivatives makeTangents(TopKOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({takeDistinct(b, op.getValues().getType(), tangents[0],
                              op.getIndices(), op.getAxis()),
                 Value()});
}

/// An element that is found without an axis has its index in row-major order.
static Derivatives makeTangents(ArgReduceOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  TileType source = getType(op.getSource());
  SmallVector<int64_t> whole(source.getShape());
  int64_t axis = op.getAxis().value_or(0);
  if (!op.getAxis())
    whole = {llvm::product_of(source.getShape())};
  SmallVector<int64_t> kept = whole;
  kept[axis] = 1;
  Value tangent = take(b, TileType::get(kept, source.getElementType()),
                       reshape(b, tangents[0], whole),
                       reshape(b, op.getIndex(), kept), axis);
  return values(
      {reshape(b, tangent, getType(op.getValue()).getShape()), Value()});
}

//===----------------------------------------------------------------------===//
// Elements that are put
//===----------------------------------------------------------------------===//

static Derivatives makeTangents(PutOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getKind() && *op.getKind() != AtomicKind::add)
    return op->emitError("expected a tile.put without a kind or by 'add', got "
                         "another kind, whose derivative is not known");
  return applyToTangents(op, b, tangents);
}

/// Returns the elements of `source` where `op` puts its values, and zero for
/// the values that it drops.
static Value takeBack(ValueBuilder &b, PutOp op, Value source) {
  TileType values = getType(op.getValues()), indices = getType(op.getIndices());
  int64_t axis = op.getAxis();
  Type element = indices.getElementType();
  TileBuilder tiles(b, b.getLoc(), indices.getShape());
  // The extent may be no value of the indices' type: then all are below it.
  int64_t extent = getType(op.getDest()).getShape()[axis];
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                         op.getIndices(), tiles.zero(element));
  if (llvm::isIntN(width, extent))
    isInside = arith::AndIOp::create(
        b, isInside,
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, op.getIndices(),
                              tiles.constant(element, extent)));
  Value safe = SelectOp::create(b, indices, isInside, op.getIndices(),
                                tiles.zero(element));
  Value taken = take(b, values, source, safe, axis);
  Type flags = TileType::get(values.getShape(), b.getI1Type());
  if (isInside.getType() != flags)
    isInside = BroadcastOp::create(b, flags, isInside);
  if (op.getMask())
    isInside = arith::AndIOp::create(b, isInside, op.getMask());
  return b.select(isInside, taken, Value());
}

static Derivatives makeTranspose(PutOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value g = cotangents[0];
  SmallVector<Value> ofOperands(op->getNumOperands());
  if (b.isTangent(op.getValues()))
    ofOperands[0] = takeBack(b, op, g);
  if (b.isTangent(op.getDest()))
    ofOperands[1] =
        op.getKind()
            ? g
            : PutOp::create(b, op.getType(), b.zero(op.getValues().getType()),
                            g, op.getIndices(), op.getAxis(), op.getMask(),
                            AtomicKindAttr())
                  .getResult();
  return ofOperands;
}

//===----------------------------------------------------------------------===//
// Elements of a stack
//===----------------------------------------------------------------------===//

/// Returns the tile as one row.
static Value flatten(ValueBuilder &b, Value tile) {
  return reshape(b, tile, {getType(tile).getNumElements()});
}

/// Puts the tangents where the elements are pushed; the others have the index
/// -1, and are dropped.
static Derivatives makeTangents(PushOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value ofValues = b.orZero(tangents[0], op.getValues().getType());
  Value ofStack = b.orZero(tangents[2], op.getStack().getType());
  return values({PutOp::create(b, op.getStack().getType(), flatten(b, ofValues),
                               ofStack, flatten(b, op.getPlaces()), /*axis=*/0,
                               /*mask=*/Value(), AtomicKindAttr()),
                 Value(), Value()});
}

/// Takes the tangents of the elements that are popped; the others have the
/// index -1, and are zero.
static Derivatives makeTangents(PopOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  TileType type = getType(op.getValues());
  Value indices = flatten(b, op.getPlaces());
  Value zero = TileBuilder(b, b.getLoc(), getType(indices).getShape())
                   .zero(b.getI32Type());
  Value isPopped =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, indices, zero);
  Value taken =
      take(b, TileType::get(getType(indices).getShape(), type.getElementType()),
           tangents[0], arith::MaxSIOp::create(b, indices, zero), /*axis=*/0);
  return values(
      {reshape(b, b.select(isPopped, taken, Value()), type.getShape()), Value(),
       Value()});
}
} // namespace tile

void tile::addIndexedRules(MLIRContext &context) {
  attachModels<TangentModel, ArgReduceOp, PopOp, PushOp, PutOp, SortOp, TopKOp>(
      context);
  attachModels<TransposeModel, PutOp>(context);
}
