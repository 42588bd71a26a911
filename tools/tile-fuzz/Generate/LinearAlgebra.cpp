// LinearAlgebra.cpp - generates factorisations and solutions of systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices have exact elements and are diagonally dominant. Therefore
// symmetric matrices are positive definite, all matrices and their triangles
// are well-conditioned, and the choice of pivots is unambiguous, also after a
// permutation of the rows.

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tile::fuzz;

Type Generator::pickMatrices(const std::string &element) {
  int64_t most = element == "f32" ? 40 : element == "complex<f64>" ? 12 : 24;
  int64_t order =
      random.chance(60) ? random.between(1, 16) : random.between(1, most);
  std::vector<int64_t> shape;
  for (int64_t dims = random.below(3); dims > 0; --dims)
    shape.push_back(random.between(1, 5));
  while (Type{shape, ""}.size() * order * order > kMaxElements)
    shape.pop_back();
  shape.insert(shape.end(), {order, order});
  return {shape, element};
}

/// Makes a complex tile from its two parts.
Tile Generator::makeComplex(const Tile &real, const Tile &imaginary) {
  Type type = withElement(real.type, "complex<" + real.type.element + ">");
  return add(type, "tile.complex create " + real.name + ", " + imaginary.name +
                       " : " + real.type.str() + ", " + imaginary.type.str() +
                       " to " + type.str());
}

/// Returns the type of the parts of complex elements; the type itself for
/// others.
static Type getPartType(const Type &type) {
  size_t begin = type.element.find('<');
  if (begin == std::string::npos)
    return type;
  return {type.shape, type.element.substr(begin + 1, 3)};
}

/// Makes a tile of integers from -7 to 7, converted to the type and multiplied
/// by `scale`, a power of two; of values in that range if they must have
/// derivatives.
Tile Generator::makeSmall(const Type &type, double scale) {
  if (Type part = getPartType(type); part.element != type.element) {
    Tile real = makeSmall(part, scale / 2);
    return makeComplex(real, makeSmall(part, scale / 2));
  }
  if (isDifferentiable) {
    std::string words = " : " + type.str();
    Tile wave = add(type, "math.sin " + pickOf(type).name + words);
    Tile factor = makeDense(type, llvm::formatv("{0:F12}", 7 * scale));
    return add(type, "arith.mulf " + wave.name + ", " + factor.name + words);
  }
  Type integers = withElement(type, "i32");
  Tile x = pickOf(integers);
  Tile least =
      add(integers, "arith.remsi " + x.name + ", " +
                        makeDense(integers, "8").name + " : " + integers.str());
  Tile wide = add(type, "tile.cast " + least.name + " : " + integers.str() +
                            " to " + type.str());
  return add(type, "arith.mulf " + wide.name + ", " +
                       makeDense(type, llvm::formatv("{0:F12}", scale)).name +
                       " : " + type.str());
}

/// Makes a matrix as described at the head of this file, sometimes with one
/// negative pivot.
Tile Generator::makeDominant(const Type &type) {
  if (Type part = getPartType(type); part.element != type.element) {
    Tile real = makeDominant(part);
    return makeComplex(
        real, makeSmall(part, 0.0625 / llvm::PowerOf2Ceil(static_cast<uint64_t>(
                                           type.shape.back()))));
  }
  int64_t order = type.shape.back(), rank = type.shape.size();
  Tile rest =
      makeSmall(type, 0.125 / llvm::PowerOf2Ceil(static_cast<uint64_t>(order)));
  Type indexType = withElement(type, "i32"),
       conditions = withElement(type, "i1");
  auto makeIota = [&](int64_t axis) {
    return add(indexType, "tile.iota axis " + std::to_string(axis) + " : " +
                              indexType.str());
  };
  Tile row = makeIota(rank - 2), column = makeIota(rank - 1);
  auto isEqual = [&](const Tile &a, const std::string &b) {
    return add(conditions,
               "arith.cmpi eq, " + a.name + ", " + b + " : " + indexType.str());
  };
  auto choose = [&](const Tile &condition, const std::string &a,
                    const std::string &b) {
    return add(type, "tile.select " + condition.name + ", " + a + ", " + b +
                         " : " + conditions.str() + ", " + type.str());
  };
  std::string pivot = makeDense(type, random.chance(50) ? "2.0" : "3.5").name;
  if (!isDifferentiable && random.chance(15)) {
    Tile isBad = isEqual(
        row, makeDense(indexType, std::to_string(random.below(order))).name);
    pivot = choose(isBad, makeDense(type, "-1.0").name, pivot).name;
  }
  if (isDifferentiable)
    pivot =
        add(type, "arith.addf " + pivot + ", " + rest.name + " : " + type.str())
            .name;
  return choose(isEqual(row, column.name), pivot, rest.name);
}

