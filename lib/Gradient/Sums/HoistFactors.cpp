// HoistFactors.cpp - factors of all terms of a sum
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HoistFactors.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

namespace {
/// Factors collects the factors of a value that are scalars from outside of a
/// loop.
class Factors {
public:
  explicit Factors(scf::ForOp loop) : loop(loop) {}

  /// Removes factors from a value, all uses of which are linear and are
  /// `numUses` uses of one result.
  void removeFrom(Value value, unsigned numUses);

  /// Returns them multiplied, in an element type, after the loop; null if there
  /// are no factors.
  Value multiply(ValueBuilder &b, Type element);

private:
  /// Factor is a scalar, or a constant if `scalar` is null.
  struct Factor {
    Value scalar;
    double constant = 1;
  };

  std::optional<Factor> getFactor(Value value);
  void removeFromIf(scf::IfOp op, unsigned index);

  scf::ForOp loop;
  SmallVector<Factor> factors;
};
} // namespace

std::optional<Factors::Factor> Factors::getFactor(Value value) {
  if (std::optional<double> constant = getRealConstant(value))
    return Factor{Value(), *constant};
  auto fill = value.getDefiningOp<FillOp>();
  if (fill && loop.isDefinedOutsideOfLoop(fill.getValue()))
    return Factor{fill.getValue()};
  return std::nullopt;
}

void Factors::removeFrom(Value value, unsigned numUses) {
  Operation *op = value.getDefiningOp();
  if (!op || loop.isDefinedOutsideOfLoop(value) ||
      llvm::range_size(value.getUses()) != numUses)
    return;
  if (isa<CastOp, TransposeOp, ReshapeOp, ConvertLayoutOp>(op))
    return removeFrom(op->getOperand(0), 1);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return removeFromIf(branch, cast<OpResult>(value).getResultNumber());
  if (!isa<arith::MulFOp>(op))
    return;
  for (unsigned i : {0, 1})
    if (std::optional<Factor> factor = getFactor(op->getOperand(i))) {
      factors.push_back(*factor);
      Value rest = op->getOperand(1 - i);
      bool isOnly = rest.hasOneUse();
      value.replaceAllUsesWith(rest);
      op->erase();
      return isOnly ? removeFrom(rest, numUses) : void();
    }
  removeFrom(op->getOperand(0), 1);
  removeFrom(op->getOperand(1), 1);
}

/// Returns the value that a branch yields, or yields where a mask holds and
/// zero elsewhere.
static Value getYielded(Value value) {
  std::optional<Selection> selection = getSelection(value);
  bool isMasked = selection && value.hasOneUse() &&
                  getRealConstant(selection->whereFalse) == 0;
  return isMasked ? selection->whereTrue : value;
}

/// Removes factors from a value that both branches yield.
void Factors::removeFromIf(scf::IfOp op, unsigned index) {
  if (!op.elseBlock())
    return;
  Value first = getYielded(op.thenYield()->getOperand(index));
  Value second = getYielded(op.elseYield()->getOperand(index));
  if (first == second)
    removeFrom(first, 2);
}

Value Factors::multiply(ValueBuilder &b, Type element) {
  double constant = 1;
  Value product;
  for (const Factor &factor : factors) {
    if (!factor.scalar) {
      constant *= factor.constant;
      continue;
    }
    Value scalar = b.cast(factor.scalar, element);
    product = product ? b.mul(product, scalar) : scalar;
  }
  if (factors.empty())
    return {};
  Value rest = b.real(element, constant);
  return product ? b.mul(product, rest) : rest;
}

/// Returns the matmul that adds to a value that the loop carries, from zero on;
/// null if another operation uses the value.
static MatmulOp findMatmul(scf::ForOp loop, unsigned index) {
  auto matmul = loop.getYieldedValues()[index].getDefiningOp<MatmulOp>();
  Value carried = loop.getRegionIterArgs()[index];
  bool isSum = matmul && matmul->getParentOp() == loop &&
               matmul.getAcc() == carried && carried.hasOneUse() &&
               matmul.getResult().hasOneUse() &&
               getRealConstant(loop.getInitArgs()[index]) == 0;
  return isSum ? matmul : MatmulOp();
}

static void hoistFactors(scf::ForOp loop) {
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    MatmulOp matmul = findMatmul(loop, index);
    Type element = getElementType(result.getType());
    if (!matmul || !isa<FloatType>(element))
      continue;
    Factors factors(loop);
    factors.removeFrom(matmul.getLhs(), 1);
    factors.removeFrom(matmul.getRhs(), 1);
    ValueBuilder b(matmul.getLoc(), loop.getContext());
    b.setInsertionPointAfter(loop);
    Value product = factors.multiply(b, element);
    if (!product)
      continue;
    Value sum = result;
    Value repeated = FillOp::create(b, result.getType(), product);
    Value scaled = b.mul(sum, repeated);
    sum.replaceAllUsesExcept(scaled, scaled.getDefiningOp());
  }
}

void tile::hoistFactors(KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) { ::hoistFactors(loop); });
}
