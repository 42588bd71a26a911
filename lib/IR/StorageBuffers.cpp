// StorageBuffers.cpp - tiles on their way to and from shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

void ConvertLayoutOp::addDemand(OpOperand &, SharedDemand &demand) {
  if (RegisterAttr registers = getType().getRegister())
    demand.addRead(registers.getRegisterLayout());
}

/// Returns the last of the exchanges that directly follow `first` and do not
/// depend on each other: all are written before any is read, so that threads
/// synchronize once for all of them.
static ConvertLayoutOp getLastBeside(ConvertLayoutOp first) {
  SmallPtrSet<Operation *, 4> beside = {first};
  ConvertLayoutOp last = first;
  while (auto next = dyn_cast_or_null<ConvertLayoutOp>(last->getNextNode())) {
    if (!isExchange(next) || beside.contains(next.getSource().getDefiningOp()))
      break;
    beside.insert(next);
    last = next;
  }
  return last;
}

/// Whether all uses of the tile are reshapes; these then read the conversion's
/// source.
static bool isOnlyReshaped(ConvertLayoutOp op) {
  return !op->use_empty() &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<ReshapeOp>);
}

void ConvertLayoutOp::bufferize(Bufferizer &bufferizer) {
  OpBuilder &builder = bufferizer.builder;
  TileType to = getType();
  Value source = bufferizer.lookup(getSource());
  if (to.getShared() && isOnlyReshaped(*this))
    return bufferizer.drop(*this);
  if (to.getShared())
    return bufferizer.setBuffer(
        *this, source ? bufferizer.copyBuffer(getLoc(), source, to)
                      : bufferizer.storeToNew(getLoc(), getSource(), to));
  if (source)
    return bufferizer.replace(
        *this, tile_gpu::LoadSharedOp::create(builder, getLoc(), to, source));
  if (!isExchange(*this))
    return;
  Value buffer = bufferizer.storeToExchange(getLoc(), getSource(), to);
  builder.setInsertionPointAfter(getLastBeside(*this));
  bufferizer.replace(
      *this, tile_gpu::LoadSharedOp::create(builder, getLoc(), to, buffer));
}

//===----------------------------------------------------------------------===//
// Readers of buffers
//===----------------------------------------------------------------------===//

void LoadOp::bufferize(Bufferizer &bufferizer) {
  if (getType().getShared())
    bufferizer.setBuffer(*this, bufferizer.load(*this));
}

void MatmulOp::bufferize(Bufferizer &bufferizer) {
  for (OpOperand *operand : {&getLhsMutable(), &getRhsMutable()})
    if (Value buffer = bufferizer.lookup(operand->get()))
      operand->set(buffer);
}

/// Prints from a buffer, which a single thread reads, and records the storage
/// of the tile, since it is printed, too.
void PrintOp::bufferize(Bufferizer &bufferizer) {
  auto type =
      getValue() ? dyn_cast<TileType>(getValue().getType()) : TileType();
  if (!type)
    return;
  setStorage(type.getShared() ? "shared" : "register");
  Value buffer = bufferizer.lookup(getValue());
  if (!buffer) {
    buffer = bufferizer.createBuffer(getLoc(),
                                     type.withStorage(getCompactShared(type)));
    bufferizer.store(getLoc(), getValue(), buffer);
  }
  getValueMutable().assign(buffer);
}
