// LinearAlgebra.cpp - factorisations and triangular systems, with their errors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results are computed in float64. Their error bounds allow for the type of
// the program and for any order of its operations (Higham, "Accuracy and
// Stability of Numerical Algorithms", 8.2, 9.3 and 10.1). The bounds are of
// first order with a safety factor, which is valid for the well-conditioned
// matrices that the generator makes; results for other matrices are unknown.

#include "Interpreter.h"

#include <complex>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// A complex value, or a real one with imaginary part zero.
using Complex = std::complex<double>;

static Complex getValue(const Element &element) {
  return {element.value, element.imaginary};
}

/// Returns |re| + |im|, by which the choice of pivots compares values.
static double getSize(Complex value) {
  return std::fabs(value.real()) + std::fabs(value.imag());
}

static bool isFinite(Complex value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

/// Makes a result whose parts are each within `error`.
static Element roundParts(Complex value, double error, Type type) {
  Type part = getPartType(type);
  Element real = rounded(value.real(), error, part);
  return part == type
             ? real
             : Element::ofComplex(real, rounded(value.imag(), error, part));
}

/// Returns the maximum relative error of an operation; an operation on complex
/// values has up to four roundings.
static double getRoundoff(Type type) {
  Type part = getPartType(type);
  return getUnitRoundoff(part) * (part == type ? 1 : 4);
}

namespace {
/// A matrix in the elements of a tile, or its transpose.
class Matrix {
public:
  Matrix(MutableArrayRef<Element> elements, int64_t columns, bool isTransposed)
      : elements(elements), columns(columns), isTransposed(isTransposed) {}

  Element &at(int64_t row, int64_t column) {
    return isTransposed ? elements[column * columns + row]
                        : elements[row * columns + column];
  }

private:
  MutableArrayRef<Element> elements;
  int64_t columns;
  bool isTransposed;
};
} // namespace

/// Returns a NaN. It is unknown for complex types, because any of the parts may
/// be NaN.
static Element getNaN(Type type) {
  return getPartType(type) == type
             ? Element::ofFloat(std::numeric_limits<double>::quiet_NaN())
             : Element::unknown();
}

/// Replaces the lower triangle with its Cholesky factor; only the real parts of
/// the diagonal are read. Returns the one-based index of the first column with
/// a pivot that is not positive, zero if there is none, or nothing if it is not
/// known.
static std::optional<int64_t> factorLower(Matrix a, int64_t order, Type type) {
  double largest = 0, least = Element::kInfinity;
  for (int64_t j = 0; j < order; ++j)
    for (int64_t i = j; i < order; ++i) {
      const Element &element = a.at(i, j);
      if (!element.isExact() || !isFinite(getValue(element)))
        return std::nullopt;
      largest = std::max(largest, std::abs(getValue(element)));
    }
  std::vector<std::vector<Complex>> l(order, std::vector<Complex>(order));
  // Rounding may change the sign of a pivot whose absolute value is below
  // `safe`.
  double safe = 0.1 * largest;
  for (int64_t j = 0; j < order; ++j) {
    double pivot = a.at(j, j).value;
    for (int64_t k = 0; k < j; ++k)
      pivot -= std::norm(l[j][k]);
    if (std::fabs(pivot) < safe)
      return std::nullopt;
    if (pivot < 0)
      return j + 1;
    least = std::min(least, pivot);
    l[j][j] = std::sqrt(pivot);
    for (int64_t i = j + 1; i < order; ++i) {
      Complex rest = getValue(a.at(i, j));
      for (int64_t k = 0; k < j; ++k)
        rest -= l[i][k] * std::conj(l[j][k]);
      l[i][j] = rest / l[j][j];
    }
  }
  double error = 8.0 * static_cast<double>(order + 1) * getRoundoff(type) *
                 std::sqrt(largest) * largest / least;
  for (int64_t j = 0; j < order; ++j)
    for (int64_t i = j; i < order; ++i)
      a.at(i, j) = roundParts(l[i][j], error, type);
  return 0;
}

void Interpreter::factor(CholeskyOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  Elements elements = get(op.getSource()), status;
  for (size_t first = 0; first < elements.size(); first += area) {
    Matrix a(MutableArrayRef(elements).slice(first, area), order,
             op.getUpper());
    std::optional<int64_t> failure = factorLower(a, order, element);
    status.push_back(failure ? Element::ofInteger(*failure)
                             : Element::unknown());
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        if (j > i)
          a.at(i, j) = Element::ofFloat(0);
        else if (!failure)
          a.at(i, j) = Element::unknown();
        else if (*failure != 0)
          a.at(i, j) = getNaN(element);
      }
  }
  set(op.getResult(), std::move(elements));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

namespace {
/// Square is a square matrix in float64, with the operations in the definition
/// of tile.cholesky_derivative.
class Square {
public:
  explicit Square(int64_t order) : order(order), elements(order * order) {}

  Complex &at(int64_t i, int64_t j) { return elements[i * order + j]; }
  Complex at(int64_t i, int64_t j) const { return elements[i * order + j]; }

  Square multiply(const Square &other) const {
    Square result(order);
    for (int64_t i = 0; i < order; ++i)
      for (int64_t k = 0; k < order; ++k)
        for (int64_t j = 0; j < order; ++j)
          result.at(i, j) += at(i, k) * other.at(k, j);
    return result;
  }
  /// Returns the conjugate transpose.
  Square adjoin() const {
    Square result(order);
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j)
        result.at(j, i) = std::conj(at(i, j));
    return result;
  }
  /// Returns the lower triangle with its diagonal multiplied by `factor`.
  Square takeLower(double factor) const {
    Square result(order);
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j <= i; ++j)
        result.at(i, j) = at(i, j) * (i == j ? factor : 1);
    return result;
  }
  Square addAdjoint() const {
    Square result = adjoin();
    for (size_t i = 0; i < elements.size(); ++i)
      result.elements[i] += elements[i];
    return result;
  }
  Square getSizes() const {
    Square result(order);
    for (size_t i = 0; i < elements.size(); ++i)
      result.elements[i] = std::abs(elements[i]);
    return result;
  }
  double getLargest() const {
    double largest = 0;
    for (Complex element : elements)
      largest = std::max(largest, std::abs(element));
    return largest;
  }
  /// Returns the inverse of a lower triangle.
  Square invert() const {
    Square result(order);
    for (int64_t j = 0; j < order; ++j)
      for (int64_t i = j; i < order; ++i) {
        Complex rest = i == j;
        for (int64_t k = j; k < i; ++k)
          rest -= at(i, k) * result.at(k, j);
        result.at(i, j) = rest / at(i, i);
      }
    return result;
  }

private:
  int64_t order;
  std::vector<Complex> elements;
};
} // namespace

