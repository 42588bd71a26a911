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

namespace {
/// What all operations of a kernel ask for together.
struct KernelDemand : WarpDemand {
  int64_t largestTile = 1; ///< elements
};
} // namespace

static KernelDemand collectDemand(KernelOp kernel,
                                  const DistributionContext &context) {
  KernelDemand sum;
  sum.most = context.architecture.costs.maxElementwiseWarps;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type))
        sum.largestTile = std::max(sum.largestTile, tile.getNumElements());
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

/// Warps whose threads have a few of so many elements each.
static int64_t spreadElements(int64_t elements, int64_t most,
                              const Costs &costs) {
  int64_t warps = elements / (kWarpSize * costs.elementsPerThread);
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp<int64_t>(warps, 1, most)));
}

int64_t tile::chooseWarps(KernelOp kernel, const DistributionContext &context) {
  const Costs &costs = context.architecture.costs;
  KernelDemand demand = collectDemand(kernel, context);
  if (demand.given != 0)
    return demand.given;
  if (demand.wanted != 0)
    return raiseWarps(
        kernel, costs,
        std::max(demand.wanted,
                 spreadElements(demand.elements, demand.most, costs)));
  return spreadElements(std::max(demand.elements, demand.largestTile),
                        demand.most, costs);
}
