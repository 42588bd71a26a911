// KernelPlan.cpp - kernels that add up the gradients of several programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelPlan.h"

#include "../AccessBox.h"
#include "../ArgumentRoles.h"
#include "../AscendingLoops.h"
#include "../SharedElements.h"
#include "../SimplifyGradient.h"
#include "KeptResults.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

/// A grid has three axes.
constexpr size_t kMostAxes = 3;
/// An array has at most eight dimensions.
constexpr int64_t kMostDimensions = 8;

bool KernelPlan::updates(unsigned array) const {
  return llvm::is_contained(exclusive, array) ||
         llvm::is_contained(summed, array) ||
         llvm::is_contained(serial, array) || llvm::is_contained(copied, array);
}

SmallVector<AtomicRMWOp> tile::listUpdates(KernelOp kernel, unsigned array) {
  SmallVector<AtomicRMWOp> updates;
  kernel.walk([&](AtomicRMWOp op) {
    if (op.getDest() == kernel.getArgument(array))
      updates.push_back(op);
  });
  return updates;
}

/// Lists the operations around an update, up to the kernel.
static SmallVector<Operation *> listAround(AtomicRMWOp update) {
  SmallVector<Operation *> around;
  for (Operation *op = update->getParentOp(); !isa<KernelOp>(op);
       op = op->getParentOp())
    around.push_back(op);
  return around;
}

/// Whether an operation around an update is a loop that can become an axis of
/// the grid: it moves the updated box, carries nothing, and runs the same
/// iterations in each program, or, if one axis becomes a loop, more the larger
/// the index along this axis is.
static bool canPromote(Operation *op, AtomicRMWOp update,
                       const KernelPlan &plan, LaunchFunction &host) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getNumResults() != 0 || !isMovedByLoop(update, loop))
    return false;
  Value count = loop.getUpperBound();
  bool isCounting = getConstantIntValue(loop.getLowerBound()) == 0 &&
                    getConstantIntValue(loop.getStep()) == 1;
  return isCounting && host.getRange(count) &&
         (isUniform(count) || (plan.looped.size() == 1 && isGrowing(count)));
}

/// Whether an owner can add up an update: it is outside of loops, or in loops
/// that can become axes, and then its box depends on the owner only.
static bool canSum(AtomicRMWOp update, ArrayRef<Axis> owners,
                   const KernelPlan &plan, LaunchFunction &host) {
  SmallVector<Operation *> around = listAround(update);
  return owners.size() + around.size() <= kMostAxes &&
         llvm::all_of(around,
                      [&](Operation *op) {
                        return canPromote(op, update, plan, host);
                      }) &&
         isMovedOnlyBy(update, owners, around);
}

/// Whether parts of the programs can add up an array's updates in copies of it:
/// the updated boxes do not depend on the program, except for its owner. Boxes
/// that do are of large arrays.
static bool canCopy(KernelOp kernel, unsigned array,
                    ArrayRef<AtomicRMWOp> updates, ArrayRef<Axis> owners) {
  auto type = cast<MemRefType>(kernel.getArgumentTypes()[array]);
  return type.getRank() < kMostDimensions &&
         llvm::all_of(
             updates,
             [&](AtomicRMWOp update) {
               return isMovedOnlyBy(update, owners, listAround(update));
             });
}

/// Lists the operations that write an array.
static SmallVector<Operation *> listWrites(Value array) {
  SmallVector<Operation *> writes;
  for (Operation *user : array.getUsers()) {
    auto memory = dyn_cast<MemoryEffectOpInterface>(user);
    if (memory && memory.getEffectOnValue<MemoryEffects::Write>(array))
      writes.push_back(user);
  }
  return writes;
}

static InFlightDiagnostic reportNoOwners(KernelOp kernel, unsigned array,
                                         ArrayRef<Operation *> writes) {
  InFlightDiagnostic error =
      kernel->emitError("expected an array of which programs that differ along "
                        "an axis of the grid load different elements, got '")
      << getInputName(kernel, array)
      << "', for which this is not proved; their gradients are added up if "
         "'atomics' are allowed";
  for (Operation *write : writes)
    error.attachNote(write->getLoc()) << "a load of the array";
  return error;
}

