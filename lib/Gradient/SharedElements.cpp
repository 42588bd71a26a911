// SharedElements.cpp - elements of arrays that several programs load
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedElements.h"

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <map>

using namespace mlir;
using namespace tile;

namespace {
/// The index of a program along an axis, or of an iteration of a loop, as a
/// variable that an offset depends on.
using Mover = std::pair<std::optional<Axis>, Operation *>;

/// An offset as a sum: a constant, movers times their coefficients, and values
/// that are the same in all programs and iterations.
struct Offset {
  int64_t constant = 0;
  std::map<Mover, int64_t> movers;
  std::map<void *, int64_t> others;
};

/// The box of an access: its offset and extent along each dimension.
struct Box {
  SmallVector<Offset> offsets;
  SmallVector<int64_t> extents;
};
} // namespace

static Offset scaled(Offset offset, int64_t factor) {
  offset.constant *= factor;
  for (auto &[mover, coefficient] : offset.movers)
    coefficient *= factor;
  for (auto &[value, coefficient] : offset.others)
    coefficient *= factor;
  return offset;
}

static Offset sum(Offset a, const Offset &b) {
  a.constant += b.constant;
  for (auto &[mover, coefficient] : b.movers)
    a.movers[mover] += coefficient;
  for (auto &[value, coefficient] : b.others)
    a.others[value] += coefficient;
  return a;
}

static std::optional<Offset> readOffset(Value value);

/// Reads the index of a loop's iteration: the lower bound, and a multiple of
/// the step.
static std::optional<Offset> readInduction(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return std::nullopt;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<Offset> first = readOffset(loop.getLowerBound());
  if (!step || !first)
    return std::nullopt;
  first->movers[Mover(std::nullopt, loop)] += *step;
  return first;
}

static std::optional<Offset> readOffset(Value value) {
  Offset offset;
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    offset.constant = *constant;
    return offset;
  }
  if (isUniform(value)) {
    offset.others[value.getAsOpaquePointer()] = 1;
    return offset;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return readInduction(argument);
  Operation *op = value.getDefiningOp();
  if (auto program = dyn_cast<ProgramIdOp>(op)) {
    offset.movers[Mover(program.getAxis(), nullptr)] = 1;
    return offset;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return readOffset(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Offset> a = readOffset(op->getOperand(0));
  std::optional<Offset> b = readOffset(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return sum(*a, *b);
  if (isa<arith::SubIOp>(op))
    return sum(*a, scaled(*b, -1));
  auto isConstant = [](const Offset &factor) {
    return factor.movers.empty() && factor.others.empty();
  };
  if (isConstant(*b))
    return scaled(*a, b->constant);
  if (isConstant(*a))
    return scaled(*b, a->constant);
  return std::nullopt;
}

/// Reads the box of a load, a store or an update.
template <typename Access>
static std::optional<Box> readBox(Access access) {
  Box box;
  for (Value value : access.getOffsets()) {
    std::optional<Offset> offset = readOffset(value);
    if (!offset)
      return std::nullopt;
    box.offsets.push_back(*offset);
  }
  box.extents.assign(box.offsets.size(), 1);
  auto type = cast<TileType>(access.getAccessedTile().getType());
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    box.extents[getArrayDimension(access, dim)] = extent;
  return box;
}

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

/// Whether the boxes of `first` for one index of a mover, and of `second` for
/// another index, are disjoint because of dimension `dim`.
static bool isMovedApart(const Box &first, const Box &second, size_t dim,
                         const Mover &mover) {
  const Offset &a = first.offsets[dim], &b = second.offsets[dim];
  if (a.movers != b.movers || a.others != b.others || a.movers.size() != 1 ||
      a.movers.begin()->first != mover)
    return false;
  int64_t extent = std::max(first.extents[dim], second.extents[dim]);
  return std::abs(a.movers.begin()->second) >=
         extent + std::abs(a.constant - b.constant);
}

static bool isExclusive(const Box &first, const Box &second,
                        ArrayRef<Mover> movers) {
  return llvm::all_of(movers, [&](const Mover &mover) {
    return llvm::any_of(llvm::seq(first.offsets.size()), [&](size_t dim) {
      return isMovedApart(first, second, dim, mover);
    });
  });
}

std::optional<GradientUpdate> tile::findUpdate(KernelOp kernel, Value array) {
  SmallVector<std::pair<Box, SmallVector<Mover>>> loads;
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
  bool isLoadedOnce =
      loads.size() == 1 &&
      isExclusive(loads[0].first, loads[0].first, loads[0].second);
  return isLoadedOnce ? GradientUpdate::store : GradientUpdate::add;
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
           return llvm::all_of(offset.movers, [&](const auto &mover) {
             return mover.second == 0 || isKnown(mover.first);
           });
         });
}

bool tile::isMovedByLoop(AtomicRMWOp update, Operation *loop) {
  std::optional<Box> box = readBox(update);
  return box && isExclusive(*box, *box, Mover(std::nullopt, loop));
}

bool tile::isUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<KernelOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  bool isKnown = isa<NumProgramsOp, memref::DimOp>(op) ||
                 isa_and_nonnull<arith::ArithDialect>(op->getDialect());
  return isKnown && llvm::all_of(op->getOperands(), isUniform);
}

/// Whether two boxes of one iteration are disjoint: along some dimension their
/// offsets differ by a constant, at least the extent of the first of the two.
static bool isBeside(const Box &first, const Box &second) {
  return llvm::any_of(llvm::seq(first.offsets.size()), [&](size_t dim) {
    const Offset &a = first.offsets[dim], &b = second.offsets[dim];
    int64_t distance = b.constant - a.constant;
    return a.movers == b.movers && a.others == b.others &&
           (distance >= first.extents[dim] || -distance >= second.extents[dim]);
  });
}

LogicalResult tile::verifyStoredOnce(KernelOp kernel, Value array) {
  for (Operation *user : array.getUsers()) {
    if (isMemoryEffectFree(user) && !isa<ViewLikeOpInterface>(user))
      continue; // such as its sizes
    if (!isa<StoreOp>(user))
      return user->emitError("expected an output that is written by tile.store "
                             "only, got a use by '")
             << user->getName() << "'";
  }
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
                                "proved");
  return success();
}
