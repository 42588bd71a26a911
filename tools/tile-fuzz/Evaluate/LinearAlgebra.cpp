// LinearAlgebra.cpp - factorisations and triangular systems, with their errors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In float64, beside bounds of what another order and another type may have
// made of it (Higham, "Accuracy and Stability of Numerical Algorithms", 8.2 and
// 10.1): first-order ones with a factor to spare, which hold for what the
// generator makes, matrices of a small condition; of others nothing is known.

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
