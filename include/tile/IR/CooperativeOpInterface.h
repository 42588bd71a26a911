// CooperativeOpInterface.h - what the threads of a block compute together
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
class ProductChains;

/// The fewest threads that hold an instance together.
enum class Holder { thread, half_warp, warp, block };

/// What a distribution costs the warp (the thread, of instructions of threads)
/// that has the most to do. Smaller is better, first member first.
struct DistributionCost {
  int64_t work = 0;    ///< elements that it computes, padding included
  int64_t traffic = 0; ///< what it reads for them, or hands to others
  int64_t spread = 0;  ///< of that, what is distinct in a warp
  int64_t idle = 0;    ///< warps that repeat others' work or have padding

  bool operator<(const DistributionCost &other) const {
    auto members = [](const DistributionCost &cost) {
      return std::tie(cost.work, cost.traffic, cost.spread, cost.idle);
    };
    return members(*this) < members(other);
  }
};

/// One way to distribute the instances of an operation.
struct WorkDistribution {
  Holder holder = Holder::block;
  /// Instances that a holder has, at a time or in turn.
  int64_t instances = 1;
  DistributionCost cost;
  /// What says to the operation which of its distributions it is: the
  /// `#tile.tiling` of a product, the registers of a row.
  mlir::Attribute plan;
};

/// How many warps serve an operation.
struct WarpDemand {
  /// What the program gives; zero where it leaves that open.
  int64_t given = 0;
  /// Warps that serve it best, where no other operation wants more; zero where
  /// that is open.
  int64_t preferred = 0;
  /// Warps that each have enough to do; zero where that follows from elements.
  int64_t wanted = 0;
  /// Elements of which a thread is to have a few, by `most` warps.
  int64_t elements = 0;
  /// Zero for as many as elementwise operations have.
  int64_t most = 0;
};

/// Where an operation is distributed.
struct DistributionContext {
  const Architecture &architecture;
  /// How the kernel's products are connected.
  const ProductChains &chains;
  /// Warps of a block at most.
  int64_t maxWarps;
  /// Those of the kernel; zero before they are chosen.
  int64_t numWarps = 0;
};

/// Of an instance that so many lanes share, of one warp if it has as many.
Holder getHolder(int64_t lanes);

/// The first of the cheapest. @pre there is one.
const WorkDistribution &
findCheapest(llvm::ArrayRef<WorkDistribution> distributions);

} // namespace tile

#include "tile/IR/CooperativeOpInterface.h.inc"

#endif // TILE_IR_COOPERATIVEOPINTERFACE_H
