// RegisterTie.h - values that are not computed with before a wait
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That an instruction writes its accumulators while others run, and reads its
// operands, LLVM does not know: what uses the accumulators could be moved
// before the wait for them. A tie behind the wait hands its values on, by
// inline assembly that takes and gives the same registers and has no
// instruction: what uses the results comes behind it.

#ifndef TILE_CONVERSION_REGISTERTIE_H
#define TILE_CONVERSION_REGISTERTIE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// The values, behind this place. @pre registers of 32 or 64 bits, one at
/// least.
llvm::SmallVector<mlir::Value> tieRegisters(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            mlir::ValueRange values);

/// Whether a value of the type can be tied.
bool isTiedRegister(mlir::Type type);

/// Whether that is what made an operation.
bool isRegisterTie(mlir::LLVM::InlineAsmOp op);

} // namespace tile

#endif // TILE_CONVERSION_REGISTERTIE_H