/// Returns a copy of the kernel that writes no other array of `written` than
/// `array`. The caller erases it.
static KernelOp cloneForArray(KernelOp kernel, unsigned array,
                              ArrayRef<unsigned> written) {
  auto copy = cast<KernelOp>(OpBuilder(kernel).clone(*kernel));
  for (unsigned other : written)
    if (other != array)
      eraseWrites(copy.getArgument(other));
  eraseDeadOperations(copy);
  ascendLoops(copy);
  return copy;
}

/// Plans the kernel of one array whose elements several programs update, from a
/// kernel that updates no other array.
static FailureOr<KernelPlan> planShared(KernelOp kernel, unsigned array,
                                        ArrayRef<Axis> axes,
                                        LaunchFunction &host) {
  SmallVector<AtomicRMWOp> updates = listUpdates(kernel, array);
  SmallVector<Operation *> writes = listWrites(kernel.getArgument(array));
  // Elements that are found by indices, or in a view, have no owners.
  if (updates.empty() || updates.size() != writes.size())
    return reportNoOwners(kernel, array, writes);
  SmallVector<Axis> owners = findOwnerAxes(axes, updates);
  KernelPlan plan;
  for (Axis axis : axes)
    if (!llvm::is_contained(owners, axis))
      plan.looped.push_back(axis);
  bool hasFewOwners = !plan.looped.empty() && owners.size() < 2;
  if (updates.size() == 1 && canSum(updates[0], owners, plan, host)) {
    plan.summed.push_back(array);
    plan.promotesLoops = !isa<KernelOp>(updates[0]->getParentOp());
    plan.inParts = hasFewOwners && !plan.promotesLoops;
    return plan;
  }
  if (hasFewOwners && canCopy(kernel, array, updates, owners)) {
    plan.copied.push_back(array);
    plan.inParts = true;
    return plan;
  }
  if (owners.empty())
    return reportNoOwners(kernel, array, writes);
  plan.serial.push_back(array);
  return plan;
}

Operation *tile::getPromotedLoop(KernelOp kernel, const KernelPlan &plan) {
  return listUpdates(kernel, plan.summed.front()).front()->getParentOp();
}

/// Whether two arrays can be updated by one kernel. Loops that become axes must
/// be the same, and their tiles are then not widened, as those of a matmul
/// should be. So they are joined only if values are kept for them.
static bool canJoin(KernelOp kernel, const KernelPlan &a, const KernelPlan &b) {
  if (a.looped != b.looped || a.inParts != b.inParts ||
      a.promotesLoops != b.promotesLoops)
    return false;
  if (!a.promotesLoops)
    return true;
  Operation *loop = getPromotedLoop(kernel, a);
  return loop == getPromotedLoop(kernel, b) && !listLoopResults(loop).empty();
}

static void join(KernelPlan &plan, const KernelPlan &other) {
  llvm::append_range(plan.summed, other.summed);
  llvm::append_range(plan.serial, other.serial);
  llvm::append_range(plan.copied, other.copied);
}

/// Adds a plan to those of which it can join one.
static void addPlan(KernelOp kernel, std::vector<KernelPlan> &plans,
                    const KernelPlan &plan) {
  auto found = llvm::find_if(plans, [&](const KernelPlan &other) {
    return canJoin(kernel, other, plan);
  });
  if (found == plans.end())
    plans.push_back(plan);
  else
    join(*found, plan);
}

FailureOr<std::vector<KernelPlan>>
tile::planKernels(KernelOp kernel, ArrayRef<unsigned> exclusive,
                  ArrayRef<unsigned> shared, ArrayRef<unsigned> outputs,
                  ArrayRef<Axis> axes, LaunchFunction &host) {
  std::vector<KernelPlan> plans;
  SmallVector<unsigned> written(exclusive);
  llvm::append_range(written, shared);
  llvm::append_range(written, outputs);
  for (unsigned array : shared) {
    if (!getArrayAccess(kernel.getArgument(array)).writes)
      continue;
    KernelOp alone = cloneForArray(kernel, array, written);
    FailureOr<KernelPlan> plan = planShared(alone, array, axes, host);
    alone->erase();
    if (failed(plan))
      return failure();
    addPlan(kernel, plans, *plan);
  }
  if (exclusive.empty())
    return plans;
  // A kernel of partial sums reads the arrays of all programs anyway.
  auto found =
      llvm::find_if(plans, [](const KernelPlan &plan) { return plan.inParts; });
  if (found == plans.end())
    found = plans.insert(plans.begin(), KernelPlan());
  found->exclusive.assign(exclusive.begin(), exclusive.end());
  return plans;
}
