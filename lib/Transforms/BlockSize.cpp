// BlockSize.cpp - how many warps a kernel's block has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockSize.h"

#include "tile/Analysis/LiveTiles.h"

using namespace mlir;
using namespace tile;

/// More warps, 16 at most, while a thread has more of the tiles that are live
/// at a time than fit its registers: accumulators that loops carry, and what
/// comes behind them.
static int64_t raiseWarps(KernelOp kernel, const Costs &costs, int64_t warps) {
  constexpr int64_t kMost = 16, kRegisterBytes = 4;
  int64_t registers = countLiveTileBytes(kernel) / (kWarpSize * kRegisterBytes);
  while (2 * warps <= kMost && registers > costs.chainRegisters * warps)
    warps *= 2;
  return warps;
}

/// What all operations of a kernel ask for together.
static WarpDemand collectDemand(KernelOp kernel,
                                const DistributionContext &context) {
  WarpDemand sum;
  sum.elements = 1;
  sum.most = context.architecture.costs.maxElementwiseWarps;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type))
        sum.elements = std::max(sum.elements, tile.getNumElements());
    auto cooperative = dyn_cast<CooperativeOpInterface>(op);
    if (!cooperative)
      return;
    WarpDemand demand = cooperative.getWarpDemand(context);
    sum.given = std::max(sum.given, demand.given);
    sum.wanted = std::max(sum.wanted, demand.wanted);
    sum.elements = std::max(sum.elements, demand.elements);
    sum.most = std::max(sum.most, demand.most);
  });
  return sum;
}

int64_t tile::chooseWarps(KernelOp kernel, const DistributionContext &context) {
  const Costs &costs = context.architecture.costs;
  WarpDemand demand = collectDemand(kernel, context);
  if (demand.given != 0)
    return demand.given;
  if (demand.wanted != 0)
    return raiseWarps(kernel, costs, demand.wanted);
  int64_t warps = demand.elements / (kWarpSize * costs.elementsPerThread);
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp<int64_t>(warps, 1, demand.most)));
}
