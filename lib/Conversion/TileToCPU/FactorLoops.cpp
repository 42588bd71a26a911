// FactorLoops.cpp - loops that factor matrices and solve triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value BufferMatrix::load(ImplicitLocOpBuilder &b, Value row, Value column) {
  return memref::LoadOp::create(b, buffer, getCoordinates(row, column));
}

void BufferMatrix::store(ImplicitLocOpBuilder &b, Value value, Value row,
                         Value column) {
  memref::StoreOp::create(b, value, buffer, getCoordinates(row, column));
}

Type BufferMatrix::getElement() {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

SmallVector<Value> BufferMatrix::getCoordinates(Value row, Value column) {
  if (isTransposed)
    std::swap(row, column);
  SmallVector<Value> coordinates(batch);
  coordinates.append({row, column});
  return coordinates;
}

Value BufferScalar::load(ImplicitLocOpBuilder &b, ValueRange row) {
  return memref::LoadOp::create(b, buffer, getCoordinates(row));
}

void BufferScalar::store(ImplicitLocOpBuilder &b, Value value, ValueRange row) {
  memref::StoreOp::create(b, value, buffer, getCoordinates(row));
}

SmallVector<Value> BufferScalar::getCoordinates(ValueRange row) {
  SmallVector<Value> coordinates(batch);
  llvm::append_range(coordinates, row);
  return coordinates;
}

Value cpu::buildIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value cpu::fold(ImplicitLocOpBuilder &b, Value start, Value from, int64_t end,
                Combine combine) {
  auto loop = scf::ForOp::create(
      b, from, buildIndex(b, end), buildIndex(b, 1), start,
      [&](OpBuilder &builder, Location loc, Value i, ValueRange before) {
        ImplicitLocOpBuilder nested(loc, builder);
        scf::YieldOp::create(nested, combine(nested, i, before.front()));
      });
  return loop.getResult(0);
}

SmallVector<int64_t> cpu::dropRows(ArrayRef<int64_t> matrices) {
  SmallVector<int64_t> shape(matrices);
  shape.erase(shape.end() - 2);
  return shape;
}

Value cpu::createUnit(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                      Type element) {
  Value buffer = createZeros(b, shape, element);
  forEachCoordinate(b, dropRows(shape),
                    [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
                      BufferMatrix(buffer, coordinates.drop_back())
                          .store(body, buildReal(body, element, 1),
                                 coordinates.back(), coordinates.back());
                    });
  return buffer;
}

Value cpu::createZeros(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                       Type element) {
  Value buffer = createBuffer(b, RankedTensorType::get(shape, element));
  linalg::FillOp::create(b, buildZero(b, b.getLoc(), element), buffer);
  return buffer;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void cpu::forEach(ImplicitLocOpBuilder &b, Value from, int64_t end,
                  LoopBody body) {
  scf::ForOp::create(
      b, from, buildIndex(b, end), buildIndex(b, 1), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value i, ValueRange) {
        ImplicitLocOpBuilder nested(loc, builder);
        body(nested, i);
        scf::YieldOp::create(nested);
      });
}

void cpu::forEach(ImplicitLocOpBuilder &b, int64_t end, LoopBody body) {
  forEach(b, buildIndex(b, 0), end, body);
}

Value cpu::next(ImplicitLocOpBuilder &b, Value i) {
  return arith::AddIOp::create(b, i, buildIndex(b, 1));
}

/// Subtracts x(k) * y(k) from `start` for each index k from `from` up to `to`,
/// exclusive. `factors` returns x(k) and y(k).
static Value subtractProducts(
    ImplicitLocOpBuilder &b, Value start, Value from, Value to,
    llvm::function_ref<std::pair<Value, Value>(ImplicitLocOpBuilder &, Value)>
        factors) {
  auto loop = scf::ForOp::create(
      b, from, to, buildIndex(b, 1), start,
      [&](OpBuilder &builder, Location loc, Value k, ValueRange rest) {
        ImplicitLocOpBuilder nested(loc, builder);
        auto [left, right] = factors(nested, k);
        Value product = multiply(nested, left, right);
        scf::YieldOp::create(nested, subtract(nested, rest.front(), product));
      });
  return loop.getResult(0);
}

/// Stores the one-based index of `column` to `status`, unless the pivot is
/// usable or `status` already has the index of an earlier column.
static void noteStatus(ImplicitLocOpBuilder &b, BufferScalar status,
                       Value column, Value isUsable) {
  Value before = status.load(b);
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before,
                                        arith::ConstantIntOp::create(b, 0, 32));
  Value index = arith::IndexCastOp::create(b, b.getI32Type(), next(b, column));
  Value here = arith::SelectOp::create(b, isFirst, index, before);
  status.store(b, arith::SelectOp::create(b, isUsable, before, here));
}

