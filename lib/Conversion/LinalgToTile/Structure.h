// Structure.h - matching of the computation of a linalg.generic
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are recognised by their structure, maps and body, not by their
// names: named operations are generic by then (LinalgNormalize.cpp).

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tile::fromlinalg {

/// A result of a generic that combines elements: `combiner(init, element)` over
/// the reduction loops.
struct Combination {
  /// The kind of the combination without NaN; `combiner` may handle NaN
  /// differently.
  ReduceKind kind;
  mlir::Operation *combiner;
  /// The element that is combined, a value of the body.
  mlir::Value element;
};

/// Matches the combination of result `index` of a generic with reduction
/// loops; none if its body does something else.
std::optional<Combination> matchCombination(mlir::linalg::GenericOp op,
                                            unsigned index);

/// A contraction (a sum over the multiplied elements of two inputs), as a
/// matmul, with the loops classified by the operands that they index. The last
/// loop of `rows`, `columns` and `sums` is tiled; the others are treated as a
/// batch or, in `sums`, as loops around it. A loop of `batch` indexes both
/// operands, or only the result.
struct Matmul {
  mlir::OpOperand *lhs;
  mlir::OpOperand *rhs;
  llvm::SmallVector<unsigned> batch, rows, columns, sums;

  unsigned getRow() const { return rows.back(); }
  unsigned getColumn() const { return columns.back(); }
  unsigned getSum() const { return sums.back(); }
};

/// Matches a matmul; none if the generic is no contraction, or if it has no
/// loop over rows, columns or sums that is the whole index of a dimension (a
/// matrix times a vector, a depthwise convolution): it is a combination then.
std::optional<Matmul> matchMatmul(mlir::linalg::GenericOp op);

/// Returns the element type of the accumulator of a `tile.matmul` whose
/// operands have elements of type `element`, for a result of type `result`;
/// null if there is none.
mlir::Type getSumType(mlir::Type element, mlir::Type result);

/// Whether each element of each result is computed independently, and the
/// results are indexed by all loops.
bool isElementwise(mlir::linalg::GenericOp op);

/// Whether an elementwise generic only moves the elements of its single input.
bool isCopy(mlir::linalg::GenericOp op);

/// Returns the loop that indexes dimension `dim` of an operand, if the index is
/// only that loop.
std::optional<unsigned> getLoop(mlir::AffineMap map, unsigned dim);

/// Whether an index is a sum of loops, multiples of loops and constants.
bool isSumOfMultiples(mlir::AffineExpr index);

/// Whether a reshape only adds or drops dimensions of extent one.
bool isUnitReshape(mlir::Operation *op);

/// Whether the inserted tensor is known to cover a dimension as a whole.
bool hasAll(mlir::tensor::InsertSliceOp op, unsigned dim);

/// Returns the value of a tensor whose elements are all equal: the scalar of
/// its fill, or the constant. Null for other tensors.
mlir::OpFoldResult getSplat(mlir::Value tensor);

/// Returns the source tensor of the `tensor.extract`; looks through a pad with
/// one constant.
mlir::OpOperand &getExtracted(mlir::tensor::ExtractOp op);

/// Whether an operation is a constant of several values, which needs memory.
bool isConstantArray(mlir::Operation *op);

/// Whether all elements of a tensor are `identity`, or are zero if `identity`
/// is zero, of either sign. A combination with such elements changes nothing
/// except for the sign of a zero.
bool isIdentity(mlir::Value tensor, mlir::TypedAttr identity);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H
