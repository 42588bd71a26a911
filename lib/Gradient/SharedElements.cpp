// SharedElements.cpp - elements of arrays that several programs load
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedElements.h"

#include "AccessBox.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;

/// Lists the loops around an access.
static SmallVector<Mover> listLoops(KernelOp kernel, Operation *access) {
  SmallVector<Mover> loops;
  for (Operation *op = access->getParentOp(); op != kernel;
       op = op->getParentOp())
    if (!isa<scf::IfOp>(op))
      loops.emplace_back(std::nullopt, op);
  return loops;
}

SmallVector<Axis> tile::listAxes(KernelOp kernel) {
  llvm::SmallSetVector<Axis, 3> axes;
  if (std::optional<GridAttr> grid = kernel.getGrid())
    for (size_t axis = 0; axis < grid->getExtents().size(); ++axis)
      axes.insert(static_cast<Axis>(axis));
  else
    kernel.walk([&](ProgramIdOp op) { axes.insert(op.getAxis()); });
  return axes.takeVector();
}

static SmallVector<Mover> toMovers(ArrayRef<Axis> axes) {
  return llvm::map_to_vector(axes,
                             [](Axis axis) { return Mover(axis, nullptr); });
}

/// Returns how far all movers except one move an offset: loops of which the
/// number of iterations is known. Different iterations of a loop are those of
/// one program, whose index does not move.
static std::optional<int64_t> getReach(const Offset &offset,
                                       const Mover &except) {
  int64_t reach = 0;
  for (auto &[mover, step] : offset.movers) {
    if (mover == except || (mover.first && !except.first))
      continue;
    auto loop = dyn_cast_or_null<scf::ForOp>(mover.second);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::optional<APInt>();
    if (!trips)
      return std::nullopt;
    reach += std::abs(step) * std::max<int64_t>(0, trips->getSExtValue() - 1);
  }
  return reach;
}

/// Whether the boxes of `first` for one index of a mover, and of `second` for
/// another index, are disjoint because of dimension `dim`.
static bool isMovedApart(const Box &first, const Box &second, size_t dim,
                         const Mover &mover) {
  const Offset &a = first.offsets[dim], &b = second.offsets[dim];
  auto step = a.movers.find(mover);
  std::optional<int64_t> reach = getReach(a, mover);
  bool isComparable = !mover.first || a.isSameInPrograms();
  if (!a.isKnown || !b.isKnown || a.movers != b.movers ||
      a.others != b.others || step == a.movers.end() || !isComparable || !reach)
    return false;
  int64_t extent = std::max(first.extents[dim], second.extents[dim]) + *reach;
  return std::abs(step->second) >= extent + std::abs(a.constant - b.constant);
}

static bool isExclusive(const Box &first, const Box &second,
                        ArrayRef<Mover> movers) {
  return llvm::all_of(movers, [&](const Mover &mover) {
    return llvm::any_of(llvm::seq(first.offsets.size()), [&](size_t dim) {
      return isMovedApart(first, second, dim, mover);
    });
  });
}

/// Whether two boxes of one iteration are disjoint: along some dimension their
/// offsets differ by a constant, at least the extent of the first of the two.
static bool isBeside(const Box &first, const Box &second) {
  return llvm::any_of(llvm::seq(first.offsets.size()), [&](size_t dim) {
    const Offset &a = first.offsets[dim], &b = second.offsets[dim];
    int64_t distance = b.constant - a.constant;
    return a.isKnown && b.isKnown && a.movers == b.movers &&
           a.others == b.others &&
           (distance >= first.extents[dim] || -distance >= second.extents[dim]);
  });
}

/// Loaded boxes, and the loops around each load.
using LoadedBoxes = SmallVector<std::pair<Box, SmallVector<Mover>>>;

/// Whether a program loads each element once: either there is one load, which
/// its loops move, or there are several outside of loops.
static bool areLoadedOnce(const LoadedBoxes &loads) {
  if (loads.size() == 1)
    return isExclusive(loads[0].first, loads[0].first, loads[0].second);
  for (auto [index, load] : llvm::enumerate(loads))
    if (!load.second.empty() ||
        llvm::any_of(ArrayRef(loads).take_front(index), [&](const auto &other) {
          return !isBeside(other.first, load.first);
        }))
      return false;
  return true;
}