/// Returns the result for a factor with the given inverse.
static Square differentiate(const Square &l, const Square &inverse,
                            const Square &x, bool isTransposed) {
  if (!isTransposed) {
    Square whole = x.takeLower(0.5).addAdjoint();
    Square inside = inverse.multiply(whole).multiply(inverse.adjoin());
    return l.multiply(inside.takeLower(0.5));
  }
  Square inside = l.adjoin().multiply(x.takeLower(1)).takeLower(0.5);
  return inverse.adjoin()
      .multiply(inside)
      .multiply(inverse)
      .addAdjoint()
      .takeLower(0.5);
}

void Interpreter::differentiate(CholeskyDerivativeOp op) {
  TileType type = op.getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  Elements factors = get(op.getFactor()), changes = get(op.getChange());
  for (size_t first = 0; first < factors.size(); first += area) {
    Square l(order), x(order), ofChange(order);
    double ofFactor = 0;
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        const Element &own = factors[first + i * order + j];
        const Element &change = changes[first + i * order + j];
        l.at(i, j) = getValue(own);
        x.at(i, j) = getValue(change);
        ofFactor = std::max(ofFactor, own.error);
        ofChange.at(i, j) = change.error;
      }
    Square inverse = l.invert();
    Square result = ::differentiate(l, inverse, x, op.getTransposed());
    // The errors are bounded by this function of absolute values.
    Square sizes = l.getSizes(), inverseSizes = inverse.getSizes();
    Square bounds =
        ::differentiate(sizes, inverseSizes, x.getSizes(), op.getTransposed());
    Square carried =
        ::differentiate(sizes, inverseSizes, ofChange, op.getTransposed());
    double condition = sizes.multiply(inverseSizes).getLargest() + 1;
    double relative =
        8.0 * static_cast<double>(order + 1) * condition *
        (8 * getRoundoff(element) + 2 * ofFactor * inverse.getLargest());
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        Element &to = changes[first + i * order + j];
        double error =
            relative * bounds.at(i, j).real() + 2 * carried.at(i, j).real();
        bool isKnown =
            isFinite(result.at(i, j)) && std::isfinite(error) && relative < 0.5;
        to = j > i     ? Element::ofFloat(0)
             : isKnown ? roundParts(result.at(i, j), error, element)
                       : Element::unknown();
      }
  }
  set(op.getResult(), std::move(changes));
}

