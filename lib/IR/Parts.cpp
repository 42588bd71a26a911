// Parts.cpp - dimensions along which operations are done part by part
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

using Dimensions = FailureOr<SmallVector<TileDimension>>;

static ArrayRef<int64_t> getShape(Value tile) {
  return getTileShape(tile.getType());
}

static Dimensions makeList(ArrayRef<TileDimension> dimensions) {
  return SmallVector<TileDimension>(dimensions);
}

Dimensions FillOp::findParts(TileDimension of) { return makeList({}); }

Dimensions LoadOp::findParts(TileDimension of) {
  if (getMask() || getDims())
    return failure();
  return makeList({});
}

Dimensions StoreOp::findParts(TileDimension of) {
  if (getMask() || getDims())
    return failure();
  return makeList({});
}

Dimensions TransposeOp::findParts(TileDimension of) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (of.tile == getResult())
    return makeList({{getSource(), permutation[of.dim]}});
  int64_t dim = llvm::find(permutation, of.dim) - permutation.begin();
  return makeList({{getResult(), dim}});
}

/// The source has no parts along a dimension in which it is repeated.
Dimensions BroadcastOp::findParts(TileDimension of) {
  ArrayRef<int64_t> source = getShape(getSource());
  if (getDims() || source.size() != getShape(getResult()).size())
    return failure();
  if (of.tile == getSource())
    return makeList({{getResult(), of.dim}});
  if (source[of.dim] == 1)
    return makeList({});
  return makeList({{getSource(), of.dim}});
}

/// The dimension is that of the other shape with the same extent, and as many
/// elements in the dimensions before it.
Dimensions ReshapeOp::findParts(TileDimension of) {
  Value other = of.tile == getSource() ? getResult() : getSource();
  ArrayRef<int64_t> from = getShape(of.tile);
  int64_t outer = llvm::product_of(from.take_front(of.dim)), before = 1;
  for (auto [dim, extent] : llvm::enumerate(getShape(other))) {
    if (before == outer && extent == from[of.dim])
      return makeList({{other, static_cast<int64_t>(dim)}});
    before *= extent;
  }
  return failure();
}

Dimensions ReduceOp::findParts(TileDimension of) {
  if (!getAxis())
    return failure();
  int64_t axis = *getAxis(), removed = getKeep() ? 0 : 1;
  bool isResult = llvm::is_contained(getResults(), of.tile);
  int64_t inSource = isResult && of.dim >= axis ? of.dim + removed : of.dim;
  if (inSource == axis)
    return failure();
  int64_t inResult = inSource > axis ? inSource - removed : inSource;
  SmallVector<TileDimension> dimensions;
  for (Value source : getSources())
    dimensions.push_back({source, inSource});
  for (Value result : getResults())
    dimensions.push_back({result, inResult});
  return dimensions;
}

/// Dimensions count from the last one, since an operand of a batch may lack the
/// first one. A tiling holds for the shape that it was chosen for.
Dimensions MatmulOp::findParts(TileDimension of) {
  constexpr int64_t kColumns = 1, kRows = 2;
  int64_t fromEnd = getShape(of.tile).size() - of.dim;
  bool isSummed = (of.tile == getLhs() && fromEnd == kColumns) ||
                  (of.tile == getRhs() && fromEnd == kRows);
  if (isSummed || getTiling())
    return failure();
  SmallVector<TileDimension> dimensions;
  auto add = [&](Value tile) {
    int64_t rank = getShape(tile).size();
    if (fromEnd <= rank)
      dimensions.push_back({tile, rank - fromEnd});
  };
  add(getResult());
  add(getAcc());
  if (fromEnd != kColumns)
    add(getLhs());
  if (fromEnd != kRows)
    add(getRhs());
  return dimensions;
}
