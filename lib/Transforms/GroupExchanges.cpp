// GroupExchanges.cpp - exchanges between warps that share a barrier
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps exchange a few values, such as partial sums, through a small buffer:
// each writes its own, and after a barrier reads all. If a second exchange does
// not depend on the first, its write moves before the first one's read, with
// the operations that compute its values, and one barrier orders both:
//
//   write A, read A, compute B, write B, read B
//   -> compute B, write A, write B, read A, read B

#include "tile/Analysis/Buffers.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tile {
#define GEN_PASS_DEF_GROUPEXCHANGES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
/// A buffer that one operation writes and a later one of the same block reads.
struct Exchange {
  Operation *write = nullptr, *read = nullptr;
};
} // namespace

/// Returns the exchange through a buffer, if it is one.
static std::optional<Exchange> findExchange(memref::AllocOp alloc) {
  if (!isExchangeBuffer(alloc))
    return std::nullopt;
  Value buffer = alloc;
  Exchange exchange;
  for (Operation *user : buffer.getUsers()) {
    auto memory = dyn_cast<MemoryEffectOpInterface>(user);
    if (!memory || user->getBlock() != alloc->getBlock())
      return std::nullopt;
    bool writes =
        memory.getEffectOnValue<MemoryEffects::Write>(buffer).has_value();
    bool reads =
        memory.getEffectOnValue<MemoryEffects::Read>(buffer).has_value();
    Operation *&role = writes ? exchange.write : exchange.read;
    if (writes == reads || role)
      return std::nullopt;
    role = user;
  }
  bool isExchange = exchange.write && exchange.read &&
                    exchange.write->isBeforeInBlock(exchange.read);
  return isExchange ? std::optional(exchange) : std::nullopt;
}

/// Returns the operations after `read` in its block that `write` depends on,
/// and `write` itself, in their order; nothing if one of them has to stay after
/// `read`.
static std::optional<SmallVector<Operation *>> listMoved(Operation *write,
                                                         Operation *read) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == read->getBlock() && !op->isBeforeInBlock(read);
  };
  options.inclusive = true;
  // Regions of these operations use further ones.
  options.omitUsesFromAbove = false;
  if (failed(getBackwardSlice(write, &slice, options)))
    return std::nullopt;
  for (Operation *op : slice)
    if (op != write && !isa<memref::AllocOp>(op) && !isPure(op))
      return std::nullopt;
  SmallVector<Operation *> moved = slice.takeVector();
  llvm::sort(moved,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return moved;
}

/// Moves the write of an exchange before the first of the earlier reads that it
/// does not depend on.
static void moveWrite(Operation *write, ArrayRef<Exchange> earlier) {
  for (const Exchange &other : earlier) {
    if (write->isBeforeInBlock(other.read))
      return;
    std::optional<SmallVector<Operation *>> moved =
        listMoved(write, other.read);
    if (!moved)
      continue;
    for (Operation *op : *moved)
      op->moveBefore(other.read);
    return;
  }
}

static void groupExchanges(Block &block) {
  SmallVector<Exchange> exchanges;
  for (auto alloc : block.getOps<memref::AllocOp>())
    if (std::optional<Exchange> exchange = findExchange(alloc))
      exchanges.push_back(*exchange);
  llvm::sort(exchanges, [](const Exchange &a, const Exchange &b) {
    return a.read->isBeforeInBlock(b.read);
  });
  for (auto [index, exchange] : llvm::enumerate(exchanges))
    moveWrite(exchange.write, ArrayRef(exchanges).take_front(index));
}

namespace {
struct GroupExchanges : tile::impl::GroupExchangesBase<GroupExchanges> {
  using GroupExchangesBase::GroupExchangesBase;

  void runOnOperation() override {
    getOperation()->walk([](Block *block) { groupExchanges(*block); });
  }
};
} // namespace
