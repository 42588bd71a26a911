// DualMatrices.cpp - linear algebra and Fourier transforms on dual numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the textbook algorithms, on dual numbers. So the derivatives of
// factorisations and solutions follow from those of arithmetic and of square
// roots, without a rule of their own.

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// A matrix of dual numbers, row by row.
template <typename Number>
struct DualMatrix {
  int64_t rows, columns;
  std::vector<Dual<Number>> elements;

  DualMatrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), elements(rows * columns) {}

  Dual<Number> &at(int64_t i, int64_t j) { return elements[i * columns + j]; }
};
} // namespace

static void read(const ComplexDual &from, RealDual &to) { to = real(from); }
static void read(const ComplexDual &from, ComplexDual &to) { to = from; }
static ComplexDual write(const RealDual &x) { return {x.value, x.tangent}; }
static ComplexDual write(const ComplexDual &x) { return x; }

/// Reads the matrix `index` of the matrices in a tile.
template <typename Number>
static DualMatrix<Number> getMatrix(ArrayRef<ComplexDual> elements,
                                    ArrayRef<int64_t> shape, int64_t index) {
  shape = shape.take_back(2);
  DualMatrix<Number> matrix(shape[0], shape[1]);
  int64_t area = shape[0] * shape[1];
  for (auto [from, to] :
       llvm::zip_equal(elements.slice(index * area, area), matrix.elements))
    read(from, to);
  return matrix;
}

/// Returns the transpose, without the conjugate.
template <typename Number>
static DualMatrix<Number> transpose(DualMatrix<Number> a) {
  DualMatrix<Number> result(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      result.at(j, i) = a.at(i, j);
  return result;
}

template <typename Number>
static void append(std::vector<ComplexDual> &to,
                   const DualMatrix<Number> &matrix) {
  for (const Dual<Number> &element : matrix.elements)
    to.push_back(write(element));
}

/// Calls `visit` with a null pointer to the component type of `value`, and the
/// index of each matrix.
template <typename Visit>
static void forEachMatrix(Value value, Visit visit) {
  ArrayRef<int64_t> shape = getShape(value);
  int64_t count = llvm::product_of(shape.drop_back(2));
  for (int64_t index = 0; index < count; ++index) {
    if (isa<ComplexType>(getElement(value)))
      visit(static_cast<WideComplex *>(nullptr), index);
    else
      visit(static_cast<Wide *>(nullptr), index);
  }
}

/// Returns the Cholesky factor L of the Hermitian matrix whose lower triangle
/// is given.
template <typename Number>
static DualMatrix<Number> factorLower(DualMatrix<Number> a) {
  DualMatrix<Number> l(a.rows, a.rows);
  for (int64_t j = 0; j < a.rows; ++j)
    for (int64_t i = j; i < a.rows; ++i) {
      Dual<Number> rest = a.at(i, j);
      for (int64_t k = 0; k < j; ++k)
        rest -= l.at(i, k) * conj(l.at(j, k));
      if (i > j) {
        l.at(i, j) = rest / l.at(j, j);
        continue;
      }
      RealDual pivot = sqrt(real(rest));
      l.at(j, j) = {pivot.value, pivot.tangent};
    }
  return l;
}

void Interpreter::computeDuals(CholeskyOp op) {
  std::vector<ComplexDual> source = getDuals(op.getSource()), duals;
  forEachMatrix(op.getSource(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto a = getMatrix<Number>(source, getShape(op.getSource()), index);
    append(duals, op.getUpper() ? transpose(factorLower(transpose(a)))
                                : factorLower(a));
  });
  setDuals(op.getResult(), duals);
}

/// Solves T X = B by substitution, where T is a lower triangle.
template <typename Number>
static DualMatrix<Number> substitute(DualMatrix<Number> t, DualMatrix<Number> b,
                                     bool isUnit) {
  for (int64_t column = 0; column < b.columns; ++column)
    for (int64_t i = 0; i < t.rows; ++i) {
      for (int64_t k = 0; k < i; ++k)
        b.at(i, column) -= t.at(i, k) * b.at(k, column);
      if (!isUnit)
        b.at(i, column) = b.at(i, column) / t.at(i, i);
    }
  return b;
}

template <typename Number>
static DualMatrix<Number> multiply(DualMatrix<Number> a, DualMatrix<Number> b) {
  DualMatrix<Number> result(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t k = 0; k < a.columns; ++k)
        result.at(i, j) += a.at(i, k) * b.at(k, j);
  return result;
}

/// Returns the conjugate transpose.
template <typename Number>
static DualMatrix<Number> adjoin(DualMatrix<Number> a) {
  DualMatrix<Number> result = transpose(a);
  for (Dual<Number> &element : result.elements)
    element = conj(element);
  return result;
}

/// Returns the lower triangle with its diagonal multiplied by `factor`.
template <typename Number>
static DualMatrix<Number> takeLower(DualMatrix<Number> a, Wide factor) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = i; j < a.columns; ++j)
      a.at(i, j) = a.at(i, j) * Dual<Number>{i == j ? factor : 0, 0};
  return a;
}

