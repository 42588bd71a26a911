// Butterfly.h - Fourier transforms of a few elements of one thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_BUTTERFLY_H
#define TILE_CONVERSION_TILETONVGPU_BUTTERFLY_H

#include "tile/IR/FourierTransform.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// A complex value as its real and imaginary parts.
struct ComplexParts {
  mlir::Value re, im;
};

/// Creates straight-line code with fused multiply-adds.
class ButterflyBuilder {
public:
  ButterflyBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : b(loc, builder) {}

  /// Returns y_q = sum_k x_k e^(-2 pi i k q / n) of the n elements of `x`.
  /// @pre n >= 1
  llvm::SmallVector<ComplexParts> transform(llvm::ArrayRef<ComplexParts> x);

  ComplexParts multiply(ComplexParts x, ComplexParts y);
  ComplexParts scale(ComplexParts x, FactorParts factor);

private:
  llvm::SmallVector<ComplexParts>
  transformComposite(llvm::ArrayRef<ComplexParts> x, int64_t first);
  llvm::SmallVector<ComplexParts> transformOdd(llvm::ArrayRef<ComplexParts> x);
  ComplexParts sum(llvm::ArrayRef<ComplexParts> x);
  ComplexParts multiplyByRoot(ComplexParts x, int64_t k, int64_t n);

  mlir::Value constant(mlir::Value like, double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value neg(mlir::Value x);
  /// Returns x y + z.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  ComplexParts add(ComplexParts x, ComplexParts y);
  ComplexParts sub(ComplexParts x, ComplexParts y);

  mlir::ImplicitLocOpBuilder b;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_BUTTERFLY_H
