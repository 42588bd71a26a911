// MaskedFactors.cpp - masks of values that have the factor zero
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MaskedFactors.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {
/// A value that has the elements of `inner` where it is not masked, and
/// elsewhere the constant `fill`.
struct Masked {
  Value inner;
  double fill;
  /// The elements with this flag equal to `isKept` are not masked.
  Value flags;
  bool isKept;
  /// The condition of the mask, which applies if the value is `isApplied`; null
  /// if it always applies.
  Value branch;
  bool isApplied = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Whether two values are the same, or results of the same pure computation of
/// the same values.
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

/// Whether masked elements are minus infinity, unless they are NaN.
static bool isMinusInfinity(Value value, const Masked &mask) {
  std::optional<Masked> own = readMask(value);
  if (own && own->fill == -std::numeric_limits<double>::infinity() &&
      haveSameMask(*own, mask))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(value.getDefiningOp())
      .Case(
          [&](arith::SubFOp op) { return isMinusInfinity(op.getLhs(), mask); })
      .Case([&](arith::AddFOp op) {
        return isMinusInfinity(op.getLhs(), mask) ||
               isMinusInfinity(op.getRhs(), mask);
      })
      .Default(false);
}

/// Whether masked elements have a factor that is zero, unless it is NaN.
static bool hasZeroFactor(Value value, const Masked &mask) {
  Operation *source = value.getDefiningOp();
  return source && llvm::TypeSwitch<Operation *, bool>(source)
                       .Case([&](arith::MulFOp op) {
                         return hasZeroFactor(op.getLhs(), mask) ||
                                hasZeroFactor(op.getRhs(), mask);
                       })
                       .Case<math::ExpOp, math::Exp2Op>([&](auto op) {
                         return isMinusInfinity(op.getOperand(), mask);
                       })
                       .Case<arith::NegFOp, CastOp>([&](Operation *op) {
                         return hasZeroFactor(op->getOperand(0), mask);
                       })
                       .Default(false);
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