/// Returns A + A', where A' is the conjugate transpose.
template <typename Number>
static DualMatrix<Number> addAdjoint(DualMatrix<Number> a) {
  DualMatrix<Number> other = adjoin(a);
  for (auto [to, from] : llvm::zip_equal(a.elements, other.elements))
    to += from;
  return a;
}

/// Returns the change of the factor L, or the gradient by its source, from the
/// definition of tile.cholesky_derivative.
template <typename Number>
static DualMatrix<Number>
differentiate(DualMatrix<Number> l, DualMatrix<Number> x, bool isTransposed) {
  l = takeLower(l, 1);
  DualMatrix<Number> unit(l.rows, l.rows);
  for (int64_t i = 0; i < l.rows; ++i)
    unit.at(i, i) = {1, 0};
  auto inverse = substitute(l, unit, /*isUnit=*/false);
  if (!isTransposed) {
    auto whole = addAdjoint(takeLower(x, 0.5));
    auto inside = multiply(multiply(inverse, whole), adjoin(inverse));
    return multiply(l, takeLower(inside, 0.5));
  }
  auto inside = takeLower(multiply(adjoin(l), takeLower(x, 1)), 0.5);
  auto both = multiply(multiply(adjoin(inverse), inside), inverse);
  return takeLower(addAdjoint(both), 0.5);
}

void Interpreter::computeDuals(CholeskyDerivativeOp op) {
  std::vector<ComplexDual> factors = getDuals(op.getFactor()),
                           changes = getDuals(op.getChange()), duals;
  ArrayRef<int64_t> shape = getShape(op.getFactor());
  forEachMatrix(op.getFactor(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    append(duals, ::differentiate(getMatrix<Number>(factors, shape, index),
                                  getMatrix<Number>(changes, shape, index),
                                  op.getTransposed()));
  });
  setDuals(op.getResult(), duals);
}

