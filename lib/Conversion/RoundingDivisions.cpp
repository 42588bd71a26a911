// RoundingDivisions.cpp - quotients rounded down or up by truncated ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %q = arith.floordivsi %x, %y : i32
//
// becomes the truncated quotient, minus one if the remainder is not zero and
// does not have the divisor's sign. The quotient by zero, which is defined to
// be zero, gets no correction, whereas upstream's expansions correct it by one.

#include "tile/Conversion/DefineArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tile;

using arith::CmpIPredicate;

/// Returns `constant` as an integer, or a vector of integers, of the type of
/// `value`.
static Value constantLike(ImplicitLocOpBuilder &b, Value value,
                          int64_t constant) {
  Type type = value.getType();
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), constant);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, attr);
}

static Value compareWithZero(ImplicitLocOpBuilder &b, CmpIPredicate predicate,
                             Value value) {
  return arith::CmpIOp::create(b, predicate, value, constantLike(b, value, 0));
}

/// Returns the remainder, computed by a multiplication instead of a division.
static Value computeRemainder(ImplicitLocOpBuilder &b, Value x, Value y,
                              Value quotient) {
  return arith::SubIOp::create(b, x, arith::MulIOp::create(b, quotient, y));
}

/// Whether `remainder` and the divisor `y` compare with zero as the predicates
/// state.
static Value haveSigns(ImplicitLocOpBuilder &b, Value remainder,
                       CmpIPredicate ofRemainder, Value y,
                       CmpIPredicate ofDivisor) {
  return arith::AndIOp::create(b, compareWithZero(b, ofRemainder, remainder),
                               compareWithZero(b, ofDivisor, y));
}

/// Whether a truncated quotient needs a correction: the remainder is not zero,
/// and has the sign of the divisor (to round up) or the opposite sign (to round
/// down).
static Value isInexact(ImplicitLocOpBuilder &b, Value remainder, Value y,
                       bool roundsUp) {
  CmpIPredicate below = CmpIPredicate::slt, above = CmpIPredicate::sgt;
  Value isBelow = haveSigns(b, remainder, roundsUp ? below : above, y, below);
  Value isAbove = haveSigns(b, remainder, roundsUp ? above : below, y, above);
  return arith::OrIOp::create(b, isBelow, isAbove);
}

static Value correct(ImplicitLocOpBuilder &b, Value condition, Value quotient,
                     int64_t step) {
  Value corrected =
      arith::AddIOp::create(b, quotient, constantLike(b, quotient, step));
  return arith::SelectOp::create(b, condition, corrected, quotient);
}

namespace {
template <typename Op>
struct ExpandSigned : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    constexpr bool roundsUp = std::is_same_v<Op, arith::CeilDivSIOp>;
    Value x = op.getLhs(), y = op.getRhs();
    Value quotient = arith::DivSIOp::create(b, x, y);
    Value remainder = computeRemainder(b, x, y, quotient);
    rewriter.replaceOp(op, correct(b, isInexact(b, remainder, y, roundsUp),
                                   quotient, roundsUp ? 1 : -1));
    return success();
  }
};

struct ExpandUnsigned : OpRewritePattern<arith::CeilDivUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CeilDivUIOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getLhs(), y = op.getRhs();
    Value quotient = arith::DivUIOp::create(b, x, y);
    Value remainder = computeRemainder(b, x, y, quotient);
    Value isInexact =
        haveSigns(b, remainder, CmpIPredicate::ne, y, CmpIPredicate::ne);
    rewriter.replaceOp(op, correct(b, isInexact, quotient, 1));
    return success();
  }
};
} // namespace

void tile::populateRoundingDivisionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandSigned<arith::FloorDivSIOp>,
               ExpandSigned<arith::CeilDivSIOp>, ExpandUnsigned>(
      patterns.getContext());
}
