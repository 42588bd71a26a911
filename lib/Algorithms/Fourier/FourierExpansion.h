// FourierExpansion.h - expansion of Fourier transforms to operations on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FOURIEREXPANSION_H
#define TILE_LIB_ALGORITHMS_FOURIEREXPANSION_H

#include "FftPlan.h"
#include "FourierConstants.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// A complex value as its parts.
struct ComplexValue {
  mlir::Value re, im;
};

/// Builder of arithmetic on elements.
struct ElementBuilder : mlir::ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value add(Value a, Value b) {
    return mlir::arith::AddFOp::create(*this, a, b);
  }
  Value sub(Value a, Value b) {
    return mlir::arith::SubFOp::create(*this, a, b);
  }
  Value mul(Value a, Value b) {
    return mlir::arith::MulFOp::create(*this, a, b);
  }
  Value real(mlir::Type type, double value) {
    return mlir::arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value make(ComplexValue x) {
    return mlir::complex::CreateOp::create(
        *this, mlir::ComplexType::get(x.re.getType()), x.re, x.im);
  }
  ComplexValue parts(Value x) {
    return {mlir::complex::ReOp::create(*this, x),
            mlir::complex::ImOp::create(*this, x)};
  }
  Value fma(Value a, Value b, Value c) {
    return mlir::math::FmaOp::create(*this, a, b, c);
  }
  ComplexValue add(ComplexValue x, ComplexValue y) {
    return {add(x.re, y.re), add(x.im, y.im)};
  }
  ComplexValue mul(ComplexValue x, ComplexValue y) {
    Value negative = mlir::arith::NegFOp::create(*this, mul(x.im, y.im));
    return {fma(x.re, y.re, negative), fma(x.re, y.im, mul(x.im, y.re))};
  }
  /// Chooses `first` for the first element of a row and `rest` for the others.
  ComplexValue chooseFirst(Value index, ComplexValue first, ComplexValue rest) {
    Value zero = mlir::arith::ConstantOp::create(
        *this, getIntegerAttr(index.getType(), 0));
    Value isFirst = mlir::arith::CmpIOp::create(
        *this, mlir::arith::CmpIPredicate::eq, index, zero);
    auto select = [&](Value a, Value b) -> Value {
      return mlir::arith::SelectOp::create(*this, isFirst, a, b);
    };
    return {select(first.re, rest.re), select(first.im, rest.im)};
  }
  Value scale(Value x, FactorParts factor) {
    Value high = real(x.getType(), factor.high);
    if (factor.rest == 0)
      return mul(x, high);
    return fma(x, high, mul(x, real(x.getType(), factor.rest)));
  }
  ComplexValue scale(ComplexValue x, FactorParts factor) {
    return {scale(x.re, factor), scale(x.im, factor)};
  }
};

/// Builds the tiles of a transform before the operation that it replaces. A
/// tile of columns is a tile (rows, radix, columns), the operand or result of a
/// pass.
class FourierExpansion {
public:
  FourierExpansion(mlir::Operation *op, const FourierTransform &form,
                   const FftPlan &plan);
  void run();

private:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Extents = llvm::ArrayRef<int64_t>;
  using Body = llvm::function_ref<Value(ElementBuilder &, ValueRange)>;
  using Numbers = llvm::ArrayRef<FourierNumber>;

  // FourierExpansion.cpp
  mlir::Type getComplex() { return mlir::ComplexType::get(part); }
  TileType getType(Extents shape, mlir::Type element);
  Value index(int64_t value);
  Value reshape(Value tile, Extents shape);
  Value map(mlir::Type element, ValueRange tiles, Body body);
  /// Returns a tile of `shape` with `values` in each row.
  Value createRows(llvm::ArrayRef<long double> values, Extents shape);
  llvm::SmallVector<Value> createRows(Numbers values, Extents shape);
  Value multiply(Value tile, Numbers row);
  Value iota(int64_t length);
  Value takeBox(Value tile, Extents begin, Extents shape);
  Value join(ValueRange tiles, int64_t axis);
  Value toShared(Value tile);
  Value takeFirst(Value tile, int64_t length);
  Value take(Value shared, Value indices);

  // FourierPasses.cpp
  bool isPadded(Extents shape);
  bool loadColumns(LoadOp load, Extents shape);
  bool storeColumns(Value rows);
  llvm::SmallVector<int64_t> getColumnShape(int64_t radix);
  Value toColumns(Value x, int64_t radix);
  Value reorder(Value x, int64_t stride, int64_t nextRadix);
  int64_t chooseFastest(Extents digits, int64_t transformed);
  /// Transforms columns of the first radix; the result has columns of the last
  /// one. `digits` are the radices in the order of the digits of a row's index,
  /// the slowest first; the function updates them to the order in the result.
  Value runPasses(Value columns, llvm::SmallVector<int64_t> &digits,
                  bool isInverse, long double scale);
  Value transformByPasses(Value x, bool isInverse, long double scale);

  // FourierConvolutions.cpp
  Value takeColumns(Value shared, llvm::ArrayRef<int64_t> indices,
                    Extents shape);
  Value columnsToShared(Value columns);
  Value transformByChirp(Value x, bool isInverse, long double scale);
  Value transformPrime(Value x, bool isInverse, long double scale);

  // FourierFactors.cpp
  /// Returns the expansion of a part of the plan, `count` of whose rows make up
  /// each row.
  FourierExpansion getPart(size_t position, int64_t count);
  Value transformByFactors(Value x, bool isInverse, long double scale);

  // ExpandFourier.cpp
  Value transform(Value x, bool isInverse, long double scale);
  Value transformReal(Value x);
  Value transformHalved(Value x);
  Value transformToReal(Value y);
  Value transformToHalved(Value y);

  mlir::Operation *op;
  mlir::OpBuilder builder;
  FourierTransform form;
  FftPlan plan;
  mlir::Type part;
  int64_t rows;
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FOURIEREXPANSION_H
