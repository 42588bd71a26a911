// WidenBytes.h - conversions of 8-bit integers to floating point in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A multiprocessor converts 16 integers a cycle (CUDA programming guide,
// "Arithmetic instructions", type conversions to and from 8-bit types), and
// permutes bytes or adds 64 to 128. So four integers in one register are
// converted by arithmetic on their bits: an unsigned byte u becomes the last
// byte of a float 2^n + u, from which 2^n is subtracted; the result is exact.
//
//   u8 a b c d     permuted with 0x64:  64 b 64 a,  64 d 64 c     1024 + u, f16
//
// A signed byte is first flipped in its highest bit, which adds 128 to it.

#ifndef TILE_CONVERSION_TILETONVGPU_WIDENBYTES_H
#define TILE_CONVERSION_TILETONVGPU_WIDENBYTES_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Whether widenBytes converts `from` to `to`: 8-bit integers to f16, bf16 and
/// f32.
bool canWidenBytes(mlir::Type from, mlir::Type to);

/// Converts 8-bit integers exactly, four at a time.
/// @pre canWidenBytes of their type and `to`.
llvm::SmallVector<mlir::Value> widenBytes(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> values,
                                          bool isUnsigned, mlir::FloatType to);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_WIDENBYTES_H
