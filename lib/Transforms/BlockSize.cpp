// BlockSize.cpp - choice of the number of warps of a kernel's block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockSize.h"

#include "tile/Analysis/Executions.h"
#include "tile/Analysis/LargestAccess.h"
#include "tile/Analysis/LiveTiles.h"
#include "tile/IR/Decisions.h"

using namespace mlir;
using namespace tile;

/// Returns `warps`, doubled while the tiles that are live at the same time do
/// not fit the registers of the block's threads, up to 16.
static int64_t raiseWarps(KernelOp kernel, const Costs &costs, int64_t warps) {
  constexpr int64_t kMost = 16, kRegisterBytes = 4;
  int64_t registers = countLiveTileBytes(kernel) / (kWarpSize * kRegisterBytes);
  while (2 * warps <= kMost && registers > costs.chainRegisters * warps)
    warps *= 2;
  return warps;
}

namespace {
/// Combined demand of all operations of a kernel.
struct KernelDemand : WarpDemand {
  int64_t largestTile = 1;        ///< elements
  Operation *giver = nullptr;     ///< operation with this `given`
  Operation *preferrer = nullptr; ///< operation with this `preferred`
  Operation *asker = nullptr;     ///< operation with this `wanted`
  /// The largest `wanted` of operations that more warps would repeat, one of
  /// these operations, and the sums of the instructions of these operations
  /// and of the others.
  int64_t wantedOnce = 0;
  Operation *repeater = nullptr;
  int64_t repeated = 0, shared = 0;
};
} // namespace

static KernelDemand collectDemand(KernelOp kernel,
                                  const DistributionContext &context) {
  constexpr int64_t kUnknownExecutions = 16; // in loops up to run-time bounds
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
    if (demand.given > sum.given)
      std::tie(sum.given, sum.giver) = std::tuple(demand.given, op);
    if (demand.preferred > sum.preferred)
      std::tie(sum.preferred, sum.preferrer) = std::tuple(demand.preferred, op);
    if (demand.wanted > sum.wanted)
      std::tie(sum.wanted, sum.asker) = std::tuple(demand.wanted, op);
    if (demand.isRepeated && demand.wanted > sum.wantedOnce)
      std::tie(sum.wantedOnce, sum.repeater) = std::tuple(demand.wanted, op);
    (demand.isRepeated ? sum.repeated : sum.shared) +=
        demand.instructions * countExecutions(op).value_or(kUnknownExecutions);
    sum.elements = std::max(sum.elements, demand.elements);
    sum.most = std::max(sum.most, demand.most);
  });
  return sum;
}

/// Returns the warps that an operation requests, or more if other operations
/// want their elements spread over more threads, or if the live tiles do not
/// fit the registers of so few threads.
static int64_t serveDemand(KernelOp kernel, const KernelDemand &demand,
                           const Costs &costs) {
  int64_t spread =
      spreadElements(demand.elements, costs.elementsPerThread, demand.most);
  // Unless most of the time is that of repetitions, more warps are chosen: they
  // also hide the latency of loads.
  bool isOnce = demand.repeater && demand.wantedOnce < demand.wanted &&
                demand.repeated >= 2 * demand.shared;
  int64_t wanted = isOnce ? demand.wantedOnce : demand.wanted;
  int64_t warps = std::max(wanted, spread);
  int64_t raised = raiseWarps(kernel, costs, warps);
  StringRef reason = isOnce ? "more would repeat this operation"
                            : "each has enough of this operation to do";
  if (raised > warps)
    reason = "with fewer, tiles that are live at a time do not fit registers";
  else if (spread > wanted)
    reason = "a thread has a few elements of the operations that spread them";
  recordDecision(isOnce ? demand.repeater : demand.asker, "warps",
                 Twine(raised), reason);
  return raised;
}

/// Chooses the warps of a kernel if no operation has a preference. With few
/// bytes for each thread, most of the time is that of addresses and of the
/// exchanges of reductions.
static int64_t spreadLargest(KernelOp kernel, const KernelDemand &demand,
                             const Costs &costs) {
  int64_t each = getElementsPerThread(findLargestAccess(kernel), costs);
  int64_t warps = std::max(
      spreadElements(demand.elements, costs.elementsPerThread, demand.most),
      spreadElements(demand.largestTile, each, demand.most));
  int64_t elements = std::max(demand.elements, demand.largestTile);
  recordDecision(kernel, "warps", Twine(warps),
                 "a thread has a few of the " + Twine(elements) +
                     " elements of the largest tile");
  return warps;
}

int64_t tile::chooseWarps(KernelOp kernel, const DistributionContext &context) {
  const Costs &costs = context.architecture.costs;
  KernelDemand demand = collectDemand(kernel, context);
  if (demand.given != 0) {
    recordDecision(demand.giver, "warps", Twine(demand.given),
                   "given by the operation's tiling");
    return demand.given;
  }
  if (demand.preferred != 0 && demand.wanted <= demand.preferred) {
    recordDecision(demand.preferrer, "warps", Twine(demand.preferred),
                   "more would wait for this operation");
    return demand.preferred;
  }
  if (demand.wanted != 0)
    return serveDemand(kernel, demand, costs);
  return spreadLargest(kernel, demand, costs);
}