/// Adds the solution of a triangular system with a triangle of `matrix`, which
/// may be a Cholesky factor.
void Generator::addTriangularSolve(const Tile &matrix) {
  Type type = matrix.type;
  bool isRight = random.chance(30);
  int64_t rank = type.shape.size();
  type.shape[isRight ? rank - 2 : rank - 1] = random.between(1, 9);
  if (type.size() > kMaxElements)
    return;
  Tile sides = makeSmall(type, 0.5);
  std::string words;
  for (const char *word : {"upper", "transposed", "unit"})
    if (random.chance(40))
      words += std::string(" ") + word;
  if (isRight)
    words += " right";
  add(type, "tile.triangular_solve " + matrix.name + ", " + sides.name + words +
                " : " + matrix.type.str() + ", " + type.str());
}

/// Makes a matrix with the rows of `matrix` in a random order.
Tile Generator::makeReordered(const Tile &matrix) {
  int64_t rank = matrix.type.shape.size(), order = matrix.type.shape.back();
  std::vector<int64_t> rows(order);
  std::iota(rows.begin(), rows.end(), 0);
  for (int64_t i = order; i > 1; --i)
    std::swap(rows[i - 1], rows[random.below(i)]);
  std::string text;
  for (int64_t row : rows)
    text += (text.empty() ? "[" : ", [") + std::to_string(row) + "]";
  Type indices = {std::vector<int64_t>(rank, 1), "i32"};
  indices.shape[rank - 2] = order;
  Tile permutation = makeDense(indices, std::string(rank - 1, '[') + text +
                                            std::string(rank - 1, ']'));
  return add(matrix.type,
             "tile.take " + matrix.name + " at " + permutation.name + " axis " +
                 std::to_string(rank - 2) + " : " + matrix.type.str() + ", " +
                 indices.str() + " to " + matrix.type.str());
}

/// Exchanges the real and imaginary parts of a complex tile.
Tile Generator::makeTurned(const Tile &matrix) {
  Type part = getPartType(matrix.type);
  auto take = [&](const std::string &kind) {
    return add(part, "tile.complex " + kind + " " + matrix.name + " : " +
                         matrix.type.str() + " to " + part.str());
  };
  Tile imaginary = take("im");
  return makeComplex(imaginary, take("re"));
}

/// Adds an operation with results of `types`, and sometimes with a status for
/// each of `matrices`. The text of `operation` already contains the types.
void Generator::addWithStatus(const std::string &operation,
                              const std::vector<Type> &types,
                              const Type &matrices) {
  std::vector<Type> results = types;
  std::string status;
  if (random.chance(50)) {
    results.push_back(
        {{matrices.shape.begin(), matrices.shape.end() - 2}, "i32"});
    status = " status " + results.back().str();
  }
  if (results.size() == 1) {
    add(results.front(), operation);
    return;
  }
  std::string name = fresh();
  line(name + ":" + std::to_string(results.size()) + " = " + operation +
       status);
  // The first result is added to the pool last, so that callers find it at the
  // end.
  for (size_t position = results.size(); position-- > 0;)
    pool.push_back({name + "#" + std::to_string(position), results[position]});
}