/// Sets the elements above the diagonal to zero, and each other element to the
/// value that `keep` returns for it.
static void
finishLower(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
            llvm::function_ref<Value(ImplicitLocOpBuilder &, Value)> keep) {
  forEachCoordinate(
      b, {order, order},
      [&](ImplicitLocOpBuilder &nested, ValueRange coordinates) {
        Value isKept = arith::CmpIOp::create(nested, arith::CmpIPredicate::uge,
                                             coordinates[0], coordinates[1]);
        Value value =
            keep(nested, a.load(nested, coordinates[0], coordinates[1]));
        value = arith::SelectOp::create(nested, isKept, value,
                                        buildReal(nested, a.getElement(), 0));
        a.store(nested, value, coordinates[0], coordinates[1]);
      });
}

//===----------------------------------------------------------------------===//
// Cholesky (LAPACK's potf2)
//===----------------------------------------------------------------------===//

/// Returns a[i][j] minus the dot product of rows i and j up to column j - 1,
/// with the elements of row j conjugated.
static Value getRest(ImplicitLocOpBuilder &b, BufferMatrix &a, Value i,
                     Value j) {
  return subtractProducts(b, a.load(b, i, j), buildIndex(b, 0), j,
                          [&](ImplicitLocOpBuilder &nested, Value k) {
                            return std::pair(
                                a.load(nested, i, k),
                                conjugate(nested, a.load(nested, j, k)));
                          });
}

void cpu::factorCholesky(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
                         BufferScalar status) {
  Type type = a.getElement();
  forEach(b, order, [&](ImplicitLocOpBuilder &column, Value j) {
    Value pivot = getReal(column, getRest(column, a, j, j));
    noteStatus(column, status, j,
               arith::CmpFOp::create(column, arith::CmpFPredicate::OGT, pivot,
                                     buildReal(column, pivot.getType(), 0)));
    Value root = math::SqrtOp::create(column, pivot);
    a.store(column, fromReal(column, root, type), j, j);
    forEach(column, next(column, j), order,
            [&](ImplicitLocOpBuilder &row, Value i) {
              a.store(row, divide(row, getRest(row, a, i, j), root), i, j);
            });
  });
  Value isFactored =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, status.load(b),
                            arith::ConstantIntOp::create(b, 0, 32));
  finishLower(
      b, a, order, [&](ImplicitLocOpBuilder &nested, Value value) -> Value {
        return arith::SelectOp::create(
            nested, isFactored, value,
            buildReal(nested, type, std::numeric_limits<double>::quiet_NaN()));
      });
}

//===----------------------------------------------------------------------===//
// Derivative of Cholesky (Murray, 2016, section 4)
//===----------------------------------------------------------------------===//

/// Divides column k of the gradient, of which the diagonal element also gets
/// the contribution of the elements below it, by the element of L.
static void divideColumn(ImplicitLocOpBuilder &b, BufferMatrix &l,
                         BufferMatrix &g, Value k, int64_t order) {
  Value pivot = getReal(b, l.load(b, k, k));
  Value diagonal = getReal(b, g.load(b, k, k));
  Value rest =
      fold(b, diagonal, next(b, k), order,
           [&](ImplicitLocOpBuilder &row, Value i, Value before) {
             Value scaled = divide(row, g.load(row, i, k), pivot);
             g.store(row, scaled, i, k);
             return subtract(row, before,
                             getReal(row, multiply(row, conjugate(row, scaled),
                                                   l.load(row, i, k))));
           });
  Value divided = divide(b, rest, pivot);
  g.store(b, fromReal(b, divided, l.getElement()), k, k);
}

