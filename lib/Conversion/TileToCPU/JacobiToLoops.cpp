// JacobiToLoops.cpp - eigenvalues and singular values by Jacobi's rotations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are handled one by one, with pairs in the cyclic order by rows:
// one-sided on columns for singular values (Hestenes), two-sided for
// eigenvalues (Golub and Van Loan, "Matrix Computations", 8.5). Matrices are
// scaled so that their largest element is 2^24 (f32) or 2^248 (f64). The square
// of the squared norm of a column then does not overflow if the column has at
// most 2^13 elements, and does not underflow where it matters.
//
// For complex matrices the inner product x'y of two columns, or the element off
// the diagonal, is r w with real r and |w| = 1. The second column, and for
// eigenvalues also the second row, is first multiplied by a factor of modulus
// one, after which this value is r. Then the rotation is that of real matrices.

#include "FactorLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static double getPower(Type type, int64_t forF32, int64_t forF64) {
  return std::ldexp(1.0, static_cast<int>(type.isF32() ? forF32 : forF64));
}

static Value isGreater(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
}

/// Returns the value to which a matrix's largest element is scaled.
static double getTarget(Type type) { return getPower(type, 24, 248); }

static Value isZero(ImplicitLocOpBuilder &b, Value x) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x,
                               buildReal(b, x.getType(), 0));
}

static void emitIf(ImplicitLocOpBuilder &b, Value condition,
                   llvm::function_ref<void(ImplicitLocOpBuilder &)> body) {
  scf::IfOp::create(b, condition, [&](OpBuilder &builder, Location loc) {
    ImplicitLocOpBuilder nested(loc, builder);
    body(nested);
    scf::YieldOp::create(nested);
  });
}

/// Returns the inner product of columns p and q, with column p conjugated.
static Value dot(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t rows,
                 Value p, Value q) {
  return fold(b, buildReal(b, a.getElement(), 0), buildIndex(b, 0), rows,
              [&](ImplicitLocOpBuilder &at, Value i, Value sum) -> Value {
                Value x = conjugate(at, a.load(at, i, p));
                return add(at, sum, multiply(at, x, a.load(at, i, q)));
              });
}

/// Returns the square of a column's norm.
static Value square(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t rows,
                    Value p) {
  return getReal(b, dot(b, a, rows, p, p));
}

/// Returns the modulus of an element of a scaled matrix.
static Value buildSize(ImplicitLocOpBuilder &b, Value value) {
  if (!isComplex(value))
    return math::AbsFOp::create(b, value);
  Value re = getReal(b, value), im = getImaginary(b, value);
  return math::SqrtOp::create(b,
                              add(b, multiply(b, re, re), multiply(b, im, im)));
}

/// Returns the tangent of the smaller angle for which d tan(2 angle) = h. The
/// result is undefined if d and h are zero.
static Value buildTangent(ImplicitLocOpBuilder &b, Value d, Value h) {
  Value size = math::SqrtOp::create(
      b, arith::AddFOp::create(b, multiply(b, d, d), multiply(b, h, h)));
  Value sum = arith::AddFOp::create(b, math::AbsFOp::create(b, d), size);
  Value signedH = multiply(
      b, h, math::CopySignOp::create(b, buildReal(b, h.getType(), 1), d));
  return arith::DivFOp::create(b, signedH, sum);
}

namespace {
struct Angle {
  Value sine, half; ///< `half` is the tangent of half the angle
};
} // namespace

static Angle buildAngle(ImplicitLocOpBuilder &b, Value tangent) {
  Value one = buildReal(b, tangent.getType(), 1);
  Value square = arith::AddFOp::create(b, one, multiply(b, tangent, tangent));
  Value cosine = arith::DivFOp::create(b, one, math::SqrtOp::create(b, square));
  Value sine = multiply(b, tangent, cosine);
  return {sine, arith::DivFOp::create(b, sine,
                                      arith::AddFOp::create(b, one, cosine))};
}

