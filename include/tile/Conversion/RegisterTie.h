// RegisterTie.h - values that are not used before a point of the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup MMA runs asynchronously: it reads its operands and writes its
// accumulators until the wait for it. LLVM does not know this, and could move a
// use of the accumulators before that wait. A tie is inline assembly after the
// wait that contains no instruction. It takes values and returns them in the
// same registers, so that all uses of its results come after it. A tie in a
// loop also keeps LLVM from computing what depends on it before the loop.

#ifndef TILE_CONVERSION_REGISTERTIE_H
#define TILE_CONVERSION_REGISTERTIE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// The reason for a tie, which is its text in PTX.
enum class TieReason { kWaitedFor, kComputedInLoop };

/// Creates a tie of `values` at the builder's insertion point and returns its
/// results. @pre there is at least one value, and each is a register of 32 or
/// 64 bits.
llvm::SmallVector<mlir::Value>
tieRegisters(mlir::OpBuilder &builder, mlir::Location loc,
             mlir::ValueRange values, TieReason reason = TieReason::kWaitedFor);

/// Whether a value of the type can be tied.
bool isTiedRegister(mlir::Type type);

/// Whether an operation was made by `tieRegisters`.
bool isRegisterTie(mlir::LLVM::InlineAsmOp op);

} // namespace tile

#endif // TILE_CONVERSION_REGISTERTIE_H
