// Eigenvalues.cpp - eigenvalues of symmetric matrices, and singular values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values of an m x n matrix A are eigenvalues of A and A' around
// zeros: those of [0, A; A', 0] that are greatest. Eigenvalues are moved by a
// change of the matrix no farther than its norm (Weyl; Golub and Van Loan,
// "Matrix Computations", 8.1). Vectors are not known: not by their signs, and
// of equal values not at all.

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// A symmetric matrix in float64.
class SymmetricMatrix {
public:
  explicit SymmetricMatrix(int64_t order)
      : order(order), elements(order * order) {}

  double &at(int64_t i, int64_t j) { return elements[i * order + j]; }

  /// Ascending, by two-sided rotations until what is off the diagonal is of no
  /// meaning.
  std::vector<double> getEigenvalues() {
    double limit = 1e-15 * getNorm();
    for (int64_t sweep = 0; sweep < 60; ++sweep)
      for (int64_t p = 0; p < order; ++p)
        for (int64_t q = p + 1; q < order; ++q)
          if (std::fabs(at(p, q)) > limit)
            rotate(p, q);
    std::vector<double> values;
    for (int64_t i = 0; i < order; ++i)
      values.push_back(at(i, i));
    llvm::sort(values);
    return values;
  }

  double getNorm() const {
    double norm = 0;
    for (double element : elements)
      norm = std::hypot(norm, element);
    return norm;
  }

private:
  void rotate(int64_t p, int64_t q) {
    double angle = 0.5 * std::atan2(2 * at(p, q), at(q, q) - at(p, p));
    double c = std::cos(angle), s = std::sin(angle);
    auto combine = [&](double &x, double &y) {
      double before = x;
      x = c * before - s * y;
      y = s * before + c * y;
    };
    for (int64_t i = 0; i < order; ++i)
      combine(at(i, p), at(i, q));
    for (int64_t i = 0; i < order; ++i)
      combine(at(p, i), at(q, i));
  }

  int64_t order;
  std::vector<double> elements;
};
} // namespace

/// The norm of the errors of some numbers; nothing where one is not finite.
static std::optional<double> getError(ArrayRef<Number> numbers) {
  double error = 0;
  for (const Number &number : numbers) {
    if (!std::isfinite(number.value) || !std::isfinite(number.error))
      return std::nullopt;
    error = std::hypot(error, number.error);
  }
  return error;
}

/// Values of a matrix, each with the error of all.
static void append(Numbers &numbers, ArrayRef<double> values, double error,
                   double norm, int64_t rows, Type type) {
  error += 16.0 * static_cast<double>(rows) * getUnitRoundoff(type) * norm;
  for (double value : values)
    numbers.push_back(rounded(value, error, type));
}

static void appendUnknown(Numbers &numbers, int64_t count) {
  numbers.insert(numbers.end(), count, Number::unknown());
}

/// Zero of a matrix whose numbers are known.
static Number getStatus(bool isKnown) {
  return isKnown ? Number::ofInteger(0) : Number::unknown();
}

void Interpreter::decompose(EighOp op) {
  TileType type = op.getSource().getType();
  int64_t order = type.getShape().back(), area = order * order;
  ArrayRef<Number> numbers = get(op.getSource());
  Numbers values, vectors, status;
  appendUnknown(vectors, numbers.size());
  for (size_t first = 0; first < numbers.size(); first += area) {
    SymmetricMatrix matrix(order);
    SmallVector<Number> lower;
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        lower.push_back(numbers[first + i * order + j]);
        matrix.at(i, j) = matrix.at(j, i) = lower.back().value;
      }
    std::optional<double> error = getError(lower);
    status.push_back(getStatus(error.has_value()));
    if (error)
      append(values, matrix.getEigenvalues(), 2 * *error, matrix.getNorm(),
             order, type.getElementType());
    else
      appendUnknown(values, order);
  }
  set(op.getValues(), std::move(values));
  set(op.getVectors(), std::move(vectors));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

void Interpreter::decompose(SvdOp op) {
  TileType type = op.getSource().getType();
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  ArrayRef<Number> numbers = get(op.getSource());
  Numbers values, status, u, vt;
  for (size_t first = 0; first < numbers.size(); first += rows * columns) {
    ArrayRef<Number> elements = numbers.slice(first, rows * columns);
    SymmetricMatrix matrix(rows + columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        matrix.at(i, rows + j) = matrix.at(rows + j, i) =
            elements[i * columns + j].value;
    std::optional<double> error = getError(elements);
    status.push_back(getStatus(error.has_value()));
    if (error) {
      std::vector<double> all = matrix.getEigenvalues();
      std::vector<double> greatest(all.rbegin(), all.rbegin() + columns);
      append(values, greatest, *error, matrix.getNorm(), rows,
             type.getElementType());
    } else {
      appendUnknown(values, columns);
    }
  }
  appendUnknown(u, numbers.size());
  appendUnknown(vt, op.getVt().getType().getNumElements());
  set(op.getU(), std::move(u));
  set(op.getValues(), std::move(values));
  set(op.getVt(), std::move(vt));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}
