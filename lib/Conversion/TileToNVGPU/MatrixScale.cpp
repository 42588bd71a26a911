// MatrixScale.cpp - matrices times a power of two, against overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixScale.h"

#include "Shuffle.h"

using namespace mlir;
using namespace tile;

static Value number(RealArithmetic &a, Type bits, int64_t value) {
  return arith::ConstantIntOp::create(a.index.builder, a.index.loc, bits,
                                      value);
}

/// The bits of the largest size of an element.
static Value findLargest(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                         int64_t numColumns, Type bits) {
  MatrixSide &rows = matrix.getRows(), &columns = matrix.getColumns();
  Value largest;
  for (int64_t column = 0; column < columns.getNumValues(); ++column) {
    if (columns.getFirst(column) >= numColumns)
      break;
    Value ofColumn;
    for (int64_t row = 0; row < rows.getNumValues(); ++row) {
      Value size = a.getSizeBits(matrix.get(i, row, column));
      ofColumn = ofColumn ? a.create<arith::MaxUIOp>(ofColumn, size) : size;
    }
    ofColumn = a.index.select(columns.isBefore(a.index, column, numColumns),
                              ofColumn, number(a, bits, 0));
    largest = largest ? a.create<arith::MaxUIOp>(largest, ofColumn) : ofColumn;
  }
  int64_t lanes = rows.getMask() | columns.getMask();
  for (int64_t bit = 1; bit < kWarpSize; bit *= 2)
    if (lanes & bit)
      largest = a.create<arith::MaxUIOp>(
          largest, shuffle(a.index.builder, a.index.loc, largest,
                           gpu::ShuffleMode::XOR, bit));
  return largest;
}

Value tile::scaleMatrix(RealArithmetic &a, WarpMatrix &matrix, int64_t i,
                        int64_t numColumns, int64_t target) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(a.element).getFloatSemantics();
  int64_t mantissa = APFloat::semanticsPrecision(semantics) - 1;
  int64_t bias = APFloat::semanticsMaxExponent(semantics);
  Type bits = a.index.builder.getIntegerType(a.element.getIntOrFloatBitWidth());
  auto power = [&](Value exponent) -> Value {
    return a.create<arith::BitcastOp>(
        a.element,
        a.create<arith::ShLIOp>(exponent, number(a, bits, mantissa)));
  };
  Value exponent = a.create<arith::ShRUIOp>(
      findLargest(a, matrix, i, numColumns, bits), number(a, bits, mantissa));
  exponent = a.create<arith::MinUIOp>(
      a.create<arith::SubIOp>(number(a, bits, 2 * bias + target), exponent),
      number(a, bits, 2 * bias - 1));
  Value scale = power(exponent);
  for (int64_t row = 0; row < matrix.getRows().getNumValues(); ++row)
    for (int64_t column = 0; column < matrix.getColumns().getNumValues();
         ++column) {
      Value &value = matrix.get(i, row, column);
      value = a.multiply(value, scale);
    }
  return power(a.create<arith::SubIOp>(number(a, bits, 2 * bias), exponent));
}
