// FactorLoops.h - loops that factor matrices and solve triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order of LAPACK's unblocked routines, products and differences each
// rounded. What operations are composed of does the same as they do alone, so
// that both have the same bits.

#ifndef TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H
#define TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H

#include "Numbers.h"
#include "Patterns.h"

namespace tile::cpu {

/// One matrix of a buffer of them, perhaps transposed.
class BufferMatrix {
public:
  BufferMatrix(mlir::Value buffer, mlir::ValueRange batch,
               bool isTransposed = false)
      : buffer(buffer), batch(batch), isTransposed(isTransposed) {}

  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::Value row,
                   mlir::Value column);
  void store(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Value row,
             mlir::Value column);
  mlir::Type getElement();
  /// The transposed one.
  BufferMatrix transposed() const {
    return BufferMatrix(buffer, batch, !isTransposed);
  }

private:
  llvm::SmallVector<mlir::Value> getPlace(mlir::Value row, mlir::Value column);

  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> batch;
  bool isTransposed;
};

/// A number of each matrix in a buffer of them, and of each of its rows.
class BufferNumber {
public:
  BufferNumber(mlir::Value buffer, mlir::ValueRange batch)
      : buffer(buffer), batch(batch) {}

  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange row = {});
  void store(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
             mlir::ValueRange row = {});

private:
  llvm::SmallVector<mlir::Value> getPlace(mlir::ValueRange row);

  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> batch;
};

/// A constant index.
mlir::Value buildIndex(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// `body` of the numbers from one on up to another, and of those from zero on;
/// the number behind one.
using LoopBody =
    llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::Value)>;
void forEach(mlir::ImplicitLocOpBuilder &b, mlir::Value from, int64_t end,
             LoopBody body);
void forEach(mlir::ImplicitLocOpBuilder &b, int64_t end, LoopBody body);
mlir::Value next(mlir::ImplicitLocOpBuilder &b, mlir::Value i);

/// What `combine` makes of a number for each one from `from` on up to `end`.
using Combine = llvm::function_ref<mlir::Value(
    mlir::ImplicitLocOpBuilder &, mlir::Value i, mlir::Value before)>;
mlir::Value fold(mlir::ImplicitLocOpBuilder &b, mlir::Value start,
                 mlir::Value from, int64_t end, Combine combine);

/// The extents of a number for each column of matrices.
llvm::SmallVector<int64_t> dropRows(llvm::ArrayRef<int64_t> matrices);

/// A buffer of zeros.
mlir::Value createZeros(mlir::ImplicitLocOpBuilder &b,
                        llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// A buffer of unit matrices, or of their first columns.
mlir::Value createUnit(mlir::ImplicitLocOpBuilder &b,
                       llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// A, of which the lower triangle is read and its diagonal's real parts,
/// becomes L with L L' = A, for the conjugate transpose L' of complex numbers,
/// zero above; NaN in the triangle where a pivot is not positive. The number of
/// the first such column, from one on, goes to `status`, which is zero before.
void factorCholesky(mlir::ImplicitLocOpBuilder &b, BufferMatrix a,
                    int64_t order, BufferNumber status);

/// A becomes L and D with L D L' = A, zero above; `status` has the first pivot
/// that is zero or NaN.
void factorLdlt(mlir::ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
                BufferNumber status);

/// L and U with P' A = L U of a batch of matrices, a tensor: the factors, the
/// row of A that each row is, the first pivot that is zero, and whether the
/// exchanges are of an odd number (an i1).
struct LuBuffers {
  mlir::Value factors, permutation, status, isOdd;
};
LuBuffers createLu(mlir::ImplicitLocOpBuilder &b, mlir::Value matrices);

/// Q and R with Q R = A of a batch of matrices, a tensor.
struct QrBuffers {
  mlir::Value q, r;
};
QrBuffers createQr(mlir::ImplicitLocOpBuilder &b, mlir::Value matrices);

/// A triangle; with `isForward` the lower one, with `isConjugate` its
/// conjugate.
struct Triangle {
  BufferMatrix matrix;
  int64_t order;
  bool isForward, isUnit, isConjugate = false;
};

/// X, which is B before, becomes that with T X = B.
void substitute(mlir::ImplicitLocOpBuilder &b, Triangle t, BufferMatrix x,
                int64_t columns);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H