/// Computes x' = x - s (y + t x) and y' = y + s (x - t y) for two columns,
/// where s is the sine of the angle and t the tangent of half the angle. In
/// this form a small angle adds only a small value to a column (Rutishauser).
static void rotate(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t rows,
                   Value p, Value q, Angle angle) {
  forEach(b, rows, [&](ImplicitLocOpBuilder &row, Value i) {
    Value x = a.load(row, i, p), y = a.load(row, i, q);
    Value forX = add(row, y, multiply(row, angle.half, x));
    Value forY = subtract(row, x, multiply(row, angle.half, y));
    a.store(row, subtract(row, x, multiply(row, angle.sine, forX)), i, p);
    a.store(row, add(row, y, multiply(row, angle.sine, forY)), i, q);
  });
}

/// Multiplies column `q` of a complex matrix by `factor`.
static void multiplyColumn(ImplicitLocOpBuilder &b, BufferMatrix a,
                           int64_t rows, Value q, Value factor) {
  forEach(b, rows, [&](ImplicitLocOpBuilder &row, Value i) {
    a.store(row, multiply(row, a.load(row, i, q), factor), i, q);
  });
}

/// Returns the factor of modulus one that makes a complex value of modulus
/// `size` real and positive.
static Value buildPhase(ImplicitLocOpBuilder &b, Value value, Value size) {
  return divide(b, conjugate(b, value), size);
}

/// Calls `pair` for all pairs of columns in each sweep, until a sweep leaves
/// `status` zero, that is, needs no rotation, or until 30 sweeps were made.
static void
sweep(ImplicitLocOpBuilder &b, int64_t columns, BufferScalar status,
      llvm::function_ref<void(ImplicitLocOpBuilder &, Value, Value)> pair) {
  auto constant = [](ImplicitLocOpBuilder &at, int64_t value) {
    return arith::ConstantIntOp::create(at, value, 32);
  };
  status.store(b, constant(b, 1));
  Value start = constant(b, 0);
  scf::WhileOp::create(
      b, start.getType(), start,
      [&](OpBuilder &builder, Location loc, ValueRange state) {
        ImplicitLocOpBuilder at(loc, builder);
        Value isNeeded = arith::CmpIOp::create(
            at, arith::CmpIPredicate::ne, status.load(at), constant(at, 0));
        Value isAllowed = arith::CmpIOp::create(
            at, arith::CmpIPredicate::slt, state.front(), constant(at, 30));
        scf::ConditionOp::create(
            at, arith::AndIOp::create(at, isNeeded, isAllowed), state);
      },
      [&](OpBuilder &builder, Location loc, ValueRange state) {
        ImplicitLocOpBuilder at(loc, builder);
        status.store(at, constant(at, 0));
        forEach(at, columns, [&](ImplicitLocOpBuilder &outer, Value p) {
          forEach(
              outer, next(outer, p), columns,
              [&](ImplicitLocOpBuilder &inner, Value q) { pair(inner, p, q); });
        });
        scf::YieldOp::create(
            at, arith::AddIOp::create(at, state.front(), constant(at, 1))
                    .getResult());
      });
}

/// Records in `status` that a rotation was needed.
static void noteRotation(ImplicitLocOpBuilder &b, BufferScalar &status) {
  status.store(b, arith::ConstantIntOp::create(b, 1, 32));
}

