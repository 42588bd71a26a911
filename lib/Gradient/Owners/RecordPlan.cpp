// RecordPlan.cpp - decisions about gradients, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordPlan.h"

#include "../ArgumentRoles.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/Decisions.h"

using namespace mlir;
using namespace tile;

namespace {
/// Choice gives a choice and its reason. `bytes` is the memory that it takes
/// besides the array, or -1 if this is not known.
struct Choice {
  std::string chosen, reason;
  int64_t bytes = 0;
};
} // namespace

static void record(Operation *op, const Twine &about, const Choice &choice) {
  NamedAttrList fields;
  Builder builder(op->getContext());
  fields.set("bytes", builder.getI64IntegerAttr(choice.bytes));
  fields.set(kOfSourceField, builder.getUnitAttr());
  recordDecision(op, about.str(), choice.chosen, choice.reason, fields);
}

/// Returns the axes as words, such as "x and y".
static std::string listAxes(ArrayRef<Axis> axes) {
  std::string text;
  for (auto [index, axis] : llvm::enumerate(axes))
    text += (index == 0 ? "" : " and ") + stringifyAxis(axis).str();
  return text;
}

static int64_t getBytes(ArrayRef<int64_t> shape, Type element) {
  int64_t bytes = getElementBytes(element);
  for (int64_t extent : shape)
    bytes *= extent;
  return bytes;
}

/// Returns the bytes of a value of which sums are computed.
static int64_t getSumBytes(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return getBytes(type ? type.getShape() : ArrayRef<int64_t>(),
                  getSumElement(getElementType(value.getType())));
}

static Choice describeParts(AtomicRMWOp update, const KernelPlan &plan) {
  int64_t bytes = getSumBytes(update.getValue());
  return {"in partial sums of " + std::to_string(bytes) +
              " bytes, which a second kernel adds up in order",
          "programs along " + listAxes(plan.looped) +
              " load the same elements, and few programs would own them",
          bytes};
}

static Choice describeOwner(const KernelPlan &plan) {
  Choice choice;
  if (!plan.looped.empty())
    choice = {"by a loop over the programs along " + listAxes(plan.looped),
              "they load the same elements, whose owner adds up all updates"};
  if (!plan.promotesLoops)
    return choice;
  bool isOnly = choice.chosen.empty();
  choice.chosen += (isOnly ? "" : ", ") +
                   std::string("with a program for each iteration of the loops "
                               "around the load");
  choice.reason +=
      (isOnly ? "" : "; ") +
      std::string("iterations load different elements, so that each has an "
                  "owner");
  return choice;
}

/// Describes copies of an array. Their bytes are -1 if they are known at run
/// time only.
static Choice describeCopies(MemRefType array, const KernelPlan &plan) {
  int64_t bytes =
      array.hasStaticShape()
          ? getBytes(array.getShape(), getSumElement(array.getElementType()))
          : -1;
  std::string size = bytes < 0 ? "" : " of " + std::to_string(bytes) + " bytes";
  return {"in copies" + size + ", which a second kernel adds up in order",
          "programs along " + listAxes(plan.looped) +
              " load the same elements several times or while a loop carries "
              "values",
          bytes};
}

/// Returns an operation that updates an array, or the kernel if there is none.
static Operation *findUpdate(KernelOp kernel, unsigned array) {
  for (Operation *user : kernel.getArgument(array).getUsers())
    if (isa<StoreOp, AtomicRMWOp>(user))
      return user;
  return kernel;
}

static void recordAll(KernelOp kernel, ArrayRef<unsigned> arrays,
                      llvm::function_ref<Choice(unsigned)> describe) {
  for (unsigned array : arrays)
    if (!kernel.getArgument(array).use_empty())
      record(findUpdate(kernel, array),
             "gradient of " + getInputName(kernel, array), describe(array));
}

void tile::recordPlan(KernelOp kernel, const KernelPlan &plan) {
  recordAll(kernel, plan.exclusive, [](unsigned) -> Choice {
    return {"by the program that loads the elements",
            "no two programs load the same element"};
  });
  recordAll(kernel, plan.summed, [&](unsigned array) {
    return plan.inParts
               ? describeParts(listUpdates(kernel, array).front(), plan)
               : describeOwner(plan);
  });
  recordAll(kernel, plan.serial, [&](unsigned) -> Choice {
    return {"by additions to the array, one after the other",
            "one program has all updates of an element, several of them"};
  });
  recordAll(kernel, plan.copied, [&](unsigned array) {
    return describeCopies(cast<MemRefType>(kernel.getArgumentTypes()[array]),
                          plan);
  });
}

void tile::recordAtomics(KernelOp kernel, ArrayRef<unsigned> gradients) {
  recordAll(kernel, gradients, [](unsigned) -> Choice {
    return {"by atomic additions, whose order differs from run to run",
            "the request allows atomics"};
  });
}

void tile::recordKeptValues(KernelOp kernel, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; ++i) {
    BlockArgument argument = kernel.getArgument(i);
    auto array = dyn_cast<MemRefType>(argument.getType());
    if (!array || argument.use_empty())
      continue;
    // Dimensions 0 and 1 of the array are of programs and of iterations.
    int64_t bytes =
        getBytes(array.getShape().drop_front(2), array.getElementType());
    record(*argument.getUsers().begin(), "value of a loop",
           {"kept in " + std::to_string(bytes) +
                " bytes of memory for each program and iteration",
            "the derivative needs it after the loop", bytes});
  }
}