/// Solves for one right-hand side, a column of `x`, which becomes the solution.
/// The whole solution is unknown if one of its elements is not finite.
static void substitute(Matrix t, Matrix x, int64_t column, int64_t order,
                       bool isForward, bool isUnit, Type type) {
  double unit = getRoundoff(type) * 4.0 * static_cast<double>(order + 1);
  bool isKnown = true;
  for (int64_t n = 0; n < order; ++n) {
    int64_t i = isForward ? n : order - 1 - n;
    Element &own = x.at(i, column);
    Complex value = getValue(own);
    double error = own.error, size = std::abs(value);
    for (int64_t m = 0; m < n; ++m) {
      int64_t k = isForward ? m : order - 1 - m;
      Complex factor = getValue(t.at(i, k)), known = getValue(x.at(k, column));
      double ofFactor = t.at(i, k).error, ofKnown = x.at(k, column).error;
      value -= factor * known;
      size += std::abs(factor * known);
      error +=
          ofFactor * (std::abs(known) + ofKnown) + std::abs(factor) * ofKnown;
    }
    error += unit * size;
    if (!isUnit) {
      const Element &pivot = t.at(i, i);
      double least = std::abs(getValue(pivot)) - pivot.error;
      value /= getValue(pivot);
      error = (error + std::abs(value) * pivot.error) / least +
              unit * std::abs(value);
      if (!(least > 0))
        error = Element::kInfinity;
    }
    isKnown &= isFinite(value) && std::isfinite(error);
    own = isKnown ? roundParts(value, error, type) : Element::unknown();
  }
  for (int64_t i = 0; i < order && !isKnown; ++i)
    x.at(i, column) = Element::unknown();
}

void Interpreter::solve(TriangularSolveOp op) {
  TileType type = op.getType();
  int64_t order = op.getTriangle().getType().getShape().back();
  int64_t columns = type.getShape().back();
  int64_t area = columns * type.getDimSize(type.getRank() - 2);
  // The solution of X T = B is that of T' X' = B', transposed.
  bool isTransposed = op.getTransposed() != op.getRight();
  Elements triangles = get(op.getTriangle()), elements = get(op.getRhs());
  for (size_t i = 0; i * area < elements.size(); ++i) {
    Matrix t(MutableArrayRef(triangles).slice(i * order * order, order * order),
             order, isTransposed);
    Matrix x(MutableArrayRef(elements).slice(i * area, area), columns,
             op.getRight());
    for (int64_t column = 0; column < area / order; ++column)
      substitute(t, x, column, order, isTransposed == op.getUpper(),
                 op.getUnit(), type.getElementType());
  }
  set(op.getResult(), std::move(elements));
}