std::optional<GradientUpdate> tile::findUpdate(KernelOp kernel, Value array) {
  LoadedBoxes loads;
  for (Operation *user : array.getUsers()) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load && isMemoryEffectFree(user) && !isa<ViewLikeOpInterface>(user))
      continue; // such as its sizes
    if (!load)
      return std::nullopt;
    std::optional<Box> box = readBox(load);
    if (!box)
      return std::nullopt;
    loads.emplace_back(*box, listLoops(kernel, load));
  }
  SmallVector<Mover> axes = toMovers(listAxes(kernel));
  for (auto &[first, loops] : loads)
    for (auto &[second, others] : loads)
      if (!isExclusive(first, second, axes))
        return std::nullopt;
  return areLoadedOnce(loads) ? GradientUpdate::store : GradientUpdate::add;
}

SmallVector<Axis> tile::findOwnerAxes(ArrayRef<Axis> axes,
                                      ArrayRef<AtomicRMWOp> updates) {
  SmallVector<Box> boxes;
  for (AtomicRMWOp update : updates) {
    std::optional<Box> box = readBox(update);
    if (!box)
      return {};
    boxes.push_back(*box);
  }
  SmallVector<Axis> owners;
  for (Axis axis : axes) {
    auto isMoved = [&](const Box &first) {
      return llvm::all_of(boxes, [&](const Box &second) {
        return isExclusive(first, second, Mover(axis, nullptr));
      });
    };
    if (llvm::all_of(boxes, isMoved))
      owners.push_back(axis);
  }
  return owners;
}

bool tile::isMovedOnlyBy(AtomicRMWOp update, ArrayRef<Axis> axes,
                         ArrayRef<Operation *> loops) {
  auto isKnown = [&](const Mover &mover) {
    return mover.first ? llvm::is_contained(axes, *mover.first)
                       : llvm::is_contained(loops, mover.second);
  };
  std::optional<Box> box = readBox(update);
  return box && llvm::all_of(box->offsets, [&](const Offset &offset) {
           return offset.isKnown && offset.isSameInPrograms() &&
                  llvm::all_of(offset.movers, [&](const auto &mover) {
                    return mover.second == 0 || isKnown(mover.first);
                  });
         });
}

bool tile::isMovedByLoop(AtomicRMWOp update, Operation *loop) {
  std::optional<Box> box = readBox(update);
  return box && isExclusive(*box, *box, Mover(std::nullopt, loop));
}

/// Verifies that an output is only stored by tile.store, or only updated by
/// operations whose rules have their own conditions.
static LogicalResult verifyWrites(Value array) {
  Operation *store = nullptr, *update = nullptr;
  for (Operation *user : array.getUsers()) {
    if (isMemoryEffectFree(user) && !isa<ViewLikeOpInterface>(user))
      continue; // such as its sizes
    if (isa<StoreOp>(user))
      store = user;
    else if (isa<ScatterOp, AtomicRMWOp>(user))
      update = user;
    else
      return user->emitError(
                 "expected an output that is written by tile.store, "
                 "or added to, got a use by '")
             << user->getName() << "', of which it is not known which elements "
             << "it writes how often";
  }
  if (!store || !update)
    return success();
  return update
             ->emitError("expected an output that is either stored or added "
                         "to, got both")
             .attachNote(store->getLoc())
         << "a store";
}

LogicalResult tile::verifyStoredOnce(KernelOp kernel, Value array) {
  if (failed(verifyWrites(array)))
    return failure();
  SmallVector<StoreOp> stores; // in the program's order
  kernel.walk([&](StoreOp store) {
    if (store.getDest() == array)
      stores.push_back(store);
  });
  auto isProved = [&](StoreOp first, StoreOp second) {
    if (first != second && insideMutuallyExclusiveRegions(first, second))
      return true;
    SmallVector<Mover> loops = listLoops(kernel, first);
    if (first == second && loops.empty())
      return true;
    std::optional<Box> a = readBox(first), b = readBox(second);
    return a && b && loops == listLoops(kernel, second) &&
           isExclusive(*a, *b, loops) && (first == second || isBeside(*a, *b));
  };
  for (auto [index, second] : llvm::enumerate(stores))
    for (StoreOp first : ArrayRef(stores).take_front(index + 1))
      if (!isProved(first, second))
        return second.emitError("expected a store to elements of the output "
                                "that the program stores once, which is not "
                                "proved from its offsets: their cotangents "
                                "belong to the last store");
  return success();
}
