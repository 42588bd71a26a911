// Structure.h - what a linalg.generic computes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are known by their structure, maps and body, not by their names:
// named ones are generic by then (PrepareLinalg.cpp).

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tile::fromlinalg {

/// A result of a generic that combines elements: `combiner(init, element)` over
/// the reduction loops.
struct Combination {
  /// What it does of numbers; `combiner` may differ in what it makes of NaN.
  ReduceKind kind;
  mlir::Operation *combiner;
  /// What is combined, a value of the body.
  mlir::Value element;
};

/// How result `number` of a generic with reduction loops combines; none where
/// its body does something else.
std::optional<Combination> matchCombination(mlir::linalg::GenericOp op,
                                            unsigned number);

/// A sum of products of two inputs, as a matrix product: which loops index
/// what. Of each kind the last one is tiled; the others are batches, or loops
/// of sums. A batch indexes both factors, or the result alone.
struct Product {
  mlir::OpOperand *lhs;
  mlir::OpOperand *rhs;
  llvm::SmallVector<unsigned> batch, rows, columns, sums;

  unsigned getRow() const { return rows.back(); }
  unsigned getColumn() const { return columns.back(); }
  unsigned getSum() const { return sums.back(); }
};

/// None where the generic is no sum of products, or where it has no loop over
/// rows, columns or sums that indexes its operands alone (a matrix times a
/// vector, a depthwise convolution): it is a combination then.
std::optional<Product> matchProduct(mlir::linalg::GenericOp op);

/// The element type in which `tile.matmul` sums products of elements of type
/// `element` for a result of type `result`; null where it has none.
mlir::Type getSumType(mlir::Type element, mlir::Type result);

/// Whether each element of each result is computed by itself, and the results
/// are indexed by all loops.
bool isElementwise(mlir::linalg::GenericOp op);

/// Whether an elementwise generic only moves what its one input has.
bool isCopy(mlir::linalg::GenericOp op);

/// The loop that indexes dimension `dim` of an operand, if one alone does and
/// as it is.
std::optional<unsigned> getLoop(mlir::AffineMap map, unsigned dim);

/// Whether an index is a sum of loops, multiples of loops and numbers.
bool isSumOfMultiples(mlir::AffineExpr index);

/// Whether what is inserted is known to have all of a dimension.
bool hasAll(mlir::tensor::InsertSliceOp op, unsigned dim);

/// A tensor whose elements are all one: the scalar of its fill, or the
/// constant. Null for others.
mlir::OpFoldResult getSplat(mlir::Value tensor);

/// Source tensor of the `tensor.extract`; looks through a pad with one
/// constant.
mlir::OpOperand &getExtracted(mlir::tensor::ExtractOp op);

/// Whether an operation is a constant of several numbers, which needs memory.
bool isConstantArray(mlir::Operation *op);

/// Whether combining with what a tensor has changes nothing, where `identity`
/// is what does so.
bool isIdentity(mlir::Value tensor, mlir::TypedAttr identity);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_STRUCTURE_H