/// Scales a matrix so that the largest magnitude of its elements, or of the
/// parts of complex elements, becomes getTarget(). Returns this magnitude
/// before scaling, 1 for a matrix of zeros, or NaN if an element is not finite.
static Value scaleMatrix(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t rows,
                         int64_t columns) {
  Type type = getRealType(a.getElement());
  Value largest =
      fold(b, buildReal(b, type, 0), buildIndex(b, 0), rows,
           [&](ImplicitLocOpBuilder &row, Value i, Value before) {
             return fold(
                 row, before, buildIndex(row, 0), columns,
                 [&](ImplicitLocOpBuilder &at, Value j, Value best) -> Value {
                   for (Value part : getParts(at, a.load(at, i, j)))
                     best = arith::MaximumFOp::create(
                         at, best, math::AbsFOp::create(at, part).getResult());
                   return best;
                 });
           });
  largest = arith::SelectOp::create(b, isZero(b, largest),
                                    buildReal(b, type, 1), largest);
  Value power = buildReal(b, type, getTarget(type));
  forEachCoordinate(
      b, {rows, columns},
      [&](ImplicitLocOpBuilder &at, ValueRange coordinates) {
        Value part =
            divide(at, a.load(at, coordinates[0], coordinates[1]), largest);
        a.store(at, multiply(at, part, power), coordinates[0], coordinates[1]);
      });
  return arith::AddFOp::create(b, largest,
                               arith::SubFOp::create(b, largest, largest));
}

/// Undoes the scaling of `value`, a value of the scaled matrix; `largest` is
/// the result of scaleMatrix.
static Value restore(ImplicitLocOpBuilder &b, Value value, Value largest) {
  Type type = value.getType();
  Value part = multiply(b, value, buildReal(b, type, 1 / getTarget(type)));
  return multiply(b, part, largest);
}

/// Sets `status` to one if `value` is not finite, as it is if an element of the
/// matrix is not.
static void noteUnknown(ImplicitLocOpBuilder &b, BufferScalar &status,
                        Value value) {
  Value difference = arith::SubFOp::create(b, value, value);
  Value isUnknown = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO,
                                          difference, difference);
  emitIf(b, isUnknown,
         [&](ImplicitLocOpBuilder &at) { noteRotation(at, status); });
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

namespace {
/// A batch of m x n matrices whose columns have been made orthogonal and
/// divided by their norms, these norms, and a status for each matrix.
struct Orthogonalized {
  Value columns, norms, status;
};
} // namespace

/// Returns the square of the norm below which a column of a scaled matrix is
/// negligible compared to the largest element.
static double getLeastSquare(Type type) { return getPower(type, -40, -432); }

/// Makes the columns of a scaled matrix orthogonal by rotations. Multiplies
/// `right`, an n x n matrix, by these rotations if it is given.
static void orthogonalize(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t rows,
                          int64_t columns, std::optional<BufferMatrix> right,
                          BufferScalar status) {
  Type type = getRealType(a.getElement());
  double roundoff = getPower(type, -24, -53);
  double limit = 2 * std::sqrt(static_cast<double>(columns)) * roundoff;
  sweep(b, columns, status, [&](ImplicitLocOpBuilder &at, Value p, Value q) {
    Value product = dot(at, a, rows, p, q);
    Value x = square(at, a, rows, p), y = square(at, a, rows, q);
    auto getNorm = [&](Value square) {
      return math::SqrtOp::create(
          at, arith::MaximumFOp::create(
                  at, square, buildReal(at, type, getLeastSquare(type))));
    };
    Value norms = multiply(at, getNorm(x), getNorm(y));
    Value least = multiply(at, norms, buildReal(at, type, limit));
    Value size = buildSize(at, product);
    emitIf(at, isGreater(at, size, least), [&](ImplicitLocOpBuilder &then) {
      noteRotation(then, status);
      if (isComplex(product)) {
        Value phase = buildPhase(then, product, size);
        multiplyColumn(then, a, rows, q, phase);
        if (right)
          multiplyColumn(then, *right, columns, q, phase);
        product = size;
      }
      Value twice = arith::AddFOp::create(then, product, product);
      Angle angle = buildAngle(
          then, buildTangent(then, arith::SubFOp::create(then, y, x), twice));
      rotate(then, a, rows, p, q, angle);
      if (right)
        rotate(then, *right, columns, p, q, angle);
    });
  });
}

