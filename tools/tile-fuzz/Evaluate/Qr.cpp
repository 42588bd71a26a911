// Qr.cpp - evaluates QR factorisations and least-squares problems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factors are computed in float64 by Gram and Schmidt's method, applied
// twice, with first-order error bounds and a safety factor (Higham, "Accuracy
// and Stability of Numerical Algorithms", 19.3 and 20.1). The bounds depend on
// the condition number of A for Q and R, and on its square for least squares.
// They are valid for the generator's matrices, whose columns are far from
// linearly dependent; results for other matrices are unknown.

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
using Columns = std::vector<std::vector<double>>;

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// The factors Q and R of a matrix, stored by columns, with the signs that
/// Householder reflections give.
class QrFactors {
public:
  QrFactors(ArrayRef<Element> elements, int64_t rows, int64_t columns)
      : rows(rows), q(columns), r(columns, std::vector<double>(columns)) {
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        const Element &element = elements[i * columns + j];
        isKnown &= element.isExact() && std::isfinite(element.value);
        q[j].push_back(element.value);
        norm += element.value * element.value;
      }
    norm = std::sqrt(norm);
    rest = q;
    for (int64_t j = 0; isKnown && j < columns; ++j)
      orthogonalize(j);
  }

  bool areKnown() const { return isKnown; }
  double getNorm() const { return norm; }
  double getQ(int64_t i, int64_t j) const { return q[j][i]; }
  double getR(int64_t i, int64_t j) const { return r[j][i]; }
  double getCondition() const { return norm / least; }
  /// Returns the error of the factors, divided by the condition number of the
  /// matrix.
  double getLoss(Type type) const {
    return 32.0 * static_cast<double>(rows + 1) * getUnitRoundoff(type);
  }

  /// Returns the column X for which the norm of B - A X is smallest.
  std::vector<double> solve(const std::vector<double> &b) const {
    std::vector<double> x(q.size());
    for (size_t i = q.size(); i-- > 0;) {
      x[i] = dot(q[i], b);
      for (size_t k = i + 1; k < q.size(); ++k)
        x[i] -= r[k][i] * x[k];
      x[i] /= r[i][i];
    }
    return x;
  }

private:
  void orthogonalize(int64_t j) {
    double below = 0;
    for (int64_t i = j + 1; i < rows; ++i)
      below = std::hypot(below, rest[j][i]);
    double alpha = rest[j][j], size = std::hypot(alpha, below);
    // A column that is zero below the diagonal keeps its sign. Whether it is
    // zero is known only before the first reflection.
    bool isZero = j == rows - 1 || below == 0;
    isKnown &= std::fabs(alpha) > 0.5 * size && size > 0.02 * norm &&
               (isExact || j == rows - 1 || below > 1e-4 * norm);
    if (!isKnown)
      return;
    least = std::min(least, size);
    bool isNegated = isZero ? alpha < 0 : alpha > 0;
    for (int64_t turn = 0; turn < 2; ++turn)
      for (int64_t k = 0; k < j; ++k) {
        double part = dot(q[k], q[j]);
        r[j][k] += part;
        for (int64_t i = 0; i < rows; ++i)
          q[j][i] -= part * q[k][i];
      }
    r[j][j] = std::sqrt(dot(q[j], q[j])) * (isNegated ? -1 : 1);
    for (double &element : q[j])
      element /= r[j][j];
    if (!isZero)
      reflect(j, alpha - r[j][j]);
  }

  /// Makes a column zero below its diagonal, by a reflection with `first` as
  /// the vector's first element.
  void reflect(int64_t j, double first) {
    std::vector<double> v = rest[j];
    std::fill(v.begin(), v.begin() + j, 0);
    v[j] = first;
    double scale = 2 / dot(v, v);
    isExact = false;
    for (size_t k = j; k < rest.size(); ++k) {
      double multiple = scale * dot(v, rest[k]);
      for (int64_t i = j; i < rows; ++i)
        rest[k][i] -= multiple * v[i];
    }
  }

  int64_t rows;
  Columns q, r;
  Columns rest; ///< A after the reflections so far, for the signs
  double norm = 0, least = Element::kInfinity;
  bool isKnown = true, isExact = true;
};
} // namespace

void Interpreter::factor(QrOp op) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  ArrayRef<Element> elements = get(op.getSource());
  Elements q, r;
  for (size_t first = 0; first < elements.size(); first += rows * columns) {
    QrFactors factors(elements.slice(first, rows * columns), rows, columns);
    double loss = factors.getLoss(element) * factors.getCondition();
    auto makeElement = [&](double value, double error) {
      return factors.areKnown() ? rounded(value, error, element)
                                : Element::unknown();
    };
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        q.push_back(makeElement(factors.getQ(i, j), loss));
    for (int64_t i = 0; i < columns; ++i)
      for (int64_t j = 0; j < columns; ++j)
        r.push_back(
            j < i ? Element::ofFloat(0)
                  : makeElement(factors.getR(i, j), loss * factors.getNorm()));
  }
  set(op.getQ(), std::move(q));
  set(op.getR(), std::move(r));
}

void Interpreter::solve(LeastSquaresOp op) {
  TileType type = op.getMatrix().getType();
  Type element = type.getElementType();
  int64_t columns = type.getShape().back();
  int64_t rows = type.getDimSize(type.getRank() - 2);
  int64_t sides = op.getRhs().getType().getShape().back();
  ArrayRef<Element> matrices = get(op.getMatrix()), elements = get(op.getRhs());
  Elements results(op.getType().getNumElements(), Element::unknown());
  for (size_t n = 0; n * rows * sides < elements.size(); ++n) {
    QrFactors factors(matrices.slice(n * rows * columns, rows * columns), rows,
                      columns);
    for (int64_t side = 0; side < sides; ++side) {
      std::vector<double> b;
      double error = 0;
      for (int64_t i = 0; i < rows; ++i) {
        const Element &entry = elements[(n * rows + i) * sides + side];
        b.push_back(entry.value);
        error += entry.error;
      }
      if (!factors.areKnown() || !std::isfinite(error) ||
          !llvm::all_of(b, [](double x) { return std::isfinite(x); }))
        continue;
      std::vector<double> x = factors.solve(b);
      double condition = factors.getCondition();
      double size =
          std::sqrt(dot(x, x)) + std::sqrt(dot(b, b)) / factors.getNorm();
      error = error * condition / factors.getNorm() +
              factors.getLoss(element) * condition * condition * size;
      for (int64_t j = 0; j < columns; ++j)
        results[(n * columns + j) * sides + side] =
            rounded(x[j], error, element);
    }
  }
  set(op.getResult(), std::move(results));
}
