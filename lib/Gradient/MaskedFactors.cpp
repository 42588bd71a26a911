// MaskedFactors.cpp - masks of values that have the factor zero
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MaskedFactors.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

namespace {
/// Masked describes a value that has the elements of `inner` where `flags` is
/// `isKept`, and elsewhere the constant `fill`. If `branch` is not null, the
/// value is masked only if `branch` is `isApplied`.
struct Masked {
  Value inner;
  double fill;
  Value flags;
  bool isKept;
  Value branch;
  bool isApplied = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Returns whether two values are the same, or results of the same pure
/// computation of the same values.
static bool areSame(Value a, Value b) {
  if (a == b)
    return true;
  auto first = dyn_cast<OpResult>(a), second = dyn_cast<OpResult>(b);
  if (!first || !second ||
      first.getResultNumber() != second.getResultNumber() ||
      !isPure(first.getOwner()) || first.getOwner()->getNumRegions() != 0)
    return false;
  return OperationEquivalence::isEquivalentTo(
      first.getOwner(), second.getOwner(),
      [](Value x, Value y) { return success(areSame(x, y)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

static bool haveSameMask(const Masked &a, const Masked &b) {
  return a.isKept == b.isKept && a.branch == b.branch &&
         a.isApplied == b.isApplied && areSame(a.flags, b.flags);
}

static std::optional<Masked> readSelection(Value value) {
  std::optional<Selection> selection = getSelection(value);
  if (!selection)
    return std::nullopt;
  Value flags = value.getDefiningOp()->getOperand(0);
  if (std::optional<double> fill = getRealConstant(selection->whereFalse))
    return Masked{selection->whereTrue, *fill, flags, true, Value()};
  if (std::optional<double> fill = getRealConstant(selection->whereTrue))
    return Masked{selection->whereFalse, *fill, flags, false, Value()};
  return std::nullopt;
}

/// Returns the mask of a value, or of a result of an `scf.if` whose one branch
/// masks the value that the other one returns.
static std::optional<Masked> readMask(Value value) {
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return readSelection(value);
  unsigned index = cast<OpResult>(value).getResultNumber();
  Value ifTrue = branch.thenYield().getOperand(index);
  Value ifFalse = branch.elseYield().getOperand(index);
  for (bool isApplied : {true, false}) {
    std::optional<Masked> masked = readSelection(isApplied ? ifTrue : ifFalse);
    if (!masked || masked->inner != (isApplied ? ifFalse : ifTrue))
      continue;
    masked->branch = branch.getCondition();
    masked->isApplied = isApplied;
    return masked;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Zeros
//===----------------------------------------------------------------------===//

/// Returns whether masked elements are minus infinity, unless they are NaN.
static bool isMinusInfinity(Value value, const Masked &mask) {
  std::optional<Masked> own = readMask(value);
  if (own && own->fill == -std::numeric_limits<double>::infinity() &&
      haveSameMask(*own, mask))
    return true;
  if (auto difference = value.getDefiningOp<arith::SubFOp>())
    return isMinusInfinity(difference.getLhs(), mask);
  auto sum = value.getDefiningOp<arith::AddFOp>();
  return sum && (isMinusInfinity(sum.getLhs(), mask) ||
                 isMinusInfinity(sum.getRhs(), mask));
}

/// Returns whether masked elements have a factor that is zero, unless it is
/// NaN.
static bool hasZeroFactor(Value value, const Masked &mask) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<math::ExpOp, math::Exp2Op>(op))
    return isMinusInfinity(op->getOperand(0), mask);
  return isa_and_present<arith::MulFOp, arith::NegFOp, CastOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return hasZeroFactor(operand, mask);
         });
}

/// Removes the mask of a value if it only makes zeros of zeros, or of elements
/// that are multiplied by zeros.
static void dropMask(Value value) {
  std::optional<Masked> mask = readMask(value);
  if (!mask || mask->fill != 0)
    return;
  if (hasZeroFactor(mask->inner, *mask))
    return value.replaceAllUsesWith(mask->inner);
  value.replaceUsesWithIf(mask->inner, [&](OpOperand &use) {
    auto multiplication = dyn_cast<arith::MulFOp>(use.getOwner());
    return multiplication &&
           hasZeroFactor(multiplication->getOperand(1 - use.getOperandNumber()),
                         *mask);
  });
}

void tile::dropMasksOfZeros(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    for (Value result : op->getResults())
      dropMask(result);
  });
}
