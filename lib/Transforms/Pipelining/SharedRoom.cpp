// SharedRoom.cpp - shared memory that a kernel needs while a loop runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedRoom.h"

#include "../Exchanges.h"
#include "CopyMechanisms.h"
#include "StageMarks.h"

#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/ConvertLayout.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tile;

int64_t tile::getTileBytes(Value tile) {
  auto type = cast<TileType>(tile.getType());
  return getBufferBytes(type.getShared(),
                        getElementBytes(type.getElementType()));
}

/// Whether the tile that an operation makes may be live while a loop runs. The
/// tile of an unrelated loop is not live, since no loop carries a tile in
/// shared memory.
static bool mayOverlap(Operation *op, scf::ForOp loop) {
  auto around = op->getParentOfType<LoopLikeOpInterface>();
  return !around || around->isAncestor(loop) || loop->isAncestor(around);
}

int64_t tile::getOtherLoadBytes(scf::ForOp loop,
                                ArrayRef<CopyableOpInterface> loads) {
  int64_t bytes = 0;
  loop->getParentOfType<KernelOp>().walk([&](CopyableOpInterface load) {
    if (load.getTileType().getShared() && mayOverlap(load, loop) &&
        !llvm::is_contained(loads, load))
      bytes += getTileBytes(load.getAccessedTile()) + getExtraBytes(load);
  });
  return bytes;
}

int64_t tile::getOtherBytes(scf::ForOp loop,
                            ArrayRef<CopyableOpInterface> loads) {
  int64_t bytes = getOtherLoadBytes(loop, loads);
  loop->getParentOfType<KernelOp>().walk([&](BufferizeOpInterface op) {
    bool isLoaded = llvm::any_of(loads, [&](CopyableOpInterface load) {
      return getStagedTile(load).getDefiningOp() == op;
    });
    bool hasBuffer = !isa<CopyableOpInterface>(*op) && !isLoaded &&
                     !isAlias(op) && op->getNumResults() == 1 &&
                     isInShared(op->getResult(0));
    if (hasBuffer && mayOverlap(op, loop))
      bytes += getTileBytes(op->getResult(0));
  });
  return bytes;
}

int64_t tile::getAllocatedBytes(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk(
      [&](memref::AllocOp alloc) { bytes += getBufferBytes(alloc.getType()); });
  return bytes;
}

int64_t tile::getBlocksByRegisters(KernelOp kernel,
                                   const Architecture &architecture) {
  constexpr int64_t kRegisters = 128;
  return std::max<int64_t>(architecture.registersPerProcessor /
                               (kRegisters * kernel.getLaunchedThreads()),
                           1);
}

/// Returns the bytes that a block may take in addition to `bytes`, so that a
/// multiprocessor still holds as many blocks, if a thread has 128 registers.
static int64_t getRoom(KernelOp kernel, int64_t bytes,
                       const Architecture &architecture) {
  int64_t room = getSharedBytesLimit(kernel, architecture) - bytes;
  int64_t blocks = isAloneOnProcessor(kernel, architecture)
                       ? 1
                       : getBlocksByRegisters(kernel, architecture);
  for (; blocks > 1; --blocks)
    if (int64_t limit = getSharedBytesLimit(architecture, blocks);
        limit >= bytes)
      return std::min(room, limit - bytes);
  return room;
}

bool tile::makeRoomFor(scf::ForOp loop, int64_t bytes,
                       const Architecture &architecture) {
  SmallVector<std::pair<Operation *, int64_t>> inParts;
  int64_t room =
      getRoom(loop->getParentOfType<KernelOp>(), bytes, architecture);
  loop.getBody()->walk([&](Operation *op) {
    if (!isExchange(op))
      return;
    if (getExchangedParts(op, std::numeric_limits<int64_t>::max()))
      inParts.push_back({op, 1});
    else
      room -= getExchangedBytes(op);
  });
  // Exchanges that follow each other may need their bytes at the same time.
  int64_t share = room / std::max<int64_t>(inParts.size(), 1);
  for (auto &[op, numParts] : inParts) {
    std::optional<int64_t> parts = getExchangedParts(op, share);
    if (!parts)
      return false;
    numParts = *parts;
  }
  if (room < 0)
    return false;
  for (auto [op, numParts] : inParts)
    exchangeInParts(op, numParts);
  return true;
}