/// Returns the norm of a column of a scaled matrix; zero if the norm is
/// negligible compared to the largest element.
static Value buildNorm(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t rows,
                       Value column) {
  Value sum = square(b, a, rows, column);
  Type type = sum.getType();
  Value isSmall =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, sum,
                            buildReal(b, type, getLeastSquare(type)));
  return arith::SelectOp::create(b, isSmall, buildReal(b, type, 0),
                                 math::SqrtOp::create(b, sum));
}

static Orthogonalized createOrthogonalized(ImplicitLocOpBuilder &b,
                                           Value matrices, Value right) {
  auto type = cast<RankedTensorType>(matrices.getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  Orthogonalized result = {
      copyToBuffer(b, matrices),
      createZeros(b, dropRows(shape), getRealType(type.getElementType())),
      createZeros(b, shape.drop_back(2), b.getI32Type())};
  forEachCoordinate(
      b, shape.drop_back(2), [&](ImplicitLocOpBuilder &body, ValueRange batch) {
        BufferMatrix a(result.columns, batch);
        BufferScalar status(result.status, batch), norms(result.norms, batch);
        Value largest = scaleMatrix(body, a, rows, columns);
        std::optional<BufferMatrix> rotations;
        if (right)
          rotations = BufferMatrix(right, batch);
        orthogonalize(body, a, rows, columns, rotations, status);
        forEach(body, columns, [&](ImplicitLocOpBuilder &at, Value j) {
          Value norm = buildNorm(at, a, rows, j);
          Value divisor = arith::SelectOp::create(
              at, isZero(at, norm), buildReal(at, norm.getType(), INFINITY),
              norm);
          forEach(at, rows, [&](ImplicitLocOpBuilder &row, Value i) {
            a.store(row, divide(row, a.load(row, i, j), divisor), i, j);
          });
          norm = restore(at, norm, largest);
          norms.store(at, norm, j);
          noteUnknown(at, status, norm);
        });
      });
  return result;
}

/// Sorts `scalars`, of which there is one for each column, in ascending order
/// or, if `isDescending`, in descending order. Permutes the columns of
/// `matrices` (each with its number of rows) in the same way.
static void sortColumns(ImplicitLocOpBuilder &b, BufferScalar scalars,
                        int64_t columns, bool isDescending,
                        ArrayRef<std::pair<BufferMatrix, int64_t>> matrices) {
  forEach(b, columns, [&](ImplicitLocOpBuilder &outer, Value j) {
    forEach(outer, next(outer, j), columns,
            [&](ImplicitLocOpBuilder &inner, Value k) {
              Value first = scalars.load(inner, j),
                    second = scalars.load(inner, k);
              Value isWrong = isDescending ? isGreater(inner, second, first)
                                           : isGreater(inner, first, second);
              emitIf(inner, isWrong, [&](ImplicitLocOpBuilder &at) {
                scalars.store(at, second, j);
                scalars.store(at, first, k);
                for (auto [matrix, rows] : matrices)
                  forEach(at, rows,
                          [&, matrix = matrix](ImplicitLocOpBuilder &row,
                                               Value i) mutable {
                            Value x = matrix.load(row, i, j),
                                  y = matrix.load(row, i, k);
                            matrix.store(row, y, i, j);
                            matrix.store(row, x, i, k);
                          });
              });
            });
  });
}

//===----------------------------------------------------------------------===//
// Eigenvalues
//===----------------------------------------------------------------------===//

/// Makes the element (p, q) of a symmetric (Hermitian) matrix zero by a
/// rotation of rows p and q and of columns p and q.
/// @param size modulus of the element
static void diagonalize(ImplicitLocOpBuilder &b, BufferMatrix &a,
                        BufferMatrix &vectors, int64_t order, Value p, Value q,
                        Value size) {
  Value element = a.load(b, p, q);
  if (isComplex(element)) {
    Value phase = buildPhase(b, element, size);
    multiplyColumn(b, a, order, q, phase);
    multiplyColumn(b, a.transposed(), order, q, conjugate(b, phase));
    multiplyColumn(b, vectors, order, q, phase);
    element = size;
  }
  Value d = arith::SubFOp::create(b, getReal(b, a.load(b, q, q)),
                                  getReal(b, a.load(b, p, p)));
  Angle angle = buildAngle(
      b, buildTangent(b, d, arith::AddFOp::create(b, element, element)));
  rotate(b, a, order, p, q, angle);
  rotate(b, a.transposed(), order, p, q, angle);
  Value zero = buildReal(b, a.getElement(), 0);
  a.store(b, zero, p, q);
  a.store(b, zero, q, p);
  rotate(b, vectors, order, p, q, angle);
}

static void makeDiagonalReal(ImplicitLocOpBuilder &b, BufferMatrix a,
                             int64_t order) {
  forEach(b, order, [&](ImplicitLocOpBuilder &at, Value i) {
    Value real = getReal(at, a.load(at, i, i));
    a.store(at, fromReal(at, real, a.getElement()), i, i);
  });
}

/// Sets the upper triangle of a matrix to the conjugate transpose of the lower
/// one, and makes the diagonal real.
static void symmetrize(ImplicitLocOpBuilder &b, BufferMatrix a, int64_t order) {
  forEachCoordinate(
      b, {order, order}, [&](ImplicitLocOpBuilder &at, ValueRange p) {
        Value isUpper =
            arith::CmpIOp::create(at, arith::CmpIPredicate::ult, p[0], p[1]);
        emitIf(at, isUpper, [&](ImplicitLocOpBuilder &then) {
          a.store(then, conjugate(then, a.load(then, p[1], p[0])), p[0], p[1]);
        });
      });
  if (isa<ComplexType>(a.getElement()))
    makeDiagonalReal(b, a, order);
}

/// Makes a symmetric (Hermitian) matrix diagonal, and multiplies `vectors` by
/// the rotations.
static void diagonalize(ImplicitLocOpBuilder &b, BufferMatrix a,
                        BufferMatrix vectors, int64_t order,
                        BufferScalar status) {
  Type type = getRealType(a.getElement());
  Value limit = buildReal(b, type, getPower(type, -24, -53) * getTarget(type));
  sweep(b, order, status, [&](ImplicitLocOpBuilder &at, Value p, Value q) {
    Value size = buildSize(at, a.load(at, p, q));
    emitIf(at, isGreater(at, size, limit), [&](ImplicitLocOpBuilder &then) {
      noteRotation(then, status);
      diagonalize(then, a, vectors, order, p, q, size);
    });
  });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Replaces the results of an operation by the contents of `buffers`. The last
/// buffer is the status, which is dropped if the operation has no such result.
static void replace(ConversionPatternRewriter &rewriter, Operation *op,
                    ImplicitLocOpBuilder &b, ArrayRef<Value> buffers) {
  SmallVector<Value> results;
  for (Value buffer : buffers.take_front(op->getNumResults()))
    results.push_back(readBuffer(b, b.getLoc(), buffer));
  rewriter.replaceOp(op, results);
}

namespace {
struct ConvertOneSidedJacobi : OpConversionPattern<OneSidedJacobiOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OneSidedJacobiOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Orthogonalized result =
        createOrthogonalized(b, adaptor.getSource(), /*right=*/Value());
    replace(rewriter, op, b, {result.columns, result.norms, result.status});
    return success();
  }
};

struct ConvertEigh : OpConversionPattern<EighOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(EighOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileType type = op.getSource().getType();
    ArrayRef<int64_t> shape = type.getShape();
    int64_t order = shape.back();
    Value matrices = copyToBuffer(b, adaptor.getSource());
    Value vectors = createUnit(b, shape, type.getElementType());
    Value values =
        createZeros(b, dropRows(shape), getRealType(type.getElementType()));
    Value statuses = createZeros(b, shape.drop_back(2), b.getI32Type());
    forEachCoordinate(
        b, shape.drop_back(2),
        [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          BufferMatrix a(matrices, batch), v(vectors, batch);
          BufferScalar eigenvalues(values, batch), status(statuses, batch);
          symmetrize(body, a, order);
          Value largest = scaleMatrix(body, a, order, order);
          diagonalize(body, a, v, order, status);
          // If a matrix has an element that is not finite, all elements of its
          // vectors are NaN.
          Value nothing =
              fromReal(body, arith::SubFOp::create(body, largest, largest),
                       type.getElementType());
          forEach(body, order, [&](ImplicitLocOpBuilder &at, Value j) {
            Value eigenvalue = getReal(at, a.load(at, j, j));
            eigenvalues.store(at, restore(at, eigenvalue, largest), j);
            forEach(at, order, [&](ImplicitLocOpBuilder &row, Value i) {
              v.store(row, add(row, v.load(row, i, j), nothing), i, j);
            });
          });
          noteUnknown(body, status, largest);
          sortColumns(body, eigenvalues, order, /*isDescending=*/false,
                      {{v, order}});
        });
    replace(rewriter, op, b, {values, vectors, statuses});
    return success();
  }
};

