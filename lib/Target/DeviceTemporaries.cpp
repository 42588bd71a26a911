// DeviceTemporaries.cpp - arrays that host functions allocate for kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array that is passed to a launch is a view of an argument (which belongs
// to the caller), of an allocation, or of a constant. Allocations become
// asynchronous operations of the gpu dialect, since upstream lowers only these;
// the host waits for each of them.

#include "DeviceTemporaries.h"

#include "tile/Analysis/Buffers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// An array of a host function that is moved to device memory.
class DeviceArray {
public:
  explicit DeviceArray(Value array)
      : array(array), made(array.getDefiningOp()), builder(made) {}

  LogicalResult move();

private:
  LogicalResult findUses();
  LogicalResult addUse(Operation *user);
  Value start();
  void wait(Value token);
  Value allocate();
  void free(Value memory);
  bool staysInBlock();

  Value array;
  Operation *made;
  OpBuilder builder;
  SmallVector<Operation *> users, deallocations;
  /// Whether the array is passed to a call or returned, so that another
  /// function frees it.
  bool escapes = false;
};
} // namespace

LogicalResult DeviceArray::addUse(Operation *user) {
  users.push_back(user);
  if (isa<memref::DeallocOp>(user)) {
    deallocations.push_back(user);
    return success();
  }
  if (isa<CallOpInterface, func::ReturnOp>(user)) {
    escapes = true;
    return success();
  }
  bool isOfDevice = isa<LaunchOp, memref::DimOp>(user) ||
                    isa_and_present<gpu::GPUDialect>(user->getDialect()) ||
                    isMemoryEffectFree(user);
  if (isOfDevice)
    return success();
  return user->emitError("expected an array that a kernel is given to be used "
                         "by kernels alone, got '")
         << user->getName() << "'";
}

LogicalResult DeviceArray::findUses() {
  SmallVector<Value> views{array};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (failed(addUse(user)))
        return failure();
      if (isa<ViewLikeOpInterface, memref::TransposeOp>(user))
        llvm::append_range(views, user->getResults());
    }
  }
  return success();
}

Value DeviceArray::start() {
  auto type = gpu::AsyncTokenType::get(builder.getContext());
  return gpu::WaitOp::create(builder, made->getLoc(), type, ValueRange())
      .getAsyncToken();
}

void DeviceArray::wait(Value token) {
  gpu::WaitOp::create(builder, made->getLoc(), Type(), token);
}

Value DeviceArray::allocate() {
  Value token = start();
  ValueRange sizes, symbols;
  if (auto alloc = dyn_cast<memref::AllocOp>(made))
    std::tie(sizes, symbols) =
        std::pair(alloc.getDynamicSizes(), alloc.getSymbolOperands());
  else if (auto alloca = dyn_cast<memref::AllocaOp>(made))
    std::tie(sizes, symbols) =
        std::pair(alloca.getDynamicSizes(), alloca.getSymbolOperands());
  auto allocation =
      gpu::AllocOp::create(builder, made->getLoc(), array.getType(),
                           token.getType(), token, sizes, symbols);
  token = allocation.getAsyncToken();
  if (isa<memref::GetGlobalOp>(made))
    token = gpu::MemcpyOp::create(builder, made->getLoc(), token.getType(),
                                  token, allocation.getMemref(), array)
                .getAsyncToken();
  wait(token);
  return allocation.getMemref();
}

void DeviceArray::free(Value memory) {
  Value token = start();
  wait(gpu::DeallocOp::create(builder, made->getLoc(), token.getType(), token,
                              memory)
           .getAsyncToken());
}

bool DeviceArray::staysInBlock() {
  return llvm::all_of(users, [&](Operation *user) {
    return made->getBlock()->findAncestorOpInBlock(*user) != nullptr;
  });
}

LogicalResult DeviceArray::move() {
  if (failed(findUses()))
    return failure();
  bool isFreedAtEnd = deallocations.empty() && !escapes;
  if (isFreedAtEnd && !staysInBlock())
    return made->emitError("expected a 'memref.dealloc' of an array that "
                           "kernels are given in several blocks");
  builder.setInsertionPointAfter(made);
  Value memory = allocate();
  array.replaceUsesWithIf(memory, [&](OpOperand &use) {
    return !isa<gpu::MemcpyOp>(use.getOwner());
  });
  for (Operation *deallocation : deallocations) {
    builder.setInsertionPoint(deallocation);
    free(memory);
    deallocation->erase();
  }
  if (isFreedAtEnd) {
    builder.setInsertionPoint(made->getBlock()->getTerminator());
    free(memory);
  }
  if (made->use_empty())
    made->erase();
  return success();
}

LogicalResult tile::moveTemporariesToDevice(ArrayRef<LaunchOp> launches) {
  llvm::SetVector<Value> arrays;
  for (LaunchOp launch : launches)
    for (Value argument : launch.getArguments()) {
      Value root = getMemoryRoot(argument);
      if (isa_and_present<memref::AllocOp, memref::AllocaOp,
                          memref::GetGlobalOp>(root.getDefiningOp()))
        arrays.insert(root);
    }
  for (Value array : arrays)
    if (failed(DeviceArray(array).move()))
      return failure();
  return success();
}
