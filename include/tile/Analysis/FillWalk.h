// FillWalk.h - walks a kernel with a fact about each fill of its channels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_FILLWALK_H
#define TILE_ANALYSIS_FILLWALK_H

#include "tile/Analysis/ChannelPositions.h"

#include <map>

namespace tile {

/// Walks a kernel in program order with a fact about each fill of each key: a
/// channel, or a buffer of one. Where paths meet, their facts are joined; a
/// loop is walked again until the facts at its start no longer change. `Walk`
/// is the derived class, with
///
///   void visitOperation(Operation *op, Facts &facts);
///   static Fact join(Fact a, Fact b);
///   static Fact joinMissing(Fact fact);
///   ChannelOp getChannelOfKey(Key key) const;
///
/// `join` must be associative, commutative and idempotent, and a chain of
/// joined facts must end; `joinMissing` joins a fact with that of a path on
/// which the fill has none. Operations in regions are visited after the
/// operation itself, several times if they are in a loop.
/// @pre verifyChannels
template <typename Walk, typename Key, typename Fact>
class FillWalk {
public:
  /// A fill: its key, and its position (ChannelPositions.h). Position 0 stands
  /// for all fills of a channel whose positions are not known.
  using Fill = std::pair<Key, int64_t>;
  using Facts = std::map<Fill, Fact>;

protected:
  explicit FillWalk(KernelOp kernel) : kernel(kernel), positions(kernel) {}

  void walk() {
    Facts facts;
    visit(kernel.getBody().front(), facts);
  }

  int64_t getPosition(tile_gpu::ChannelOp channel, mlir::Value counter) const {
    return positions.getPosition(channel, counter).value_or(0);
  }

  KernelOp kernel;
  ChannelPositions positions;

private:
  Walk &self() { return *static_cast<Walk *>(this); }

  void visit(mlir::Block &block, Facts &facts) {
    for (mlir::Operation &op : block) {
      self().visitOperation(&op, facts);
      if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op))
        visitLoop(loop, facts);
      else if (auto branch = mlir::dyn_cast<mlir::scf::IfOp>(op))
        visitBranch(branch, facts);
      else if (auto loop = mlir::dyn_cast<mlir::scf::WhileOp>(op))
        visitWhile(loop, facts);
      else if (op.getNumRegions() != 0)
        visitRegions(&op, facts);
    }
  }

  /// Joins the facts of `from`. Returns whether a fact is new or has changed.
  static bool join(Facts &into, const Facts &from) {
    bool isChanged = false;
    for (auto &[fill, fact] : into) {
      auto it = from.find(fill);
      Fact joined = it == from.end() ? Walk::joinMissing(fact)
                                     : Walk::join(fact, it->second);
      isChanged |= joined != fact;
      fact = joined;
    }
    for (const auto &[fill, fact] : from)
      isChanged |= into.try_emplace(fill, Walk::joinMissing(fact)).second;
    return isChanged;
  }

  /// Returns the facts at the start of the next iteration. Fills that are so
  /// old that no counter identifies them are joined to one for each stage.
  Facts nextIteration(mlir::scf::ForOp loop, const Facts &facts) {
    Facts next;
    for (const auto &[fill, fact] : facts) {
      tile_gpu::ChannelOp channel = self().getChannelOfKey(fill.first);
      int64_t position = fill.second - positions.getAdvance(channel, loop);
      while (position < -getNumStages(channel))
        position += getNumStages(channel);
      auto [it, isNew] = next.try_emplace({fill.first, position}, fact);
      it->second = Walk::join(it->second, fact);
    }
    return next;
  }

  void visitLoop(mlir::scf::ForOp loop, Facts &facts) {
    while (true) {
      Facts end = facts;
      visit(*loop.getBody(), end);
      if (!join(facts, nextIteration(loop, end)))
        return;
    }
  }

  void visitWhile(mlir::scf::WhileOp loop, Facts &facts) {
    Facts head = std::move(facts);
    while (true) {
      facts = head;
      visit(*loop.getBeforeBody(), facts);
      Facts end = facts;
      visit(*loop.getAfterBody(), end);
      if (!join(head, end))
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