namespace {
/// The factors of a matrix A, P' A = L U, computed in float64. They are unknown
/// if the choice of a pivot is ambiguous.
class Factors {
public:
  /// Factors the matrix; the rows of the factors are in the order of the
  /// permutation.
  Factors(Matrix a, int64_t order) : order(order), rows(order), a(order) {
    std::iota(rows.begin(), rows.end(), 0);
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        const Element &element = a.at(i, j);
        isKnown &= element.isExact() && isFinite(getValue(element));
        this->a[i].push_back(getValue(element));
        largest = std::max(largest, std::abs(getValue(element)));
      }
    source = this->a;
    for (int64_t j = 0; isKnown && j < order; ++j)
      eliminate(j);
  }

  int64_t getRow(int64_t i) const { return rows[i]; }
  Complex get(int64_t i, int64_t j) const { return a[i][j]; }
  double getSign() const { return isOdd ? -1 : 1; }
  bool areKnown() const { return isKnown; }
  /// Returns the error of each element, without the rounding to its type.
  double getError(Type type) const {
    return 16.0 * static_cast<double>(order + 1) * getRoundoff(type) * largest *
           std::pow(std::max(1.0, largest / least), 2);
  }

  /// Returns the minimum, over the rows of P' A, of the absolute value of the
  /// diagonal element minus the sum of the absolute values of the other
  /// elements. If it is positive, its reciprocal bounds the norm of the
  /// inverse.
  double getDominance() const {
    double dominance = Element::kInfinity;
    for (int64_t i = 0; i < order; ++i)
      dominance =
          std::min(dominance, 2 * std::abs(source[rows[i]][i]) - getRowSum(i));
    return dominance;
  }
  double getNorm() const {
    double norm = 0;
    for (int64_t i = 0; i < order; ++i)
      norm = std::max(norm, getRowSum(i));
    return norm;
  }

  /// Solves A X = B for a column of X.
  std::vector<Complex> solve(std::vector<Complex> b) const {
    std::vector<Complex> x(order);
    for (int64_t i = 0; i < order; ++i) {
      x[i] = b[rows[i]];
      for (int64_t k = 0; k < i; ++k)
        x[i] -= a[i][k] * x[k];
    }
    for (int64_t i = order; i-- > 0;) {
      for (int64_t k = i + 1; k < order; ++k)
        x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
    return x;
  }

private:
  double getRowSum(int64_t i) const {
    double sum = 0;
    for (Complex element : source[rows[i]])
      sum += std::abs(element);
    return sum;
  }

  void eliminate(int64_t j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < order; ++i)
      if (getSize(a[i][j]) > getSize(a[pivot][j]))
        pivot = i;
    double size = getSize(a[pivot][j]);
    for (int64_t i = j; i < order; ++i)
      isKnown &= i == pivot || size - getSize(a[i][j]) > 0.01 * largest;
    isKnown &= size > 0.01 * largest;
    if (!isKnown)
      return;
    least = std::min(least, std::abs(a[pivot][j]));
    isOdd ^= pivot != j;
    std::swap(a[j], a[pivot]);
    std::swap(rows[j], rows[pivot]);
    for (int64_t i = j + 1; i < order; ++i) {
      a[i][j] /= a[j][j];
      for (int64_t k = j + 1; k < order; ++k)
        a[i][k] -= a[i][j] * a[j][k];
    }
  }

  int64_t order;
  std::vector<int64_t> rows;
  std::vector<std::vector<Complex>> a, source;
  double largest = 0, least = Element::kInfinity;
  bool isKnown = true, isOdd = false;
};
} // namespace

