// RuntimeCalls.h - calls of C functions out of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_RUNTIMECALLS_H
#define TILE_CONVERSION_NVVMTOEMULATOR_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Declares functions in a module when they are first called.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Calls `name` of tile/Emulator/Calls.h with the thread before `arguments`.
  /// LLVM may neither merge such calls nor duplicate or move them, and knows
  /// nothing of their reads and writes. Returns null if there is no result.
  mlir::Value callMachine(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange arguments);

  /// Calls a function whose result is always that of the first call.
  mlir::Value askMachine(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::StringRef name, mlir::ValueRange arguments);

  /// Calls a function of only its arguments (tile/Emulator/DeviceMath.h).
  mlir::Value callMath(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::StringRef name, mlir::Type result,
                       mlir::ValueRange arguments);

private:
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 mlir::ValueRange arguments, bool isPure);

  mlir::ModuleOp module;
};

/// The thread that runs the function around the builder: its first argument.
mlir::Value getThread(mlir::OpBuilder &builder);

/// An i32 constant.
mlir::Value createI32(mlir::OpBuilder &builder, mlir::Location loc,
                      uint32_t value);

/// Memory of the thread, on the stack of the function around the builder;
/// aligned to 16 bytes.
mlir::Value createStackBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                              int64_t bytes);

/// `pointer` + `bytes`.
mlir::Value createOffset(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value pointer, int64_t bytes);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_RUNTIMECALLS_H