/// Returns a matrix with its rows in reverse order.
template <typename Number>
static DualMatrix<Number> flip(DualMatrix<Number> a) {
  DualMatrix<Number> result(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      result.at(a.rows - 1 - i, j) = a.at(i, j);
  return result;
}

void Interpreter::computeDuals(TriangularSolveOp op) {
  std::vector<ComplexDual> triangles = getDuals(op.getTriangle()),
                           sides = getDuals(op.getRhs()), duals;
  forEachMatrix(op.getTriangle(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto t = getMatrix<Number>(triangles, getShape(op.getTriangle()), index);
    auto b = getMatrix<Number>(sides, getShape(op.getRhs()), index);
    bool isUpper = op.getUpper();
    // X T = B is T' X' = B'.
    if (op.getTransposed() != op.getRight()) {
      t = transpose(t);
      isUpper = !isUpper;
    }
    if (op.getRight())
      b = transpose(b);
    // An upper triangle becomes a lower one if rows and columns are reversed.
    if (isUpper) {
      t = transpose(flip(transpose(flip(t))));
      b = flip(b);
    }
    auto x = substitute(t, b, op.getUnit());
    x = isUpper ? flip(x) : x;
    append(duals, op.getRight() ? transpose(x) : x);
  });
  setDuals(op.getResult(), duals);
}

/// Makes a matrix upper triangular by elimination with partial pivoting, and
/// changes `b`, which has as many rows, in the same way. Returns the sign of
/// the permutation.
template <typename Number>
static Wide eliminate(DualMatrix<Number> &a, DualMatrix<Number> &b) {
  Wide sign = 1;
  auto swap = [](DualMatrix<Number> &m, int64_t i, int64_t j) {
    for (int64_t k = 0; k < m.columns; ++k)
      std::swap(m.at(i, k), m.at(j, k));
  };
  auto subtract = [](DualMatrix<Number> &m, int64_t to, int64_t from,
                     Dual<Number> factor) {
    for (int64_t k = 0; k < m.columns; ++k)
      m.at(to, k) -= factor * m.at(from, k);
  };
  for (int64_t j = 0; j < a.rows; ++j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < a.rows; ++i)
      if (std::abs(a.at(i, j).value) > std::abs(a.at(pivot, j).value))
        pivot = i;
    if (pivot != j) {
      swap(a, j, pivot);
      swap(b, j, pivot);
      sign = -sign;
    }
    for (int64_t i = j + 1; i < a.rows; ++i) {
      Dual<Number> factor = a.at(i, j) / a.at(j, j);
      subtract(a, i, j, factor);
      subtract(b, i, j, factor);
    }
  }
  return sign;
}

/// Returns the solution of A X = B.
template <typename Number>
static DualMatrix<Number> solveSystem(DualMatrix<Number> a,
                                      DualMatrix<Number> b) {
  (void)eliminate(a, b);
  // The lower triangle of the reversed matrix is the upper one of A.
  return flip(substitute(transpose(flip(transpose(flip(a)))), flip(b), false));
}

/// Returns the Hermitian matrix whose lower triangle is given; the imaginary
/// parts of its diagonal are not read.
template <typename Number>
static DualMatrix<Number> completeHermitian(DualMatrix<Number> a) {
  for (int64_t i = 0; i < a.rows; ++i) {
    RealDual diagonal = real(a.at(i, i));
    a.at(i, i) = {diagonal.value, diagonal.tangent};
    for (int64_t j = i + 1; j < a.rows; ++j)
      a.at(i, j) = conj(a.at(j, i));
  }
  return a;
}

void Interpreter::computeDuals(SolveOp op) {
  std::vector<ComplexDual> matrices = getDuals(op.getMatrix()),
                           sides = getDuals(op.getRhs()), duals;
  forEachMatrix(op.getMatrix(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto a = getMatrix<Number>(matrices, getShape(op.getMatrix()), index);
    auto b = getMatrix<Number>(sides, getShape(op.getRhs()), index);
    append(duals, solveSystem(op.getSpd() ? completeHermitian(a) : a, b));
  });
  setDuals(op.getResult(), duals);
}

void Interpreter::computeDuals(InverseOp op) {
  std::vector<ComplexDual> source = getDuals(op.getSource()), duals;
  forEachMatrix(op.getSource(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto a = getMatrix<Number>(source, getShape(op.getSource()), index);
    DualMatrix<Number> identity(a.rows, a.rows);
    for (int64_t i = 0; i < a.rows; ++i)
      identity.at(i, i) = Dual<Number>(1);
    append(duals, solveSystem(a, identity));
  });
  setDuals(op.getResult(), duals);
}

/// Returns the diagonal after elimination: the factors of the determinant.
template <typename Number>
static std::vector<Dual<Number>> getPivots(DualMatrix<Number> a) {
  DualMatrix<Number> none(a.rows, 0);
  Wide sign = eliminate(a, none);
  std::vector<Dual<Number>> pivots;
  for (int64_t i = 0; i < a.rows; ++i)
    pivots.push_back(a.at(i, i));
  pivots.front() *= Dual<Number>(sign);
  return pivots;
}