/// Subtracts what the elements of L in the columns before k contribute to
/// column k of A.
static void subtractFromRows(ImplicitLocOpBuilder &b, BufferMatrix &l,
                             BufferMatrix &g, Value k, int64_t order) {
  scf::ForOp::create(
      b, buildIndex(b, 0), k, buildIndex(b, 1), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value j, ValueRange) {
        ImplicitLocOpBuilder column(loc, builder);
        Value left = l.load(column, k, j);
        Value own = subtract(column, g.load(column, k, j),
                             multiply(column, left, g.load(column, k, k)));
        Value rest =
            fold(column, own, next(column, k), order,
                 [&](ImplicitLocOpBuilder &row, Value i, Value before) {
                   Value factor = g.load(row, i, k);
                   g.store(row,
                           subtract(row, g.load(row, i, j),
                                    multiply(row, factor, left)),
                           i, j);
                   return subtract(row, before,
                                   multiply(row, conjugate(row, factor),
                                            l.load(row, i, j)));
                 });
        g.store(column, rest, k, j);
        scf::YieldOp::create(column);
      });
}

void cpu::differentiateCholesky(ImplicitLocOpBuilder &b, BufferMatrix l,
                                BufferMatrix g, int64_t order) {
  forEach(b, order, [&](ImplicitLocOpBuilder &step, Value done) {
    Value k = arith::SubIOp::create(step, buildIndex(step, order - 1), done);
    divideColumn(step, l, g, k, order);
    subtractFromRows(step, l, g, k, order);
    Value half = buildReal(step, l.getElement(), 0.5);
    g.store(step, multiply(step, g.load(step, k, k), half), k, k);
  });
  finishLower(b, g, order,
              [](ImplicitLocOpBuilder &, Value value) { return value; });
}

//===----------------------------------------------------------------------===//
// L D L' (that of Cholesky, without roots)
//===----------------------------------------------------------------------===//

/// Returns a[i][j] minus the sum of l[i][k] d[k] conj(l[j][k]) over the columns
/// k before j.
static Value getRestOfLdlt(ImplicitLocOpBuilder &b, BufferMatrix &a, Value i,
                           Value j) {
  return subtractProducts(
      b, a.load(b, i, j), buildIndex(b, 0), j,
      [&](ImplicitLocOpBuilder &nested, Value k) {
        Value scaled = multiply(nested, a.load(nested, i, k),
                                getReal(nested, a.load(nested, k, k)));
        return std::pair(scaled, conjugate(nested, a.load(nested, j, k)));
      });
}

void cpu::factorLdlt(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
                     BufferScalar status) {
  forEach(b, order, [&](ImplicitLocOpBuilder &column, Value j) {
    Value pivot = getReal(column, getRestOfLdlt(column, a, j, j));
    noteStatus(column, status, j,
               arith::CmpFOp::create(column, arith::CmpFPredicate::ONE, pivot,
                                     buildReal(column, pivot.getType(), 0)));
    a.store(column, fromReal(column, pivot, a.getElement()), j, j);
    forEach(column, next(column, j), order,
            [&](ImplicitLocOpBuilder &row, Value i) {
              a.store(row, divide(row, getRestOfLdlt(row, a, i, j), pivot), i,
                      j);
            });
  });
  finishLower(b, a, order,
              [](ImplicitLocOpBuilder &, Value value) { return value; });
}

//===----------------------------------------------------------------------===//
// L U (LAPACK's getf2)
//===----------------------------------------------------------------------===//

/// Returns the row of the element of column `j` that has the largest magnitude,
/// from the diagonal on. A NaN counts as the largest element; of equal elements
/// the first is chosen.
static Value findPivot(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t order,
                       Value j) {
  auto getSizeOf = [&](ImplicitLocOpBuilder &at, Value i) {
    return getSize(at, a.load(at, i, j));
  };
  auto loop = scf::ForOp::create(
      b, next(b, j), buildIndex(b, order), buildIndex(b, 1),
      ValueRange{j, getSizeOf(b, j)},
      [&](OpBuilder &builder, Location loc, Value i, ValueRange best) {
        ImplicitLocOpBuilder nested(loc, builder);
        Value size = getSizeOf(nested, i);
        // An unordered comparison holds for NaN on either side.
        Value isLarger = arith::AndIOp::create(
            nested,
            arith::CmpFOp::create(nested, arith::CmpFPredicate::UGT, size,
                                  best[1]),
            arith::CmpFOp::create(nested, arith::CmpFPredicate::ORD, best[1],
                                  best[1]));
        scf::YieldOp::create(
            nested,
            ValueRange{
                arith::SelectOp::create(nested, isLarger, i, best[0]),
                arith::SelectOp::create(nested, isLarger, size, best[1])});
      });
  return loop.getResult(0);
}

