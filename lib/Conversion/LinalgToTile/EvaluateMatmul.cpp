// EvaluateMatmul.cpp - contractions as loops around tile.matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over the summed index loads, or computes, a tile of each operand.
// Elements of a tile outside of the arrays must be zero: loads return zero
// there, and computed tiles are masked.

#include "Evaluator.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Whether a tile indexed by `map` has loop `second` before loop `first`.
static bool isTransposed(AffineMap map, const Box &loops, unsigned first,
                         unsigned second) {
  auto isSized = [&](AffineExpr expr, unsigned loop) {
    return loops[loop].size > 1 && expr.isFunctionOfDim(loop);
  };
  for (AffineExpr expr : map.getResults()) {
    if (isSized(expr, first))
      return false;
    if (isSized(expr, second))
      return loops[first].size > 1;
  }
  return false;
}

Value Evaluator::toMatrix(Location loc, Value tile, AffineMap map,
                          const Box &loops, unsigned first, unsigned second) {
  if (isTransposed(map, loops, first, second))
    tile = transpose(loc, tile, {1, 0});
  return reshape(loc, tile, {loops[first].size, loops[second].size});
}

Value Evaluator::fromMatrix(Location loc, Value matrix, AffineMap map,
                            const Box &loops, unsigned first, unsigned second) {
  SmallVector<int64_t> shape;
  for (unsigned loop : {first, second})
    if (loops[loop].size > 1)
      shape.push_back(loops[loop].size);
  Value tile = reshape(loc, matrix, shape);
  return isTransposed(map, loops, first, second) ? transpose(loc, tile, {1, 0})
                                                 : tile;
}

Value Evaluator::evaluateFactor(linalg::GenericOp op, OpOperand *operand,
                                const Box &loops, unsigned first,
                                unsigned second, unsigned sum) {
  Location loc = op.getLoc();
  Value tensor = operand->get();
  AffineMap map = op.getMatchingIndexingMap(operand);
  Box box = mapBox(map, loops);
  Value tile = evaluate(tensor, box);
  for (unsigned dim = 0; dim < box.size(); ++dim) {
    if (fromlinalg::getLoop(map, dim) != sum || isZeroOutside(tensor))
      continue;
    Value extent = getLoopExtent(op, sum);
    std::optional<int64_t> constant = getConstantIntValue(extent);
    if (constant && *constant % box[dim].size == 0)
      continue;
    Value zero = arith::ConstantOp::create(
        builder, loc,
        ::cast<TypedAttr>(builder.getZeroAttr(getElementTypeOrSelf(tensor))));
    tile = keepInside(loc, tile, box, dim, extent, zero);
  }
  return toMatrix(loc, tile, map, loops, first, second);
}

Value Evaluator::buildMatmul(linalg::GenericOp op, const Matmul &matmul,
                             const Box &box) {
  Location loc = op.getLoc();
  auto result = ::cast<OpResult>(op.getResult(0));
  AffineMap map = op.getIndexingMapMatchingResult(result);
  Box loops = getLoops(result, box);
  unsigned row = matmul.getRow(), column = matmul.getColumn();
  Type element = getElementTypeOrSelf(result.getType());
  Type sumType = getSumType(getElementTypeOrSelf(matmul.lhs->get()), element);

  Value init = evaluate(op.getDpsInits()[0], box);
  Value start =
      cast(loc, toMatrix(loc, init, map, loops, row, column), sumType);
  Value sum = buildReduction(
      op, matmul.sums, loops, ValueRange{start},
      [&](const Box &part, ValueRange carried) -> SmallVector<Value> {
        Value lhs = evaluateFactor(op, matmul.lhs, part, row, matmul.getSum(),
                                   matmul.getSum());
        Value rhs = evaluateFactor(op, matmul.rhs, part, matmul.getSum(),
                                   column, matmul.getSum());
        return {MatmulOp::create(builder, loc, carried[0].getType(), lhs, rhs,
                                 carried[0], Precision::ieee, TilingAttr())};
      })[0];
  return fromMatrix(loc, cast(loc, sum, element), map, loops, row, column);
}
