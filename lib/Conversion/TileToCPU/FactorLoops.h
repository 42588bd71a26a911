// FactorLoops.h - loops that factor matrices and solve triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops have the order of LAPACK's unblocked routines. Multiplications and
// subtractions are rounded separately. An operation gives bitwise the same
// result on its own and as a step of another operation.

#ifndef TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H
#define TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H

#include "Patterns.h"
#include "Scalars.h"

namespace tile::cpu {

/// A matrix in a buffer of matrices, possibly read as its transpose.
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
  /// Returns the same elements as the transposed matrix.
  BufferMatrix transposed() const {
    return BufferMatrix(buffer, batch, !isTransposed);
  }

private:
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::Value row,
                                                mlir::Value column);

  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> batch;
  bool isTransposed;
};

/// The scalar, or the scalars by row, that a buffer has for one matrix.
class BufferScalar {
public:
  BufferScalar(mlir::Value buffer, mlir::ValueRange batch)
      : buffer(buffer), batch(batch) {}

  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange row = {});
  void store(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
             mlir::ValueRange row = {});

private:
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::ValueRange row);

  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> batch;
};

/// Returns a constant index.
mlir::Value buildIndex(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// Builds the body of `forEach`, a loop over the indices from `from`, or from
/// zero, up to `end`, exclusive.
using LoopBody =
    llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::Value)>;
void forEach(mlir::ImplicitLocOpBuilder &b, mlir::Value from, int64_t end,
             LoopBody body);
void forEach(mlir::ImplicitLocOpBuilder &b, int64_t end, LoopBody body);
/// Returns i + 1.
mlir::Value next(mlir::ImplicitLocOpBuilder &b, mlir::Value i);

/// The function of `fold`, which starts with `start` and, for each index i from
/// `from` up to `end`, exclusive, replaces the value `before` by the result.
using Combine = llvm::function_ref<mlir::Value(
    mlir::ImplicitLocOpBuilder &, mlir::Value i, mlir::Value before)>;
mlir::Value fold(mlir::ImplicitLocOpBuilder &b, mlir::Value start,
                 mlir::Value from, int64_t end, Combine combine);

/// Returns the extents of a buffer that has a scalar for each column of the
/// matrices in a buffer of extents `matrices`.
llvm::SmallVector<int64_t> dropRows(llvm::ArrayRef<int64_t> matrices);

/// Creates a buffer of zeros.
mlir::Value createZeros(mlir::ImplicitLocOpBuilder &b,
                        llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// Creates a buffer of unit matrices, or of their first columns.
mlir::Value createUnit(mlir::ImplicitLocOpBuilder &b,
                       llvm::ArrayRef<int64_t> shape, mlir::Type element);

/// Replaces A by L with L L' = A, where L' is the conjugate transpose. Reads
/// only the lower triangle of A, and only the real parts of its diagonal. L is
/// zero above the diagonal. If a pivot is not positive, the elements of L on
/// and below the diagonal are NaN, and the one-based index of the first such
/// column is stored to `status`, which must be zero before.
void factorCholesky(mlir::ImplicitLocOpBuilder &b, BufferMatrix a,
                    int64_t order, BufferScalar status);

/// Replaces the gradient by L, in the lower triangle of `g`, by that by the
/// lower triangle of A = L L', and sets the other elements to zero. Reads only
/// the lower triangle of `l`.
void differentiateCholesky(mlir::ImplicitLocOpBuilder &b, BufferMatrix l,
                           BufferMatrix g, int64_t order);

/// Replaces A by L and D with L D L' = A, and by zeros above the diagonal.
/// `status` is set to the one-based index of the first pivot that is zero or
/// NaN.
void factorLdlt(mlir::ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
                BufferScalar status);

/// Buffers with the factors P' A = L U of a batch of matrices: `factors` has
/// both L and U, `permutation` the row of A for each of their rows, `status`
/// the one-based index of the first pivot that is zero, and `isOdd` whether the
/// number of row exchanges is odd (an i1).
struct LuBuffers {
  mlir::Value factors, permutation, status, isOdd;
};
/// Factors the matrices of a tensor into L and U.
LuBuffers createLu(mlir::ImplicitLocOpBuilder &b, mlir::Value matrices);

/// Buffers with the factors Q R = A of a batch of matrices.
struct QrBuffers {
  mlir::Value q, r;
};
/// Factors the matrices of a tensor into Q and R.
QrBuffers createQr(mlir::ImplicitLocOpBuilder &b, mlir::Value matrices);

/// A triangular matrix: the lower triangle of `matrix` if `isForward`, else the
/// upper one; with a diagonal of ones if `isUnit`, conjugated if `isConjugate`.
struct Triangle {
  BufferMatrix matrix;
  int64_t order;
  bool isForward, isUnit, isConjugate = false;
};

/// Solves T X = B. `x` contains B before and X afterwards.
void substitute(mlir::ImplicitLocOpBuilder &b, Triangle t, BufferMatrix x,
                int64_t columns);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_FACTORLOOPS_H
