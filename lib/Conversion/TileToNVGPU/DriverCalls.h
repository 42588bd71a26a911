// DriverCalls.h - functions that the driver provides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread prints, or ends the program, by a call of a function without a body,
// which the driver links (CUDA C++ Programming Guide, "Formatted Output",
// "Assertion").

#ifndef TILE_CONVERSION_TILETONVGPU_DRIVERCALLS_H
#define TILE_CONVERSION_TILETONVGPU_DRIVERCALLS_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Prints like printf. The arguments have 64 bits; the format has `ll` before
/// the conversion specifier of an integer.
/// @pre the builder is inside a kernel.
void emitPrintf(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::StringRef format, mlir::ValueRange arguments = {});

/// Ends the program with a message and the location's line.
/// @pre the builder is inside a kernel.
void emitAssertFail(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::StringRef message);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_DRIVERCALLS_H
