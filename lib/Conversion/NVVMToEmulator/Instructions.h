// Instructions.h - nvvm operations as calls of the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_INSTRUCTIONS_H
#define TILE_CONVERSION_NVVMTOEMULATOR_INSTRUCTIONS_H

#include "RuntimeCalls.h"
#include "SiteTable.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tile {

/// State that the conversion of one function shares.
struct InstructionContext {
  RuntimeCalls &calls;
  SiteTable &sites;
  /// Memory of the thread for operands and results that do not fit registers of
  /// the host. Each use ends before the next one starts.
  mlir::Value scratch;
  /// Maps each warpgroup MMA to the constant with the index of its site. Each
  /// read of its accumulators passes this index to the emulator, by
  /// tile_emulator_warpgroup_read.
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::ConstantOp> mmaSites;
};

/// Size of the scratch memory in bytes. The largest operands are those of a
/// warpgroup MMA: up to 128 accumulators of 4 bytes, and four registers of lhs.
constexpr int64_t kScratchBytes = (128 + 4) * 4;

/// Replaces every nvvm operation, every call of an nvvm intrinsic and the calls
/// of vprintf and __assertfail in `function`. Emits an error for each operation
/// that the emulator does not support, and continues with the next one.
mlir::LogicalResult convertInstructions(mlir::LLVM::LLVMFuncOp function,
                                        RuntimeCalls &calls, SiteTable &sites);

//===----------------------------------------------------------------------===//
// Conversions of families of operations. Each returns success if it has
// replaced the operation, and failure if it has reported an error.
//===----------------------------------------------------------------------===//

mlir::LogicalResult convertLoadMatrix(mlir::Operation *op,
                                      InstructionContext &context);
mlir::LogicalResult convertStoreMatrix(mlir::Operation *op,
                                       InstructionContext &context);
/// Converts nvvm.mma.sync, or a call of "llvm.nvvm.mma.*".
mlir::LogicalResult convertMma(mlir::Operation *op,
                               InstructionContext &context);
/// Inserts calls that announce each read of a warpgroup MMA's accumulators to
/// the emulator. Must be called before any warpgroup MMA is converted.
void announceReads(mlir::LLVM::LLVMFuncOp function,
                   InstructionContext &context);
/// Converts one of the two forms of wgmma.mma_async.
mlir::LogicalResult convertWarpgroupMma(mlir::NVVM::WgmmaMmaAsyncOp op,
                                        InstructionContext &context);
mlir::LogicalResult convertWarpgroupMma(tile_gpu::WarpgroupMmaOp op,
                                        InstructionContext &context);
/// Replaces the results of a register tie (RegisterTie.h) by its operands.
mlir::LogicalResult convertTie(mlir::Operation *op);
/// Converts conversions between element types, and arithmetic on packed
/// registers.
mlir::LogicalResult convertPackedArithmetic(mlir::Operation *op,
                                            InstructionContext &context);

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Stores values one after the other at `pointer`.
void storeRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value pointer, mlir::ValueRange values);
/// Loads a value of `type` from `pointer`: one register, or a struct of them.
mlir::Value loadRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value pointer, mlir::Type type);

/// Replaces the only result of `op` by `result`, and erases `op`.
void replaceInstruction(mlir::Operation *op, mlir::Value result);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_INSTRUCTIONS_H