void Generator::addLu(const Tile &matrix) {
  Type type = matrix.type;
  Type indexType = {{type.shape.begin(), type.shape.end() - 1}, "i32"};
  std::string words = random.chance(40) ? " unordered" : "";
  addWithStatus("tile.lu " + matrix.name + words + " : " + type.str() + ", " +
                    indexType.str(),
                {type, indexType}, type);
}

void Generator::addSolve(const Tile &matrix, bool isPositive) {
  Type type = matrix.type;
  type.shape.back() = random.between(1, 9);
  if (type.size() > kMaxElements)
    return;
  Tile sides = makeSmall(type, 0.5);
  addWithStatus("tile.solve " + matrix.name + ", " + sides.name +
                    (isPositive ? " spd" : "") + " : " + matrix.type.str() +
                    ", " + type.str(),
                {type}, matrix.type);
}

void Generator::addInverse(const Tile &matrix) {
  Type type = matrix.type;
  addWithStatus("tile.inverse " + matrix.name + " : " + type.str(), {type},
                type);
}

/// Adds a determinant, as one value or as its sign and logarithm.
void Generator::addDeterminant(const Tile &matrix) {
  Type type = matrix.type;
  Type resultType = {{type.shape.begin(), type.shape.end() - 2}, type.element};
  std::string types = " : " + type.str() + " to " + resultType.str();
  if (random.chance(50)) {
    add(resultType, "tile.determinant " + matrix.name + types);
    return;
  }
  std::string name = fresh();
  line(name + ":2 = tile.logdet " + matrix.name + types);
  pool.push_back({name + "#0", resultType});
  pool.push_back({name + "#1", getPartType(resultType)});
}

/// Adds an operation that chooses pivots.
void Generator::addElimination(const Tile &dominant) {
  Tile matrix = makeReordered(dominant);
  if (getPartType(matrix.type).element != matrix.type.element &&
      random.chance(50))
    matrix = makeTurned(matrix);
  switch (random.below(4)) {
  case 0:
    return addLu(matrix);
  case 1:
    return addSolve(matrix, /*isPositive=*/false);
  case 2:
    return addInverse(matrix);
  default:
    return addDeterminant(matrix);
  }
}

void Generator::addCholesky(const Tile &matrix) {
  std::string words = random.chance(40) ? " upper" : "";
  addWithStatus("tile.cholesky " + matrix.name + words + " : " +
                    matrix.type.str(),
                {matrix.type}, matrix.type);
  Tile factor = pool.back(); // a copy, because the pool grows
  if (random.chance(50))
    addTriangularSolve(factor);
  if (words.empty() && random.chance(50))
    addCholeskyDerivative(factor);
}

void Generator::addCholeskyDerivative(const Tile &factor) {
  Tile change = makeSmall(factor.type, 0.5);
  std::string word = random.chance(70) ? " transposed" : "";
  add(factor.type, "tile.cholesky_derivative " + factor.name + ", " +
                       change.name + word + " : " + factor.type.str());
}

/// Returns the matrix, or a view of its first columns.
Tile Generator::makeTall(const Tile &matrix) {
  if (random.chance(40))
    return matrix;
  Type type = matrix.type;
  type.shape.back() = random.between(1, type.shape.back());
  std::string zeros;
  std::string zero = index(0);
  for (size_t dim = 0; dim < type.shape.size(); ++dim)
    zeros += (dim ? ", " : "") + zero;
  return add(type, "tile.view " + matrix.name + "[" + zeros +
                       "] : " + matrix.type.str() + " to " + type.str());
}

/// Adds the eigenvalues and eigenvectors of each matrix of a tile.
void Generator::addEigh(const Tile &matrix) {
  Type type = matrix.type;
  Type values = {{type.shape.begin(), type.shape.end() - 1},
                 getPartType(type).element};
  addWithStatus("tile.eigh " + matrix.name + " : " + type.str() + " to " +
                    values.str() + ", " + type.str(),
                {values, type}, type);
}

