// TakenFunctions.cpp - functions that become kernels and launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TakenFunctions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// Whether an operation is one that the conversion converts or rejects.
static bool isOfLinalg(Operation *op) {
  return isa_and_present<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect()) ||
         llvm::any_of(op->getResultTypes(), isTensor) ||
         llvm::any_of(op->getOperandTypes(), isTensor);
}

/// Whether an operation shows that a function is host code. Copies of arrays in
/// host code are not converted.
static bool isOfHost(Operation *op) {
  return isa<LaunchOp, CallOpInterface>(op) ||
         isa_and_present<gpu::GPUDialect, LLVM::LLVMDialect>(op->getDialect());
}

template <typename Function>
static bool hasOperation(func::FuncOp function, Function holds) {
  return function
      .walk([&](Operation *op) {
        return holds(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the conversion converts a function: if it has tensors or linalg
/// operations, or if it copies arrays and is not host code.
static bool isTaken(func::FuncOp function) {
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor) ||
      hasOperation(function, isOfLinalg))
    return true;
  auto isCopy = [](Operation *op) { return isa<memref::CopyOp>(op); };
  return hasOperation(function, isCopy) && !hasOperation(function, isOfHost);
}

/// Verifies that linalg is in functions, and that these are directly in the
/// module. Kernels and their launches must belong to one module, so linalg in a
/// nested module would not be converted.
static LogicalResult verifyParent(ModuleOp module, Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (function && function->getParentOp() != module && isTaken(function))
    return op->emitError("expected functions of linalg in the module itself, "
                         "got one in a nested '")
           << op->getParentOp()->getName() << "'";
  if (isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
      !op->getParentOfType<func::FuncOp>())
    return op->emitError("expected linalg in a func.func, got '")
           << op->getName() << "' in '" << op->getParentOp()->getName() << "'";
  return success();
}

static LogicalResult verifyParents(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return WalkResult(verifyParent(module, op)); });
  return failure(result.wasInterrupted());
}

LogicalResult fromlinalg::convertTaken(
    ModuleOp module, llvm::function_ref<LogicalResult(func::FuncOp)> convert) {
  if (failed(verifyParents(module)))
    return failure();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (isTaken(function) && failed(convert(function)))
      return failure();
  return success();
}

bool fromlinalg::hasGroups(func::FuncOp function) {
  return !function.isDeclaration() &&
         !function.front().getOps<GroupOp>().empty();
}
