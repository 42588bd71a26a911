// LinearAlgebra.cpp - factorisations and triangular systems, with their errors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In float64, beside bounds of what another order and another type may have
// made of it (Higham, "Accuracy and Stability of Numerical Algorithms", 8.2,
// 9.3 and 10.1): first-order ones with a factor to spare, which hold for what
// the generator makes, matrices of a small condition; of others nothing is
// known.

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// A matrix among the numbers of a tile, or its transpose.
class Matrix {
public:
  Matrix(MutableArrayRef<Number> numbers, int64_t columns, bool isTransposed)
      : numbers(numbers), columns(columns), isTransposed(isTransposed) {}

  Number &at(int64_t row, int64_t column) {
    return isTransposed ? numbers[column * columns + row]
                        : numbers[row * columns + column];
  }

private:
  MutableArrayRef<Number> numbers;
  int64_t columns;
  bool isTransposed;
};
} // namespace

/// The number from one on of the first column whose pivot is not positive, zero
/// if there is none; nothing where that is not known. The lower triangle
/// becomes the factor.
static std::optional<int64_t> factorLower(Matrix a, int64_t order, Type type) {
  double largest = 0, least = Number::kInfinity;
  for (int64_t j = 0; j < order; ++j)
    for (int64_t i = j; i < order; ++i) {
      const Number &number = a.at(i, j);
      if (!number.isExact() || !std::isfinite(number.value))
        return std::nullopt;
      largest = std::max(largest, std::fabs(number.value));
    }
  // Rounded by a part of this, pivots of the same sign.
  double safe = 0.1 * largest;
  for (int64_t j = 0; j < order; ++j) {
    double pivot = a.at(j, j).value;
    for (int64_t k = 0; k < j; ++k)
      pivot -= a.at(j, k).value * a.at(j, k).value;
    if (std::fabs(pivot) < safe)
      return std::nullopt;
    if (pivot < 0)
      return j + 1;
    least = std::min(least, pivot);
    a.at(j, j).value = std::sqrt(pivot);
    for (int64_t i = j + 1; i < order; ++i) {
      double rest = a.at(i, j).value;
      for (int64_t k = 0; k < j; ++k)
        rest -= a.at(i, k).value * a.at(j, k).value;
      a.at(i, j).value = rest / a.at(j, j).value;
    }
  }
  double error = 8.0 * static_cast<double>(order + 1) * getUnitRoundoff(type) *
                 std::sqrt(largest) * largest / least;
  for (int64_t j = 0; j < order; ++j)
    for (int64_t i = j; i < order; ++i)
      a.at(i, j) = rounded(a.at(i, j).value, error, type);
  return 0;
}

void Interpreter::factor(CholeskyOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  Numbers numbers = get(op.getSource()), status;
  for (size_t first = 0; first < numbers.size(); first += area) {
    Matrix a(MutableArrayRef(numbers).slice(first, area), order, op.getUpper());
    std::optional<int64_t> failure = factorLower(a, order, element);
    status.push_back(failure ? Number::ofInteger(*failure) : Number::unknown());
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        if (j > i)
          a.at(i, j) = Number::ofFloat(0);
        else if (!failure)
          a.at(i, j) = Number::unknown();
        else if (*failure != 0)
          a.at(i, j) =
              Number::ofFloat(std::numeric_limits<double>::quiet_NaN());
      }
  }
  set(op.getResult(), std::move(numbers));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

/// One right-hand side, a column of `x`, which becomes the solution.
static void substitute(Matrix t, Matrix x, int64_t column, int64_t order,
                       bool isForward, bool isUnit, Type type) {
  double unit = getUnitRoundoff(type) * 4.0 * static_cast<double>(order + 1);
  for (int64_t n = 0; n < order; ++n) {
    int64_t i = isForward ? n : order - 1 - n;
    Number &own = x.at(i, column);
    double value = own.value, error = own.error, size = std::fabs(own.value);
    for (int64_t m = 0; m < n; ++m) {
      int64_t k = isForward ? m : order - 1 - m;
      const Number &factor = t.at(i, k), &known = x.at(k, column);
      value -= factor.value * known.value;
      size += std::fabs(factor.value * known.value);
      error += factor.error * (std::fabs(known.value) + known.error) +
               std::fabs(factor.value) * known.error;
    }
    error += unit * size;
    if (!isUnit) {
      const Number &pivot = t.at(i, i);
      double least = std::fabs(pivot.value) - pivot.error;
      value /= pivot.value;
      error = (error + std::fabs(value) * pivot.error) / least +
              unit * std::fabs(value);
      if (!(least > 0))
        error = Number::kInfinity;
    }
    own = std::isfinite(value) && std::isfinite(error)
              ? rounded(value, error, type)
              : Number::unknown();
  }
}

