// RealArithmetic.h - arithmetic on numbers of one floating-point type
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_REALARITHMETIC_H
#define TILE_CONVERSION_TILETONVGPU_REALARITHMETIC_H

#include "Memory/Addresses.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace tile {

/// Short forms of arithmetic operations, for code that emits many of them.
class RealArithmetic {
public:
  RealArithmetic(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Type element)
      : index(builder, loc), element(element) {}

  template <typename Op, typename... Args>
  mlir::Value create(Args... args) {
    return index.builder.createOrFold<Op>(index.loc, args...);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return create<mlir::arith::CmpFOp>(predicate, a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return create<mlir::arith::MulFOp>(a, b);
  }
  /// Returns a b + c; a null `c` is zero.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c) {
    return c ? create<mlir::math::FmaOp>(a, b, c) : multiply(a, b);
  }
  mlir::Value negate(mlir::Value value) {
    return create<mlir::arith::NegFOp>(value);
  }
  mlir::Value constantI32(int64_t value) { return index.constantI32(value); }
  /// Returns the bits of a value without its sign. As integers, these bits are
  /// ordered like the absolute values, and those of NaNs are above all others.
  mlir::Value getSizeBits(mlir::Value value) {
    unsigned width = element.getIntOrFloatBitWidth();
    mlir::Type bits = index.builder.getIntegerType(width);
    mlir::Value mask = mlir::arith::ConstantOp::create(
        index.builder, index.loc,
        index.builder.getIntegerAttr(bits,
                                     llvm::APInt::getSignedMaxValue(width)));
    return create<mlir::arith::AndIOp>(
        create<mlir::arith::BitcastOp>(bits, value), mask);
  }
  mlir::Value real(double value) {
    return mlir::arith::ConstantOp::create(
        index.builder, index.loc, index.builder.getFloatAttr(element, value));
  }

  IndexBuilder index;
  mlir::Type element;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_REALARITHMETIC_H
