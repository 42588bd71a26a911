// CooperativeOpInterface.h - operations that a block's threads compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation implements the interface itself, or has it attached by an
// external model, as `tile.matmul` has, whose model reads the table of
// instructions.

#ifndef TILE_IR_COOPERATIVEOPINTERFACE_H
#define TILE_IR_COOPERATIVEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

#include <tuple>

namespace tile {

struct Architecture;
class MatmulChains;

/// The fewest threads that hold an instance together.
enum class Holder { thread, half_warp, warp, block };

/// Cost of a distribution for the warp that has the most to do, or for the
/// thread if its instructions are those of threads. Smaller is better; members
/// compare in their order.
struct DistributionCost {
  int64_t work = 0;    ///< elements that it computes, padding included
  int64_t traffic = 0; ///< elements read for them, or handed to others
  int64_t spread = 0;  ///< the part of that that is distinct in a warp
  int64_t idle = 0;    ///< warps that repeat others' work or have padding

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
  /// Number of instances that a holder has, at a time or in turn.
  int64_t instances = 1;
  DistributionCost cost;
  /// Attribute by which the operation identifies this distribution: the
  /// `#tile.tiling` of a matmul, the registers of a row.
  mlir::Attribute plan;
};

/// The number of warps that serve an operation.
struct WarpDemand {
  /// Number of warps that the program specifies; zero if it specifies none.
  int64_t given = 0;
  /// Number of warps that serve it best if no other operation wants more; zero
  /// if that is open.
  int64_t preferred = 0;
  /// Number of warps that each have enough to do; zero if that follows from
  /// `elements`.
  int64_t wanted = 0;
  /// Number of elements of which each thread is to have a few, by at most
  /// `most` warps.
  int64_t elements = 0;
  /// Greatest number of warps; zero for as many as elementwise operations have.
  int64_t most = 0;
};

/// The kernel in which an operation is distributed.
struct DistributionContext {
  const Architecture &architecture;
  /// How the kernel's matmuls are connected.
  const MatmulChains &chains;
  /// Greatest number of warps of a block.
  int64_t maxWarps;
  /// Number of warps of the kernel; zero before it is chosen.
  int64_t numWarps = 0;
};

/// Returns the holder of an instance that `lanes` lanes share; these are of one
/// warp if a warp has as many.
Holder getHolder(int64_t lanes);

/// Returns the first of the cheapest distributions. @pre there is one.
const WorkDistribution &
findCheapest(llvm::ArrayRef<WorkDistribution> distributions);

} // namespace tile

#include "tile/IR/CooperativeOpInterface.h.inc"

#endif // TILE_IR_COOPERATIVEOPINTERFACE_H
