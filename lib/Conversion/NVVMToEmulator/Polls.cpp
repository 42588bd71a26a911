// Polls.cpp - loops that the emulator can end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Polls.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tile;

/// Returns the latches of all loops, each with the header to which it branches.
static llvm::MapVector<Block *, Block *>
findLatches(LLVM::LLVMFuncOp function) {
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  llvm::MapVector<Block *, Block *> latches;
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    SmallVector<Block *> found;
    loop->getLoopLatches(found);
    for (Block *latch : found)
      latches[latch] = loop->getHeader();
  }
  return latches;
}

void tile::addPolls(LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                    SiteTable &sites) {
  if (function.getBody().hasOneBlock())
    return;
  for (auto [latch, header] : findLatches(function)) {
    // The poll has the location of the loop's condition.
    Operation *condition = header->getTerminator();
    OpBuilder builder(latch->getTerminator());
    uint32_t site =
        sites.add(condition, makeSite(emulator::SiteKind::Other, "bra"));
    calls.callMachine(builder, condition->getLoc(), "tile_emulator_poll",
                      Type(), createI32(builder, condition->getLoc(), site));
  }
}