void Generator::addSvd(const Tile &matrix) {
  Tile tall = makeTall(matrix);
  Type type = tall.type, square = type, values = getPartType(type);
  size_t rank = type.shape.size();
  square.shape[rank - 2] = type.shape.back();
  values.shape.erase(values.shape.end() - 2);
  addWithStatus("tile.svd " + tall.name + " : " + type.str() + " to " +
                    type.str() + ", " + values.str() + ", " + square.str(),
                {type, values, square}, type);
}

void Generator::addOneSidedJacobi(const Tile &matrix) {
  Type type = matrix.type, norms = getPartType(type);
  norms.shape.pop_back();
  addWithStatus("tile.one_sided_jacobi " + matrix.name + " : " + type.str() +
                    ", " + norms.str(),
                {type, norms}, type);
}

void Generator::addQr(const Tile &matrix) {
  Tile tall = makeTall(matrix);
  Type type = tall.type;
  int64_t rank = type.shape.size();
  Type square = type;
  square.shape[rank - 2] = type.shape.back();
  if (random.chance(50)) {
    std::string name = fresh();
    line(name + ":2 = tile.qr " + tall.name + " : " + type.str() + " to " +
         type.str() + ", " + square.str());
    pool.push_back({name + "#0", type});
    pool.push_back({name + "#1", square});
    return;
  }
  Type sides = type, solution = square;
  sides.shape.back() = solution.shape.back() = random.between(1, 9);
  if (sides.size() > kMaxElements)
    return;
  Tile rhs = makeSmall(sides, 0.5);
  add(solution, "tile.least_squares " + tall.name + ", " + rhs.name + " : " +
                    type.str() + ", " + sides.str() + " to " + solution.str());
}

/// Adds operations that take the diagonal and add values to it.
void Generator::addDiagonal(const Tile &matrix) {
  Type type = matrix.type;
  Type diagonalType = {{type.shape.begin(), type.shape.end() - 1},
                       type.element};
  Tile diagonal =
      add(diagonalType, "tile.diagonal " + matrix.name + " : " + type.str() +
                            " to " + diagonalType.str());
  Tile added = random.chance(50) ? pickOf(diagonalType) : diagonal;
  add(type, "tile.add_diagonal " + matrix.name + ", " + added.name + " : " +
                type.str() + ", " + diagonalType.str());
}

/// Adds an operation that accepts complex matrices.
void Generator::addHermitian(const Tile &matrix) {
  switch (random.below(9)) {
  case 0:
    return addTriangularSolve(matrix);
  case 1:
    return addSolve(matrix, /*isPositive=*/true);
  case 2:
    return addDiagonal(matrix);
  case 3:
    return addEigh(matrix);
  case 4:
    return addSvd(matrix);
  case 5:
    return addOneSidedJacobi(matrix);
  case 6:
    return addCholesky(matrix);
  default:
    return addElimination(matrix);
  }
}

void Generator::addLinearAlgebra() {
  Type type = pickMatrices(random.pick<std::string>(
      {"f32", "f32", "f32", "f64", "complex<f32>", "complex<f64>"}));
  Tile matrix = makeDominant(type);
  if (getPartType(type).element != type.element)
    return addHermitian(matrix);
  switch (random.below(13)) {
  case 0:
  case 1:
    return addTriangularSolve(matrix);
  case 2:
  case 3:
    return addElimination(matrix);
  case 4:
    return addSolve(matrix, /*isPositive=*/true);
  case 5:
    return addDiagonal(matrix);
  case 6:
  case 7:
    return addQr(matrix);
  case 8:
    return addEigh(matrix);
  case 9:
    return addSvd(matrix);
  case 10:
    return addOneSidedJacobi(matrix);
  default:
    return addCholesky(matrix);
  }
}
