// FastMath.cpp - results that fast-math flags allow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag permits transformations of an operation and of its neighbors that have
// the flag too. Their joint effect is bounded at each operation that rounds:
// its error is enlarged enough for any order of additions and multiplications,
// a fused multiply-add, a reciprocal, or an approximation. So the expected
// value remains an interval, and a value that the flags leave undefined is
// unknown.

#include "Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

using arith::FastMathFlags;

/// Maximum number of terms or factors of neighboring operations that may be
/// reordered.
static constexpr double kMostTerms = 16;
/// Relative and absolute error of an approximate function.
static constexpr double kApproximation = 0x1p-18;

static bool has(FastMathFlags flags, FastMathFlags flag) {
  return arith::bitEnumContainsAll(flags, flag);
}

/// Whether the flags promise that `x` does not occur.
static bool isExcluded(FastMathFlags flags, const Element &x) {
  return (has(flags, FastMathFlags::nnan) && std::isnan(x.value)) ||
         (has(flags, FastMathFlags::ninf) && std::isinf(x.value));
}

/// Whether multiplications and divisions of `x`, in any order, stay in range.
static bool isModest(const Element &x, Type type) {
  double most = std::pow(getLargest(type), 0.25);
  double size = std::fabs(x.value);
  return x.value == 0 || (size < most && size > 1 / most);
}

/// Returns the error of an approximation, without the rounding error.
static double getApproximation(Operation *op, ArrayRef<Element> x,
                               const Element &result) {
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return kApproximation * std::fabs(result.value);
  if (!isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::Log10Op,
           math::SinOp, math::CosOp, math::TanhOp>(op))
    return 0;
  return kApproximation * (1 + std::fabs(x[0].value)) *
         (1 + std::fabs(result.value));
}

/// Returns the error by which reordered additions, multiplications and
/// divisions may differ.
static double getReordering(Operation *op, FastMathFlags flags,
                            ArrayRef<Element> x, const Element &result,
                            Type type) {
  double magnitude = std::fabs(result.value), terms = 0;
  if (has(flags, FastMathFlags::reassoc)) {
    terms = kMostTerms;
    for (const Element &operand : x)
      if (isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(op))
        magnitude += std::fabs(operand.value);
    if (isa<math::FmaOp>(op))
      magnitude += std::fabs(x[0].value * x[1].value);
  } else if (has(flags, FastMathFlags::contract) && isa<arith::MulFOp>(op)) {
    terms = 1;
  } else if (has(flags, FastMathFlags::arcp) && isa<arith::DivFOp>(op)) {
    terms = 4;
  }
  return terms * (getUnitRoundoff(type) * magnitude + getSmallest(type));
}

/// Whether an intermediate result in another order may overflow or vanish.
static bool mayLeaveRange(Operation *op, FastMathFlags flags,
                          ArrayRef<Element> x, Type type) {
  bool isReordered = has(flags, FastMathFlags::reassoc) ||
                     has(flags, FastMathFlags::arcp) ||
                     has(flags, FastMathFlags::afn);
  return isReordered &&
         isa<arith::MulFOp, arith::DivFOp, math::FmaOp, math::SqrtOp,
             math::RsqrtOp>(op) &&
         !llvm::all_of(x, [&](const Element &y) { return isModest(y, type); });
}

Element tile::fuzz::applyFlags(Operation *op, ArrayRef<Element> x,
                               const Element &result, Type type) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  FastMathFlags flags = fast && fast.getFastMathFlagsAttr()
                            ? fast.getFastMathFlagsAttr().getValue()
                            : FastMathFlags::none;
  if (flags == FastMathFlags::none || result.isUnknown())
    return result;
  auto isOut = [&](const Element &y) { return isExcluded(flags, y); };
  if (llvm::any_of(x, isOut) || isOut(result))
    return Element::unknown();
  if (isInteger(type))
    return result;
  double error = getReordering(op, flags, x, result, type);
  if (has(flags, FastMathFlags::afn))
    error += getApproximation(op, x, result);
  if (has(flags, FastMathFlags::nsz) && result.value == 0)
    error += getSmallest(type);
  if (error == 0)
    return result;
  if (mayLeaveRange(op, flags, x, type) || !std::isfinite(result.value))
    return Element::unknown();
  return rounded(result.value, result.error + error, type);
}