void Interpreter::factor(LuOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  Elements elements = get(op.getSource()), permutation, status;
  for (size_t first = 0; first < elements.size(); first += area) {
    Matrix a(MutableArrayRef(elements).slice(first, area), order, false);
    Factors factors(a, order);
    status.push_back(factors.areKnown() ? Element::ofInteger(0)
                                        : Element::unknown());
    for (int64_t i = 0; i < order; ++i) {
      int64_t to = op.getUnordered() ? factors.getRow(i) : i;
      permutation.push_back(factors.areKnown()
                                ? Element::ofInteger(factors.getRow(i))
                                : Element::unknown());
      for (int64_t j = 0; j < order; ++j)
        a.at(to, j) = factors.areKnown()
                          ? roundParts(factors.get(i, j),
                                       factors.getError(element), element)
                          : Element::unknown();
    }
  }
  set(op.getResult(), std::move(elements));
  set(op.getPermutation(), std::move(permutation));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

/// Replaces the right-hand sides with the solutions. They are unknown if P' A
/// is not diagonally dominant.
static void solveSides(const Factors &factors, Matrix sides, int64_t order,
                       int64_t columns, Type type) {
  double dominance = factors.areKnown() ? factors.getDominance() : 0;
  for (int64_t column = 0; column < columns; ++column) {
    std::vector<Complex> b;
    double error = 0, size = 0;
    for (int64_t i = 0; i < order; ++i) {
      b.push_back(getValue(sides.at(i, column)));
      error = std::max(error, sides.at(i, column).error);
    }
    bool isKnown =
        dominance > 0 && std::isfinite(error) && llvm::all_of(b, isFinite);
    std::vector<Complex> x(order);
    if (isKnown)
      x = factors.solve(b);
    for (Complex element : x)
      size = std::max(size, std::abs(element));
    if (isKnown)
      error = error / dominance + 64.0 * static_cast<double>(order + 1) *
                                      getRoundoff(type) * size *
                                      factors.getNorm() / dominance;
    for (int64_t i = 0; i < order; ++i)
      sides.at(i, column) =
          isKnown ? roundParts(x[i], error, type) : Element::unknown();
  }
}

void Interpreter::solve(SolveOp op) {
  TileType type = op.getResult().getType();
  Type element = type.getElementType();
  int64_t order = op.getMatrix().getType().getShape().back();
  int64_t columns = type.getShape().back();
  Elements matrices = get(op.getMatrix()), elements = get(op.getRhs()), status;
  for (size_t i = 0; i * order * columns < elements.size(); ++i) {
    Matrix a(MutableArrayRef(matrices).slice(i * order * order, order * order),
             order, false);
    MutableArrayRef<Element> sides =
        MutableArrayRef(elements).slice(i * order * columns, order * columns);
    std::optional<int64_t> failure;
    if (op.getSpd()) {
      for (int64_t row = 0; row < order; ++row) {
        a.at(row, row).imaginary = 0;
        for (int64_t column = row + 1; column < order; ++column) {
          a.at(row, column) = a.at(column, row);
          a.at(row, column).imaginary *= -1;
        }
      }
      Elements lower(matrices.begin() + i * order * order,
                     matrices.begin() + (i + 1) * order * order);
      failure = factorLower(Matrix(lower, order, false), order, element);
    }
    Factors factors(a, order);
    if (!op.getSpd() && factors.areKnown())
      failure = 0;
    status.push_back(failure ? Element::ofInteger(*failure)
                             : Element::unknown());
    if (failure.value_or(0) != 0)
      llvm::fill(sides, getNaN(element));
    else if (!failure)
      llvm::fill(sides, Element::unknown());
    else
      solveSides(factors, Matrix(sides, columns, false), order, columns,
                 element);
  }
  set(op.getResult(), std::move(elements));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

void Interpreter::invert(InverseOp op) {
  TileType type = op.getSource().getType();
  int64_t order = type.getShape().back(), area = order * order;
  Elements elements = get(op.getSource()), status;
  for (size_t first = 0; first < elements.size(); first += area) {
    Matrix a(MutableArrayRef(elements).slice(first, area), order, false);
    Factors factors(a, order);
    status.push_back(factors.areKnown() ? Element::ofInteger(0)
                                        : Element::unknown());
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j)
        a.at(i, j) = Element::ofFloat(i == j ? 1 : 0);
    solveSides(factors, a, order, order, type.getElementType());
  }
  set(op.getResult(), std::move(elements));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

namespace {
/// The determinant, the product of the pivots, as its sign and logarithm.
struct Determinant {
  Complex sign = 1;
  double logarithm = 0;
  double sizes = 0; ///< sum of the logarithms' absolute values
  double error = 0; ///< relative error of the determinant
};
} // namespace

/// Calls `visit` with the determinant of each matrix; with null if a pivot is
/// not known.
static void
forEachDeterminant(Elements elements, TileType type,
                   llvm::function_ref<void(const Determinant *)> visit) {
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  for (size_t first = 0; first < elements.size(); first += area) {
    Matrix a(MutableArrayRef(elements).slice(first, area), order, false);
    Factors factors(a, order);
    if (!factors.areKnown()) {
      visit(nullptr);
      continue;
    }
    Determinant determinant;
    determinant.sign = factors.getSign();
    for (int64_t i = 0; i < order; ++i) {
      Complex pivot = factors.get(i, i);
      double size = std::abs(pivot), logarithm = std::log(size);
      determinant.sign *= pivot / size;
      determinant.logarithm += logarithm;
      determinant.sizes += std::fabs(logarithm);
      determinant.error +=
          factors.getError(element) / size + 4 * getRoundoff(element);
    }
    determinant.error = std::expm1(determinant.error);
    visit(&determinant);
  }
}

void Interpreter::takeDeterminants(DeterminantOp op) {
  TileType type = op.getSource().getType();
  Elements results;
  forEachDeterminant(get(op.getSource()), type, [&](const Determinant *of) {
    if (!of)
      return results.push_back(Element::unknown());
    double size = std::exp(of->logarithm);
    results.push_back(
        roundParts(of->sign * size, of->error * size, type.getElementType()));
  });
  set(op.getResult(), std::move(results));
}

/// Evaluates the signs and logarithms of determinants. The sign of a real
/// determinant is exact.
void Interpreter::takeDeterminants(LogDetOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType(), part = getPartType(element);
  double terms = 16.0 * static_cast<double>(type.getShape().back());
  Elements signs, logarithms;
  forEachDeterminant(get(op.getSource()), type, [&](const Determinant *of) {
    if (!of) {
      signs.push_back(Element::unknown());
      return logarithms.push_back(Element::unknown());
    }
    signs.push_back(part == element
                        ? Element::ofFloat(of->sign.real() < 0 ? -1 : 1)
                        : roundParts(of->sign, of->error, element));
    logarithms.push_back(rounded(
        of->logarithm,
        of->error + terms * getUnitRoundoff(part) * (1 + of->sizes), part));
  });
  set(op.getSign(), std::move(signs));
  set(op.getLogarithm(), std::move(logarithms));
}

/// Calls `visit` for each diagonal element of the matrices in a tile, with its
/// index among all diagonal elements and its row-major index in the tile.
static void forEachOnDiagonal(TileType type,
                              llvm::function_ref<void(size_t, size_t)> visit) {
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  size_t index = 0;
  for (int64_t first = 0; first < type.getNumElements();
       first += rows * columns)
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
      visit(index++, first + i * (columns + 1));
}

void Interpreter::takeDiagonal(DiagonalOp op) {
  const Elements &source = get(op.getSource());
  Elements diagonal(op.getType().getNumElements());
  forEachOnDiagonal(op.getSource().getType(),
                    [&](size_t index, size_t position) {
                      diagonal[index] = source[position];
                    });
  set(op.getResult(), std::move(diagonal));
}

void Interpreter::addDiagonal(AddDiagonalOp op) {
  Type type = op.getType().getElementType();
  bool isTile = isa<TileType>(op.getDiagonal().getType());
  const Elements &added = get(op.getDiagonal());
  Elements elements = get(op.getSource());
  forEachOnDiagonal(op.getType(), [&](size_t index, size_t position) {
    const Element &summand = added[isTile ? index : 0];
    Element &element = elements[position];
    element = isInteger(type) || hasDuals
                  ? addElements(element, summand, type)
                  : roundParts(getValue(element) + getValue(summand),
                               element.error + summand.error, type);
  });
  set(op.getResult(), std::move(elements));
}