void Interpreter::computeDuals(DeterminantOp op) {
  std::vector<ComplexDual> source = getDuals(op.getSource()), duals;
  forEachMatrix(op.getSource(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    Dual<Number> product(1);
    for (const Dual<Number> &pivot :
         getPivots(getMatrix<Number>(source, getShape(op.getSource()), index)))
      product *= pivot;
    duals.push_back(write(product));
  });
  setDuals(op.getResult(), duals);
}

void Interpreter::computeDuals(LogDetOp op) {
  std::vector<ComplexDual> source = getDuals(op.getSource()), signs, logarithms;
  forEachMatrix(op.getSource(), [&](auto *number, int64_t index) {
    using Number = std::remove_pointer_t<decltype(number)>;
    Dual<Number> sign(1);
    RealDual logarithm;
    for (const Dual<Number> &pivot : getPivots(
             getMatrix<Number>(source, getShape(op.getSource()), index))) {
      RealDual size = abs(pivot);
      sign *= pivot / Dual<Number>(size.value, size.tangent);
      logarithm += log(size);
    }
    signs.push_back(write(sign));
    logarithms.push_back(write(logarithm));
  });
  setDuals(op.getSign(), signs);
  setDuals(op.getLogarithm(), logarithms);
}

void Interpreter::computeDuals(MatmulOp op) {
  std::vector<ComplexDual> duals = getDuals(op.getAcc());
  ArrayRef<int64_t> shape = getShape(op.getAcc());
  int64_t count = llvm::product_of(shape.drop_back(2));
  // An operand of rank 2 is used for the whole batch.
  auto getOperand = [&](Value operand, int64_t index) {
    return getMatrix<WideComplex>(getDuals(operand), getShape(operand),
                                  getShape(operand).size() > 2 ? index : 0);
  };
  for (int64_t index = 0, next = 0; index < count; ++index) {
    DualMatrix<WideComplex> a = getOperand(op.getLhs(), index),
                            b = getOperand(op.getRhs(), index);
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t j = 0; j < b.columns; ++j, ++next)
        for (int64_t k = 0; k < a.columns; ++k)
          duals[next] += a.at(i, k) * b.at(k, j);
  }
  setDuals(op.getResult(), duals);
}

static Wide getFactor(FftNorm norm, int64_t length) {
  auto n = static_cast<Wide>(length);
  return norm == FftNorm::none   ? 1
         : norm == FftNorm::by_n ? 1 / n
                                 : 1 / std::sqrt(n);
}

/// Appends the n elements of a real row's spectrum, given its first
/// n / 2 + 1: the others are conjugates, and elements that are their own
/// conjugates are real.
static void completeSpectrum(std::vector<ComplexDual> &row, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    if (k > n / 2)
      row.push_back(conj(row[n - k]));
    else if (k == (n - k) % n)
      row[k] = write(real(row[k]));
  }
}

/// Computes a Fourier transform by its definition.
void Interpreter::computeDualTransform(Value source, Value result, FftNorm norm,
                                       bool isInverse) {
  int64_t given = getShape(source).back(), wanted = getShape(result).back();
  bool isToReal = !isa<ComplexType>(getElement(result));
  int64_t n = isToReal ? wanted : given;
  Wide circle = 2 * std::acos(Wide(-1)) * (isInverse ? 1 : -1);
  std::vector<ComplexDual> elements = getDuals(source), duals, roots;
  for (int64_t k = 0; k < n; ++k)
    roots.push_back(
        std::polar<Wide>(1, circle * static_cast<Wide>(2 * k > n ? k - n : k) /
                                static_cast<Wide>(n)));
  for (auto begin = elements.begin(); begin != elements.end(); begin += given) {
    std::vector<ComplexDual> row(begin, begin + given);
    if (isToReal)
      completeSpectrum(row, n);
    for (int64_t index = 0; index < wanted; ++index) {
      ComplexDual sum;
      for (int64_t k = 0; k < n; ++k)
        sum += row[k] * roots[index * k % n];
      sum *= ComplexDual(getFactor(norm, n));
      duals.push_back(isToReal ? write(real(sum)) : sum);
    }
  }
  setDuals(result, duals);
}
