// MatrixScale.cpp - matrices times a power of two, against overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixScale.h"

#include "../ElementArithmetic.h"
#include "../Shuffle.h"

using namespace mlir;
using namespace tile;

static Value constant(RealArithmetic &a, Type bits, int64_t value) {
  return arith::ConstantIntOp::create(a.index.builder, a.index.loc, bits,
                                      value);
}

/// Returns the bits of the absolute value of a real value, or of the larger
/// part of a complex value.
static Value getSizeBits(RealArithmetic &a, Value value) {
  ElementArithmetic elements(a.index.builder, a.index.loc, value.getType());
  if (!elements.isComplex())
    return a.getSizeBits(value);
  return a.create<arith::MaxUIOp>(a.getSizeBits(elements.getReal(value)),
                                  a.getSizeBits(elements.getImaginary(value)));
}

/// Returns the bits of the largest absolute value of a thread's elements of a
/// column.
static Value findLargest(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                         int64_t column) {
  Value largest;
  for (int64_t row = 0; row < matrix.getRows().getNumValues(); ++row) {
    Value size = getSizeBits(a, matrix.get(i, row, column));
    largest = largest ? a.create<arith::MaxUIOp>(largest, size) : size;
  }
  return largest;
}

/// Returns the largest value over the lanes whose indices differ in the bits of
/// the mask `lanes`.
static Value findLargest(RealArithmetic &a, Value largest, int64_t lanes) {
  for (int64_t bit = 1; bit < kWarpSize; bit *= 2)
    if (lanes & bit)
      largest = a.create<arith::MaxUIOp>(
          largest, shuffle(a.index.builder, a.index.loc, largest,
                           gpu::ShuffleMode::XOR, bit));
  return largest;
}

namespace {
/// A power of two, and its reciprocal.
struct Scale {
  Value forth, back;
};
} // namespace

/// Creates the scale that brings a value with the bits `largest` near 2^target.
static Scale createScale(RealArithmetic &a, Value largest, int64_t target) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(a.element).getFloatSemantics();
  int64_t mantissa = APFloat::semanticsPrecision(semantics) - 1;
  int64_t bias = APFloat::semanticsMaxExponent(semantics);
  Type bits = largest.getType();
  auto power = [&](Value exponent) -> Value {
    return a.create<arith::BitcastOp>(
        a.element,
        a.create<arith::ShLIOp>(exponent, constant(a, bits, mantissa)));
  };
  Value exponent =
      a.create<arith::ShRUIOp>(largest, constant(a, bits, mantissa));
  exponent = a.create<arith::MinUIOp>(
      a.create<arith::SubIOp>(constant(a, bits, 2 * bias + target), exponent),
      constant(a, bits, 2 * bias - 1));
  return {power(exponent), power(a.create<arith::SubIOp>(
                               constant(a, bits, 2 * bias), exponent))};
}

static void multiplyColumn(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                           int64_t column, Value factor) {
  for (int64_t row = 0; row < matrix.getRows().getNumValues(); ++row) {
    Value &value = matrix.get(i, row, column);
    ElementArithmetic elements(a.index.builder, a.index.loc, value.getType());
    value = elements.multiply(value, factor);
  }
}

Value tile::scaleMatrix(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                        int64_t numColumns, int64_t target) {
  MatrixSide &rows = matrix.getRows(), &columns = matrix.getColumns();
  Value largest;
  for (int64_t column = 0; column < columns.getNumValues(); ++column) {
    if (columns.getFirst(column) >= numColumns)
      break;
    Value ofColumn = findLargest(a, matrix, i, column);
    ofColumn = a.index.select(columns.isBefore(a.index, column, numColumns),
                              ofColumn, constant(a, ofColumn.getType(), 0));
    largest = largest ? a.create<arith::MaxUIOp>(largest, ofColumn) : ofColumn;
  }
  largest = findLargest(a, largest, rows.getMask() | columns.getMask());
  Scale scale = createScale(a, largest, target);
  for (int64_t column = 0; column < columns.getNumValues(); ++column)
    multiplyColumn(a, matrix, i, column, scale.forth);
  return scale.back;
}

Value tile::scaleColumn(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                        int64_t column, int64_t target) {
  Value largest = findLargest(a, findLargest(a, matrix, i, column),
                              matrix.getRows().getMask());
  Scale scale = createScale(a, largest, target);
  multiplyColumn(a, matrix, i, column, scale.forth);
  return scale.back;
}
