// RegisterTie.h - values that are not used before a wait
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not know that an instruction writes its accumulators while others
// run, and reads its operands: uses of the accumulators could be moved before
// the wait for them. A tie after the wait passes its values on, by inline
// assembly that takes and returns the same registers and has no instruction:
// uses of its results come after it.

#ifndef TILE_CONVERSION_REGISTERTIE_H
#define TILE_CONVERSION_REGISTERTIE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Creates a tie of `values` at the builder's insertion point and returns its
/// results. @pre there is at least one value, and each is a register of 32 or
/// 64 bits.
llvm::SmallVector<mlir::Value> tieRegisters(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            mlir::ValueRange values);

/// Whether a value of the type can be tied.
bool isTiedRegister(mlir::Type type);

/// Whether an operation was made by `tieRegisters`.
bool isRegisterTie(mlir::LLVM::InlineAsmOp op);

} // namespace tile

#endif // TILE_CONVERSION_REGISTERTIE_H