void Interpreter::solve(TriangularSolveOp op) {
  TileType type = op.getType();
  int64_t order = op.getTriangle().getType().getShape().back();
  int64_t columns = type.getShape().back();
  int64_t area = columns * type.getDimSize(type.getRank() - 2);
  // X T = B is T' X' = B'.
  bool isTransposed = op.getTransposed() != op.getRight();
  Numbers triangles = get(op.getTriangle()), numbers = get(op.getRhs());
  for (size_t i = 0; i * area < numbers.size(); ++i) {
    Matrix t(MutableArrayRef(triangles).slice(i * order * order, order * order),
             order, isTransposed);
    Matrix x(MutableArrayRef(numbers).slice(i * area, area), columns,
             op.getRight());
    for (int64_t column = 0; column < area / order; ++column)
      substitute(t, x, column, order, isTransposed == op.getUpper(),
                 op.getUnit(), type.getElementType());
  }
  set(op.getResult(), std::move(numbers));
}

namespace {
/// P' A = L U of a matrix in float64, as far as there is no doubt about pivots.
class Factors {
public:
  /// Rows in the order of the permutation if there is one.
  Factors(Matrix a, int64_t order) : order(order), rows(order), a(order) {
    std::iota(rows.begin(), rows.end(), 0);
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        const Number &number = a.at(i, j);
        isKnown &= number.isExact() && std::isfinite(number.value);
        this->a[i].push_back(number.value);
        largest = std::max(largest, std::fabs(number.value));
      }
    source = this->a;
    for (int64_t j = 0; isKnown && j < order; ++j)
      eliminate(j);
  }

  int64_t getRow(int64_t i) const { return rows[i]; }
  double get(int64_t i, int64_t j) const { return a[i][j]; }
  bool areKnown() const { return isKnown; }
  /// Of each element, beside those of a type.
  double getError(Type type) const {
    return 16.0 * static_cast<double>(order + 1) * getUnitRoundoff(type) *
           largest * std::pow(std::max(1.0, largest / least), 2);
  }

  /// What the diagonal of P' A outweighs the rest of its row by, at least; the
  /// inverse has one by this as its norm at most.
  double getDominance() const {
    double dominance = Number::kInfinity;
    for (int64_t i = 0; i < order; ++i)
      dominance =
          std::min(dominance, 2 * std::fabs(source[rows[i]][i]) - getRowSum(i));
    return dominance;
  }
  double getNorm() const {
    double norm = 0;
    for (int64_t i = 0; i < order; ++i)
      norm = std::max(norm, getRowSum(i));
    return norm;
  }

  /// A column of X with A X = B.
  std::vector<double> solve(std::vector<double> b) const {
    std::vector<double> x(order);
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
    for (double element : source[rows[i]])
      sum += std::fabs(element);
    return sum;
  }

  void eliminate(int64_t j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < order; ++i)
      if (std::fabs(a[i][j]) > std::fabs(a[pivot][j]))
        pivot = i;
    double size = std::fabs(a[pivot][j]);
    for (int64_t i = j; i < order; ++i)
      isKnown &= i == pivot || size - std::fabs(a[i][j]) > 0.01 * largest;
    isKnown &= size > 0.01 * largest;
    if (!isKnown)
      return;
    least = std::min(least, size);
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
  std::vector<std::vector<double>> a, source;
  double largest = 0, least = Number::kInfinity;
  bool isKnown = true;
};
} // namespace

