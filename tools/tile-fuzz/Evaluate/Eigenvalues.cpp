// Eigenvalues.cpp - eigenvalues of Hermitian matrices, and singular values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The singular values of an m x n matrix A are the largest eigenvalues of
// [0, A; A', 0]. A change of the matrix moves eigenvalues by at most the norm
// of the change (Weyl; Golub and Van Loan, "Matrix Computations", 8.1). Results
// that are eigenvectors or singular vectors are unknown, because their signs
// are unspecified and the vectors of equal values may be rotated. A Hermitian
// matrix R + i J has the eigenvalues of the symmetric matrix [R, -J; J, R],
// where each occurs twice.

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// A symmetric or Hermitian matrix in float64, as a symmetric one.
class HermitianMatrix {
public:
  HermitianMatrix(int64_t order, bool isComplex)
      : half(order), copies(isComplex ? 2 : 1), order(copies * order),
        elements(this->order * this->order) {}

  /// Sets the element in row i and column j, and its conjugate in row j and
  /// column i.
  void put(int64_t i, int64_t j, const Element &element) {
    for (int64_t copy = 0; copy < copies; ++copy) {
      int64_t row = i + copy * half, column = j + copy * half;
      at(row, column) = at(column, row) = element.value;
    }
    if (copies == 1)
      return;
    at(i + half, j) = at(j, i + half) = element.imaginary;
    at(j + half, i) = at(i, j + half) = -element.imaginary;
  }

  /// Returns the eigenvalues in ascending order, by two-sided Jacobi rotations
  /// until the elements off the diagonal are negligible.
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
    std::vector<double> once;
    for (int64_t i = 0; i < order; i += copies)
      once.push_back(values[i]);
    return once;
  }

  /// Returns the Frobenius norm, which is an upper bound of the spectral norm.
  double getNorm() const {
    double norm = 0;
    for (double element : elements)
      norm = std::hypot(norm, element);
    return norm;
  }

private:
  double &at(int64_t i, int64_t j) { return elements[i * order + j]; }

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

  int64_t half;   ///< the order of the given matrix
  int64_t copies; ///< 1, or 2 for a Hermitian matrix
  int64_t order;
  std::vector<double> elements;
};
} // namespace

/// Returns the Euclidean norm of the errors of `elements`; nothing if a value
/// or an error is not finite.
static std::optional<double> getError(ArrayRef<Element> elements) {
  double error = 0;
  for (const Element &element : elements) {
    if (!std::isfinite(element.value) || !std::isfinite(element.imaginary) ||
        !std::isfinite(element.error))
      return std::nullopt;
    // `error` bounds the error of each part of a complex value.
    error = std::hypot(error, M_SQRT2 * element.error);
  }
  return error;
}

/// Returns the error of a matrix's eigenvalues or singular values, which are
/// real.
static double getErrorOfValues(const HermitianMatrix &matrix, double error,
                               int64_t rows, Type type) {
  return error + 16.0 * static_cast<double>(rows) *
                     getUnitRoundoff(getPartType(type)) * matrix.getNorm();
}

/// Appends values of a matrix, each with the same error.
static void append(Elements &elements, ArrayRef<double> values, double error,
                   Type type) {
  for (double value : values)
    elements.push_back(rounded(value, error, getPartType(type)));
}

static void appendUnknown(Elements &elements, int64_t count) {
  elements.insert(elements.end(), count, Element::unknown());
}

/// Returns the status result: zero if `isKnown`, else unknown.
static Element getStatus(bool isKnown) {
  return isKnown ? Element::ofInteger(0) : Element::unknown();
}

void Interpreter::decompose(EighOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  ArrayRef<Element> elements = get(op.getSource());
  Elements values, vectors, status;
  appendUnknown(vectors, elements.size());
  for (size_t first = 0; first < elements.size(); first += area) {
    HermitianMatrix matrix(order, isa<ComplexType>(element));
    SmallVector<Element> lower;
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        Element entry = elements[first + i * order + j];
        if (i == j)
          entry.imaginary = 0;
        lower.push_back(entry);
        matrix.put(i, j, entry);
      }
    std::optional<double> error = getError(lower);
    status.push_back(getStatus(error.has_value()));
    if (error)
      append(values, matrix.getEigenvalues(),
             getErrorOfValues(matrix, 2 * *error, order, element), element);
    else
      appendUnknown(values, order);
  }
  set(op.getValues(), std::move(values));
  set(op.getVectors(), std::move(vectors));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

namespace {
/// Singular values of a matrix, descending, each with the same error.
struct SingularValues {
  std::vector<double> values;
  double error;
};
} // namespace

/// Computes singular values; nothing if an element is not finite.
static std::optional<SingularValues>
getSingularValues(ArrayRef<Element> elements, int64_t columns, Type type) {
  std::optional<double> error = getError(elements);
  if (!error)
    return std::nullopt;
  int64_t rows = static_cast<int64_t>(elements.size()) / columns;
  HermitianMatrix matrix(rows + columns, isa<ComplexType>(type));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      matrix.put(i, rows + j, elements[i * columns + j]);
  std::vector<double> all = matrix.getEigenvalues();
  return SingularValues{{all.rbegin(), all.rbegin() + columns},
                        getErrorOfValues(matrix, *error, rows, type)};
}

void Interpreter::decompose(SvdOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  ArrayRef<Element> elements = get(op.getSource());
  Elements values, status, u, vt;
  for (size_t first = 0; first < elements.size(); first += rows * columns) {
    std::optional<SingularValues> singular = getSingularValues(
        elements.slice(first, rows * columns), columns, element);
    status.push_back(getStatus(singular.has_value()));
    if (singular)
      append(values, singular->values, singular->error, element);
    else
      appendUnknown(values, columns);
  }
  appendUnknown(u, elements.size());
  appendUnknown(vt, op.getVt().getType().getNumElements());
  set(op.getU(), std::move(u));
  set(op.getValues(), std::move(values));
  set(op.getVt(), std::move(vt));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}

/// Evaluates the norms of the columns, which are the singular values in an
/// unspecified order: each is between the smallest and the largest singular
/// value. The columns themselves are unknown.
void Interpreter::decompose(OneSidedJacobiOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t order = type.getShape().back(), area = order * order;
  ArrayRef<Element> elements = get(op.getSource());
  Elements norms, status, columns;
  for (size_t first = 0; first < elements.size(); first += area) {
    std::optional<SingularValues> singular =
        getSingularValues(elements.slice(first, area), order, element);
    status.push_back(getStatus(singular.has_value()));
    if (!singular) {
      appendUnknown(norms, order);
      continue;
    }
    double greatest = singular->values.front(), least = singular->values.back();
    append(norms, std::vector<double>(order, (greatest + least) / 2),
           singular->error + (greatest - least) / 2, element);
  }
  appendUnknown(columns, elements.size());
  set(op.getResult(), std::move(columns));
  set(op.getNorms(), std::move(norms));
  if (op.getStatus())
    set(op.getStatus(), std::move(status));
}
