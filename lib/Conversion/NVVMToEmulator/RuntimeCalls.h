// RuntimeCalls.h - calls of C functions from a kernel
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

  /// Calls `name` of tile/Emulator/Calls.h with the thread followed by
  /// `arguments`. LLVM may neither merge such calls nor duplicate or move them,
  /// and assumes that they may read and write any memory. Returns null if there
  /// is no result.
  mlir::Value callMachine(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange arguments);

  /// Calls a function of tile/Emulator/Calls.h that returns the same i32 on
  /// each call, so that LLVM may merge the calls.
  mlir::Value askMachine(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::StringRef name, mlir::ValueRange arguments);

  /// Calls a function whose result depends only on its arguments
  /// (tile/Emulator/DeviceMath.h).
  mlir::Value callMath(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::StringRef name, mlir::Type result,
                       mlir::ValueRange arguments);

private:
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 mlir::ValueRange arguments, bool isPure);

  mlir::ModuleOp module;
};

/// Returns the thread that runs the function around the builder: the function's
/// first argument.
mlir::Value getThread(mlir::OpBuilder &builder);

/// Creates an i32 constant.
mlir::Value createI32(mlir::OpBuilder &builder, mlir::Location loc,
                      uint32_t value);

/// Allocates `bytes` bytes on the stack of the function around the builder,
/// aligned to 16 bytes. Each thread has its own.
mlir::Value createStackBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                              int64_t bytes);

/// Returns `pointer` + `bytes`.
mlir::Value createOffset(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value pointer, int64_t bytes);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_RUNTIMECALLS_H
