// ExchangedLoads.cpp - loads of tiles that pass through shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExchangedLoads.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/IR/BoundsAssertions.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Whether a tile takes many registers of a thread. The loads of others are in
/// flight at once in any case.
static bool takesManyRegisters(TileType tile) {
  constexpr int64_t kMostBytes = 96 * 4;
  return tile.getRegister().getRegisterLayout().getNumValues() *
             getElementBytes(tile.getElementType()) >
         kMostBytes;
}

/// Moves the pad value of a load to an operation on the tile's elements in
/// registers: copies fill elements outside the array with zeros only.
static void padAfter(ConvertLayoutOp exchange, CopyableOpInterface load) {
  OpBuilder builder(exchange->getContext());
  builder.setInsertionPointAfter(exchange);
  Location loc = exchange.getLoc();
  Value tile = exchange.getResult();
  TileType type = exchange.getType();
  auto branch = scf::IfOp::create(
      builder, loc, isBoxInside(builder, load),
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, tile); },
      [&](OpBuilder &b, Location loc) {
        Value pad = FillOp::create(b, loc, type, load.getPad());
        Value padded = SelectOp::create(
            b, loc, type, areElementsInside(b, load, type), tile, pad);
        scf::YieldOp::create(b, loc, padded);
      });
  tile.replaceUsesWithIf(branch.getResult(0), [&](OpOperand &use) {
    return !branch->isProperAncestor(use.getOwner());
  });
  cast<LoadOp>(*load).getPadMutable().clear();
}

static void copyToShared(ConvertLayoutOp exchange) {
  constexpr int64_t kLeastBytes = 4; // PTX ISA, "cp.async"
  auto load = exchange.getSource().getDefiningOp<CopyableOpInterface>();
  if (!load || !exchange.getSource().hasOneUse() ||
      load->getBlock() != exchange->getBlock())
    return;
  TileType from = load.getTileType(), to = exchange.getType();
  int64_t bytes = getAccessWidth(load) * getElementBytes(from.getElementType());
  if (bytes < kLeastBytes || !from.getRegister() || !to.getRegister() ||
      !takesManyRegisters(from) ||
      getRegisterMove(from, to) != RegisterMove::exchange)
    return;
  if (load.getPad())
    padAfter(exchange, load);
  retype(load.getAccessedTile(),
         from.withStorage(getAnyShared(exchange.getContext())));
  recordDecision(load, "copy", "asynchronous, to shared memory",
                 "its elements only pass through it to other threads");
}

llvm::SmallPtrSet<Operation *, 4> tile::findDeclaredLoads(KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 4> declared;
  kernel.walk([&](CopyableOpInterface load) {
    RegisterAttr registers = load.getTileType().getRegister();
    if ((registers && registers.isResolved()) ||
        llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>))
      declared.insert(load);
  });
  return declared;
}

void tile::copyExchangedLoads(
    KernelOp kernel, const llvm::SmallPtrSetImpl<Operation *> &declared) {
  kernel.walk([&](ConvertLayoutOp exchange) {
    if (!declared.contains(exchange.getSource().getDefiningOp()))
      copyToShared(exchange);
  });
}