void Interpreter::factor(LuOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  Numbers numbers = get(op.getSource()), permutation, status;
  for (size_t first = 0; first < numbers.size(); first += area) {
    Matrix a(MutableArrayRef(numbers).slice(first, area), order, false);
    Factors factors(a, order);
    status.push_back(factors.areKnown() ? Number::ofInteger(0)
                                        : Number::unknown());
    for (int64_t i = 0; i < order; ++i) {
      int64_t to = op.getUnordered() ? factors.getRow(i) : i;
      permutation.push_back(factors.areKnown()
                                ? Number::ofInteger(factors.getRow(i))
                                : Number::unknown());
      for (int64_t j = 0; j < order; ++j)
        a.at(to, j) =
            factors.areKnown()
                ? rounded(factors.get(i, j), factors.getError(element), element)
                : Number::unknown();
    }
  }
  set(op.getResult(), std::move(numbers));
  set(op.getPermutation(), std::move(permutation));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

/// Right-hand sides, which become the solutions; unknown where the rows of P' A
/// are not dominated by its diagonal.
static void solveSides(const Factors &factors, Matrix sides, int64_t order,
                       int64_t columns, Type type) {
  double dominance = factors.areKnown() ? factors.getDominance() : 0;
  for (int64_t column = 0; column < columns; ++column) {
    std::vector<double> b;
    double error = 0, size = 0;
    for (int64_t i = 0; i < order; ++i) {
      b.push_back(sides.at(i, column).value);
      error = std::max(error, sides.at(i, column).error);
    }
    bool isKnown = dominance > 0 && std::isfinite(error) &&
                   llvm::all_of(b, [](double x) { return std::isfinite(x); });
    std::vector<double> x(order);
    if (isKnown)
      x = factors.solve(b);
    for (double element : x)
      size = std::max(size, std::fabs(element));
    if (isKnown)
      error = error / dominance + 64.0 * static_cast<double>(order + 1) *
                                      getUnitRoundoff(type) * size *
                                      factors.getNorm() / dominance;
    for (int64_t i = 0; i < order; ++i)
      sides.at(i, column) =
          isKnown ? rounded(x[i], error, type) : Number::unknown();
  }
}

void Interpreter::solve(SolveOp op) {
  TileType type = op.getResult().getType();
  Type element = type.getElementType();
  int64_t order = op.getMatrix().getType().getShape().back();
  int64_t columns = type.getShape().back();
  Numbers matrices = get(op.getMatrix()), numbers = get(op.getRhs()), status;
  for (size_t i = 0; i * order * columns < numbers.size(); ++i) {
    Matrix a(MutableArrayRef(matrices).slice(i * order * order, order * order),
             order, false);
    MutableArrayRef<Number> sides =
        MutableArrayRef(numbers).slice(i * order * columns, order * columns);
    std::optional<int64_t> failure;
    if (op.getSpd()) {
      for (int64_t row = 0; row < order; ++row)
        for (int64_t column = row + 1; column < order; ++column)
          a.at(row, column) = a.at(column, row);
      Numbers lower(matrices.begin() + i * order * order,
                    matrices.begin() + (i + 1) * order * order);
      failure = factorLower(Matrix(lower, order, false), order, element);
    }
    Factors factors(a, order);
    if (!op.getSpd() && factors.areKnown())
      failure = 0;
    status.push_back(failure ? Number::ofInteger(*failure) : Number::unknown());
    if (failure.value_or(0) != 0)
      llvm::fill(sides,
                 Number::ofFloat(std::numeric_limits<double>::quiet_NaN()));
    else if (!failure)
      llvm::fill(sides, Number::unknown());
    else
      solveSides(factors, Matrix(sides, columns, false), order, columns,
                 element);
  }
  set(op.getResult(), std::move(numbers));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

/// Calls `visit` with the number of each element of the diagonals of a tile's
/// matrices, and its number in the tile.
static void forEachOnDiagonal(TileType type,
                              llvm::function_ref<void(size_t, size_t)> visit) {
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  size_t number = 0;
  for (int64_t first = 0; first < type.getNumElements();
       first += rows * columns)
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
      visit(number++, first + i * (columns + 1));
}

void Interpreter::takeDiagonal(DiagonalOp op) {
  const Numbers &source = get(op.getSource());
  Numbers diagonal(op.getType().getNumElements());
  forEachOnDiagonal(op.getSource().getType(), [&](size_t number, size_t place) {
    diagonal[number] = source[place];
  });
  set(op.getResult(), std::move(diagonal));
}

void Interpreter::addDiagonal(AddDiagonalOp op) {
  Type type = op.getType().getElementType();
  bool isTile = isa<TileType>(op.getDiagonal().getType());
  const Numbers &added = get(op.getDiagonal());
  Numbers numbers = get(op.getSource());
  forEachOnDiagonal(op.getType(), [&](size_t number, size_t place) {
    const Number &summand = added[isTile ? number : 0];
    Number &element = numbers[place];
    element = isInteger(type) ? Number::ofInteger(wrapInteger(
                                    element.integer + summand.integer, type))
                              : rounded(element.value + summand.value,
                                        element.error + summand.error, type);
  });
  set(op.getResult(), std::move(numbers));
}
