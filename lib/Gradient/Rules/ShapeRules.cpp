// ShapeRules.cpp - derivatives of parts and rearrangements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }

/// Returns the tile with leading extents of one, so that it has `rank`.
static Value raiseRank(ValueBuilder &b, Value tile, int64_t rank) {
  TileType type = getType(tile);
  if (type.getRank() == rank)
    return tile;
  SmallVector<int64_t> shape(rank - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  return ReshapeOp::create(b, TileType::get(shape, type.getElementType()),
                           tile);
}

namespace tile {
//===----------------------------------------------------------------------===//
// Boxes and elements
//===----------------------------------------------------------------------===//

static Derivatives makeTangents(ViewOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({ViewOp::create(b, op.getType(), tangents[0], op.getOffsets(),
                                op.getStepsAttr())});
}

/// Puts the rows of a view with a step back to where they were: element i of
/// `part` along `dim` to element offset + i * step of a tile of `extent`.
static Value putSteps(ValueBuilder &b, Value part, int64_t dim, int64_t extent,
                      Value offset, int64_t step) {
  TileType type = getType(part);
  SmallVector<int64_t> shape(type.getShape()), ofIndices(shape.size(), 1);
  ofIndices[dim] = shape[dim];
  shape[dim] = extent;
  Value stride = arith::ConstantIndexOp::create(b, step);
  Value indices = IotaOp::create(b, TileType::get(ofIndices, b.getIndexType()),
                                 dim, offset, stride);
  TileType whole = TileType::get(shape, type.getElementType());
  return PutOp::create(b, whole, part, b.zero(whole), indices, dim,
                       /*mask=*/Value(), AtomicKindAttr());
}

static Derivatives makeTranspose(ViewOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  TileType source = getType(op.getSource());
  Value part = raiseRank(b, cotangents[0], source.getRank());
  SmallVector<Value> offsets(op.getOffsets());
  if (op.getSteps())
    for (auto [dim, step] : llvm::enumerate(*op.getSteps()))
      if (step != 1) {
        part =
            putSteps(b, part, dim, source.getShape()[dim], offsets[dim], step);
        offsets[dim] = arith::ConstantIndexOp::create(b, 0);
      }
  SmallVector<Value> results(op->getNumOperands());
  results[0] = getType(part).getShape() == source.getShape()
                   ? part
                   : InsertOp::create(b, source, part, b.zero(source), offsets)
                         .getResult();
  return results;
}

static Derivatives makeTangents(ExtractOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({ExtractOp::create(b, tangents[0], op.getIndices())});
}

static Derivatives makeTranspose(ExtractOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  TileType source = getType(op.getSource());
  SmallVector<Value> results(op->getNumOperands());
  if (source.getRank() == 0)
    results[0] = FillOp::create(b, source, cotangents[0]);
  else
    results[0] = InsertOp::create(b, source, cotangents[0], b.zero(source),
                                  op.getIndices());
  return results;
}

static Derivatives makeTangents(InsertOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({InsertOp::create(
      b, op.getType(), b.orZero(tangents[0], op.getPart().getType()),
      b.orZero(tangents[1], op.getType()), op.getOffsets())});
}

static Derivatives makeTranspose(InsertOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<Value> results(op->getNumOperands());
  Type part = op.getPart().getType();
  if (b.isTangent(op.getPart())) {
    if (isa<TileType>(part))
      results[0] = ViewOp::create(b, part, cotangents[0], op.getOffsets());
    else
      results[0] = ExtractOp::create(b, cotangents[0], op.getOffsets());
  }
  if (b.isTangent(op.getDest()))
    results[1] = InsertOp::create(b, op.getType(), b.zero(part), cotangents[0],
                                  op.getOffsets());
  return results;
}

static Derivatives makeTranspose(JoinOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<Value> results;
  for (auto [part, begin] : llvm::zip(op.getParts(), op.getBegins())) {
    SmallVector<Value> offsets(op.getType().getRank(),
                               arith::ConstantIndexOp::create(b, 0));
    offsets[op.getAxis()] = arith::ConstantIndexOp::create(b, begin);
    results.push_back(b.isTangent(part) ? ViewOp::create(b, part.getType(),
                                                         cotangents[0], offsets)
                                              .getResult()
                                        : Value());
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Rearrangements
//===----------------------------------------------------------------------===//

static Derivatives makeTranspose(TransposeOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    inverse[from] = to;
  return values({TransposeOp::create(b, op.getSource().getType(), cotangents[0],
                                     inverse)});
}

static Derivatives makeTranspose(BroadcastOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  TileType source = getType(op.getSource()), result = getType(op.getResult());
  SmallVector<int64_t> shape(result.getRank(), 1);
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    int64_t to = op.getDims() ? (*op.getDims())[dim]
                              : dim + result.getRank() - source.getRank();
    shape[to] = source.getShape()[dim];
  }
  Value sum = cotangents[0];
  for (int64_t dim = 0; dim < result.getRank(); ++dim)
    if (shape[dim] != result.getShape()[dim])
      sum = sumAlong(b, sum, dim);
  return values({reshape(b, sum, source.getShape())});
}

static Derivatives makeTranspose(ReshapeOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values(
      {reshape(b, cotangents[0], getType(op.getSource()).getShape())});
}

static Derivatives makeTranspose(ConvertLayoutOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values(
      {ConvertLayoutOp::create(b, op.getSource().getType(), cotangents[0])});
}

//===----------------------------------------------------------------------===//
// Elements by index
//===----------------------------------------------------------------------===//

static Derivatives makeTangents(TakeOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({TakeOp::create(b, op.getType(), tangents[0], op.getIndices(),
                                op.getAxis())});
}

/// Whether no two indices of a take are the same along its axis, as far as the
/// operation that computes them shows.
static bool areDistinct(TakeOp op) {
  if (op->hasAttr(kDistinctAttr))
    return true;
  auto iota = op.getIndices().getDefiningOp<IotaOp>();
  if (!iota || iota.getAxis() != op.getAxis())
    return false;
  return !iota.getStep() ||
         getConstantIntValue(iota.getStep()).value_or(0) != 0;
}

/// Returns the part of a tile at `position` along an axis, repeated to `shape`.
static Value repeatPart(ValueBuilder &b, Value tile, int64_t axis,
                        Value position, ArrayRef<int64_t> shape) {
  TileType type = getType(tile);
  SmallVector<int64_t> part(type.getShape());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> offsets(type.getRank(), zero);
  if (part[axis] != 1)
    offsets[axis] = position;
  part[axis] = 1;
  Type element = type.getElementType();
  Value view = ViewOp::create(b, TileType::get(part, element), tile, offsets);
  return ArrayRef(part) == shape
             ? view
             : BroadcastOp::create(b, TileType::get(shape, element), view);
}

/// Adds up the values that have each index along an axis, in a tile of type
/// `whole`: one after the other in the order of the values, so that two runs
/// compute the same bits.
static Value addByIndex(ValueBuilder &b, TileType whole, Value values,
                        Value indices, int64_t axis) {
  ArrayRef<int64_t> shape = whole.getShape();
  TileType sumType =
      TileType::get(shape, getSumElement(whole.getElementType()));
  Type integer = getType(indices).getElementType();
  Value own = IotaOp::create(b, TileType::get(shape, integer), axis,
                             /*start=*/Value(), /*step=*/Value());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value count =
      arith::ConstantIndexOp::create(b, getType(values).getDimSize(axis));
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop =
      scf::ForOp::create(b, zero, count, one, ValueRange{b.zero(sumType)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar(), sum = loop.getRegionIterArgs()[0];
  Value isAdded =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, own,
                            repeatPart(b, indices, axis, position, shape));
  Value added = repeatPart(b, values, axis, position, shape);
  added = b.cast(added, sumType.getElementType());
  scf::YieldOp::create(b, b.add(sum, b.select(isAdded, added, Value())));
  return loop.getResult(0);
}

/// Puts the cotangents of a take into zeros of type `whole`, where those of one
/// index are added up.
static Value putBack(ValueBuilder &b, TileType whole, TakeOp op, Value values) {
  if (!areDistinct(op))
    return b.cast(addByIndex(b, whole, values, op.getIndices(), op.getAxis()),
                  whole.getElementType());
  return PutOp::create(b, whole, values, b.zero(whole), op.getIndices(),
                       op.getAxis(), /*mask=*/Value(), AtomicKindAttr());
}

/// A dimension of the source of extent one is repeated by the operation, so its
/// cotangents are added up first.
static Derivatives makeTranspose(TakeOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  TileType source = getType(op.getSource());
  SmallVector<int64_t> repeated;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (dim != int64_t(op.getAxis()) && source.getShape()[dim] == 1 &&
        op.getType().getShape()[dim] != 1)
      repeated.push_back(dim);
  SmallVector<int64_t> shape(source.getShape());
  for (int64_t dim : repeated)
    shape[dim] = op.getType().getShape()[dim];
  TileType whole = TileType::get(shape, source.getElementType());
  Value sum = putBack(b, whole, op, cotangents[0]);
  for (int64_t dim : repeated)
    sum = sumAlong(b, sum, dim);
  if (sum.getType() != source)
    sum = ConvertLayoutOp::create(b, source, sum);
  return values({sum, Value()});
}
} // namespace tile

void tile::addShapeRules(MLIRContext &context) {
  attachModels<TangentModel, ExtractOp, InsertOp, TakeOp, ViewOp>(context);
  attachModels<LinearTangentModel, BroadcastOp, ConvertLayoutOp, JoinOp,
               ReshapeOp, TransposeOp>(context);
  attachModels<TransposeModel, BroadcastOp, ConvertLayoutOp, ExtractOp,
               InsertOp, JoinOp, ReshapeOp, TakeOp, TransposeOp, ViewOp>(
      context);
}