/// Exchanges two rows of the matrix, and their entries in the permutation.
static void exchange(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t order,
                     BufferScalar &permutation, Value first, Value second) {
  forEach(b, order, [&](ImplicitLocOpBuilder &nested, Value k) {
    Value x = a.load(nested, first, k), y = a.load(nested, second, k);
    a.store(nested, y, first, k);
    a.store(nested, x, second, k);
  });
  Value x = permutation.load(b, first), y = permutation.load(b, second);
  permutation.store(b, y, first);
  permutation.store(b, x, second);
}

/// Divides the elements of column `j` below the diagonal by the pivot, unless
/// the pivot is zero, and eliminates them: subtracts their multiples of row `j`
/// from the rows below.
static void eliminate(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t order,
                      Value j, Value pivot, Value isUsable) {
  forEach(b, next(b, j), order, [&](ImplicitLocOpBuilder &row, Value i) {
    Value element = a.load(row, i, j);
    Value factor = arith::SelectOp::create(
        row, isUsable, divide(row, element, pivot), element);
    a.store(row, factor, i, j);
    forEach(row, next(row, j), order,
            [&](ImplicitLocOpBuilder &nested, Value k) {
              Value product = multiply(nested, factor, a.load(nested, j, k));
              a.store(nested, subtract(nested, a.load(nested, i, k), product),
                      i, k);
            });
  });
}

/// Replaces a matrix by its factors L and U.
/// @pre `status` and `isOdd` are zero.
static void factorLu(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order,
                     BufferScalar permutation, BufferScalar status,
                     BufferScalar isOdd) {
  forEach(b, order, [&](ImplicitLocOpBuilder &row, Value i) {
    permutation.store(row, arith::IndexCastOp::create(row, row.getI32Type(), i),
                      i);
  });
  forEach(b, order, [&](ImplicitLocOpBuilder &column, Value j) {
    Value best = findPivot(column, a, order, j);
    exchange(column, a, order, permutation, j, best);
    Value isExchanged =
        arith::CmpIOp::create(column, arith::CmpIPredicate::ne, best, j);
    isOdd.store(column,
                arith::XOrIOp::create(column, isOdd.load(column), isExchanged));
    Value pivot = a.load(column, j, j);
    Value isUsable = isNotZero(column, pivot);
    noteStatus(column, status, j, isUsable);
    eliminate(column, a, order, j, pivot, isUsable);
  });
}

LuBuffers cpu::createLu(ImplicitLocOpBuilder &b, Value matrices) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(matrices.getType()).getShape();
  ArrayRef<int64_t> batchShape = shape.drop_back(2);
  LuBuffers lu = {copyToBuffer(b, matrices),
                  createZeros(b, shape.drop_back(), b.getI32Type()),
                  createZeros(b, batchShape, b.getI32Type()),
                  createZeros(b, batchShape, b.getI1Type())};
  forEachCoordinate(
      b, batchShape, [&](ImplicitLocOpBuilder &body, ValueRange batch) {
        factorLu(body, BufferMatrix(lu.factors, batch), shape.back(),
                 BufferScalar(lu.permutation, batch),
                 BufferScalar(lu.status, batch), BufferScalar(lu.isOdd, batch));
      });
  return lu;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

/// Computes one element of a column of X, the `step`-th one in the order of the
/// substitution.
static void substituteElement(ImplicitLocOpBuilder &b, Triangle &t,
                              BufferMatrix &x, Value column, Value step) {
  Value row = step, from = buildIndex(b, 0), to = step;
  if (!t.isForward) {
    row = arith::SubIOp::create(b, buildIndex(b, t.order - 1), step);
    from = next(b, row);
    to = buildIndex(b, t.order);
  }
  auto loadFactor = [&](ImplicitLocOpBuilder &at, Value k) {
    Value factor = t.matrix.load(at, row, k);
    return t.isConjugate ? conjugate(at, factor) : factor;
  };
  Value value = subtractProducts(b, x.load(b, row, column), from, to,
                                 [&](ImplicitLocOpBuilder &nested, Value k) {
                                   return std::pair(loadFactor(nested, k),
                                                    x.load(nested, k, column));
                                 });
  if (!t.isUnit)
    value = divide(b, value, loadFactor(b, row));
  x.store(b, value, row, column);
}

void cpu::substitute(ImplicitLocOpBuilder &b, Triangle t, BufferMatrix x,
                     int64_t columns) {
  forEachCoordinate(b, {columns, t.order},
                    [&](ImplicitLocOpBuilder &nested, ValueRange coordinates) {
                      substituteElement(nested, t, x, coordinates[0],
                                        coordinates[1]);
                    });
}