struct ConvertSvd : OpConversionPattern<SvdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SvdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileType type = op.getSource().getType(), right = op.getVt().getType();
    ArrayRef<int64_t> shape = type.getShape();
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    Value vectors = createUnit(b, right.getShape(), type.getElementType());
    Orthogonalized result =
        createOrthogonalized(b, adaptor.getSource(), vectors);
    auto forEachMatrix =
        [&](llvm::function_ref<void(ImplicitLocOpBuilder &, ValueRange)> body) {
          forEachCoordinate(b, shape.drop_back(2), body);
        };
    forEachMatrix([&](ImplicitLocOpBuilder &body, ValueRange batch) {
      sortColumns(body, BufferScalar(result.norms, batch), columns,
                  /*isDescending=*/true,
                  {{BufferMatrix(result.columns, batch), rows},
                   {BufferMatrix(vectors, batch), columns}});
    });
    // The factor Q of orthonormal columns has these columns, up to signs.
    // Columns of zeros are replaced by columns that complete the basis.
    QrBuffers qr = createQr(b, readBuffer(b, b.getLoc(), result.columns));
    Value transposed = createZeros(b, right.getShape(), type.getElementType());
    forEachMatrix([&](ImplicitLocOpBuilder &body, ValueRange batch) {
      BufferMatrix q(qr.q, batch), r(qr.r, batch), v(vectors, batch),
          vt(transposed, batch);
      forEachCoordinate(
          body, {rows, columns},
          [&](ImplicitLocOpBuilder &at, ValueRange coordinates) {
            Value diagonal =
                getReal(at, r.load(at, coordinates[1], coordinates[1]));
            Value sign = math::CopySignOp::create(
                at, buildReal(at, diagonal.getType(), 1), diagonal);
            q.store(
                at,
                multiply(at, q.load(at, coordinates[0], coordinates[1]), sign),
                coordinates[0], coordinates[1]);
          });
      forEachCoordinate(body, {columns, columns},
                        [&](ImplicitLocOpBuilder &at, ValueRange coordinates) {
                          Value x = conjugate(
                              at, v.load(at, coordinates[1], coordinates[0]));
                          vt.store(at, x, coordinates[0], coordinates[1]);
                        });
    });
    replace(rewriter, op, b, {qr.q, result.norms, transposed, result.status});
    return success();
  }
};
} // namespace

void cpu::populateJacobiPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertOneSidedJacobi, ConvertEigh, ConvertSvd>(
      converter, patterns.getContext());
}
