// CooperativeOpInterface.h - operations that a block's threads compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation implements the interface itself, or an external model implements
// it for the operation. The model of `tile.matmul` reads the instruction table.

#ifndef TILE_IR_COOPERATIVEOPINTERFACE_H
#define TILE_IR_COOPERATIVEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

#include <tuple>

namespace tile {

struct Architecture;
class MatmulChains;

/// The smallest unit of threads whose members together hold an instance of an
/// operation, such as one matmul of a batch or one row.
enum class Holder { thread, half_warp, warp, block };

/// Cost of a distribution for the warp that has the most work, or for the
/// thread if the operation uses instructions of single threads. Smaller is
/// better. Costs are compared member by member, in this order.
struct DistributionCost {
  int64_t work = 0;    ///< elements computed, padding included
  int64_t traffic = 0; ///< elements read, or exchanged with others
  int64_t spread = 0;  ///< distinct part of that traffic in a warp
  int64_t idle = 0;    ///< warps that repeat work or compute padding

  bool operator<(const DistributionCost &other) const {
    auto members = [](const DistributionCost &cost) {
      return std::tie(cost.work, cost.traffic, cost.spread, cost.idle);
    };
    return members(*this) < members(other);
  }
};

/// A way to distribute the instances of an operation.
struct WorkDistribution {
  Holder holder = Holder::block;
  /// Number of instances that a holder computes, at the same time or in turn.
  int64_t instances = 1;
  DistributionCost cost;
  /// Attribute by which the operation identifies this distribution, such as the
  /// `#tile.tiling` of a matmul or the register layout of a row.
  mlir::Attribute plan;
};

/// The number of warps that suits an operation.
struct WarpDemand {
  /// Number of warps that the program specifies; zero if it specifies none.
  int64_t given = 0;
  /// Number of warps that suits the operation best if no other operation needs
  /// more; zero if the operation has no preference.
  int64_t preferred = 0;
  /// Number of warps that each have enough work; zero if it follows from
  /// `elements`.
  int64_t wanted = 0;
  /// Estimate of the instructions of a warp for one execution: of the whole
  /// operation, or, if `isRepeated`, of its part with `wanted` warps.
  int64_t instructions = 0;
  /// Whether warps beyond `wanted` repeat the computation instead of sharing
  /// it, as those of a factorisation that a warp computes in its registers.
  bool isRepeated = false;
  /// Number of elements that are spread over the threads so that each thread
  /// has a few, with at most `most` warps.
  int64_t elements = 0;
  /// Maximum number of warps; zero for the maximum of elementwise operations.
  int64_t most = 0;
};

/// The kernel in which an operation is distributed.
struct DistributionContext {
  const Architecture &architecture;
  /// The matmuls of the kernel that depend on each other.
  const MatmulChains &chains;
  /// Maximum number of warps of a block.
  int64_t maxWarps;
  /// Number of warps of the kernel; zero before it is chosen.
  int64_t numWarps = 0;
};

/// Returns the holder of an instance that `lanes` lanes share. Up to 32 lanes
/// are lanes of one warp.
Holder getHolder(int64_t lanes);

/// Returns the first of the cheapest distributions. @pre there is one.
const WorkDistribution &
findCheapest(llvm::ArrayRef<WorkDistribution> distributions);

} // namespace tile

#include "tile/IR/CooperativeOpInterface.h.inc"

#endif // TILE_IR_COOPERATIVEOPINTERFACE_H
