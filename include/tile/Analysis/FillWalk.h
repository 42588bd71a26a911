// FillWalk.h - walks a kernel with a fact about each fill of its channels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_FILLWALK_H
#define TILE_ANALYSIS_FILLWALK_H

#include "tile/Analysis/ChannelPositions.h"

#include <limits>
#include <map>

namespace tile {

/// A fill: its channel, and its position relative to the channel's frame. All
/// fills of a channel whose positions are not known have position 0.
using Fill = std::pair<mlir::Operation *, int64_t>;

/// Walks a kernel in program order with a fact about each fill. Where paths
/// meet, their facts are joined; a loop is walked again until the facts at its
/// start no longer change. `Walk` is the derived class, with
///
///   void visitOperation(Operation *op, Facts &facts);
///   static Fact join(Fact a, Fact b);
///
/// `join` must be associative, commutative and idempotent, and a chain of
/// joined facts must end. Operations in regions are visited after the operation
/// itself, several times if they are in a loop.
template <typename Walk, typename Fact>
class FillWalk {
public:
  using Facts = std::map<Fill, Fact>;

protected:
  explicit FillWalk(KernelOp kernel) : kernel(kernel), positions(kernel) {}

  void walk() {
    Facts facts;
    visit(kernel.getBody().front(), facts);
  }

  Fill getFill(tile_gpu::ChannelOp channel, mlir::Value counter) const {
    return {channel, positions.getPosition(channel, counter).value_or(0)};
  }

  /// Removes the facts about the fills of a channel.
  static void forget(tile_gpu::ChannelOp channel, Facts &facts) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    facts.erase(facts.lower_bound({channel, 0}),
                facts.upper_bound({channel, kMost}));
  }

  KernelOp kernel;
  ChannelPositions positions;

private:
  void visit(mlir::Block &block, Facts &facts) {
    for (mlir::Operation &op : block) {
      static_cast<Walk *>(this)->visitOperation(&op, facts);
      if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op))
        visitLoop(loop, facts);
      else if (auto branch = mlir::dyn_cast<mlir::scf::IfOp>(op))
        visitBranch(branch, facts);
      else if (op.getNumRegions() != 0)
        visitRegions(&op, facts);
    }
  }

  /// Adds the facts of `from`. Returns whether a fact is new or has changed.
  static bool join(Facts &into, const Facts &from) {
    bool isChanged = false;
    for (const auto &[fill, fact] : from) {
      auto [it, isNew] = into.try_emplace(fill, fact);
      Fact joined = Walk::join(it->second, fact);
      isChanged |= isNew || joined != it->second;
      it->second = joined;
    }
    return isChanged;
  }

  void visitLoop(mlir::scf::ForOp loop, Facts &facts) {
    while (true) {
      Facts end = facts, next;
      visit(*loop.getBody(), end);
      for (const auto &[fill, fact] : end) {
        auto channel = mlir::cast<tile_gpu::ChannelOp>(fill.first);
        int64_t position =
            positions.getNextPosition(channel, fill.second, loop);
        next.try_emplace({channel, position}, fact);
      }
      if (!join(facts, next))
        return;
    }
  }

  void visitBranch(mlir::scf::IfOp branch, Facts &facts) {
    Facts other = facts;
    visit(branch.getThenRegion().front(), facts);
    if (!branch.getElseRegion().empty())
      visit(branch.getElseRegion().front(), other);
    join(facts, other);
  }

  /// Visits regions that run in any order, any number of times, or not at all.
  void visitRegions(mlir::Operation *op, Facts &facts) {
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (mlir::Region &region : op->getRegions()) {
        Facts end = facts;
        if (!region.empty())
          visit(region.front(), end);
        isChanged |= join(facts, end);
      }
    }
  }
};

} // namespace tile

#endif // TILE_ANALYSIS_FILLWALK_H
