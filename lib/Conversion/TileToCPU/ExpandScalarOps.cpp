// ExpandScalarOps.cpp - scalar operations without a good lowering in LLVM
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/ComplexScale.h"
#include "tile/Conversion/DefineArithmetic.h"
#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/FloatingPointMode.h"

namespace tile {
#define GEN_PASS_DEF_EXPANDSCALAROPS
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
/// Expands a test that upstream's conversion of math does not convert: whether
/// a value belongs to one of the floating-point classes `classes`.
template <typename Op, unsigned classes>
struct AskForClass : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::IsFPClass>(op, op.getType(),
                                                 op.getOperand(), classes);
    return success();
  }
};

/// Expands max(low, min(value, high)) to comparisons; NaN stays.
struct ExpandClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    auto choose = [&](arith::CmpFPredicate predicate, Value end, Value value) {
      Value isBeyond =
          arith::CmpFOp::create(rewriter, op.getLoc(), predicate, value, end);
      return arith::SelectOp::create(rewriter, op.getLoc(), isBeyond, end,
                                     value);
    };
    Value atMost =
        choose(arith::CmpFPredicate::OGT, op.getMax(), op.getValue());
    rewriter.replaceOp(op,
                       choose(arith::CmpFPredicate::OLT, op.getMin(), atMost));
    return success();
  }
};

struct ExpandScalarOps : tile::impl::ExpandScalarOpsBase<ExpandScalarOps> {
  using ExpandScalarOpsBase::ExpandScalarOpsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRoundingDivisionPatterns(patterns);
    populateMathToLibmConversionPatterns(patterns);
    populateScaledComplexPatterns(patterns);
    patterns.add<AskForClass<math::IsInfOp, llvm::fcInf>,
                 AskForClass<math::IsNormalOp, llvm::fcNormal>, ExpandClampF>(
        &getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp>();
    // Functions that LLVM lacks or that upstream lowers to an approximation.
    target
        .addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
                      math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp,
                      math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpM1Op,
                      math::Log1pOp, math::SinhOp, math::TanOp, math::TanhOp>();
    target.addIllegalOp<math::ClampFOp, math::IsInfOp, math::IsNormalOp>();
    target.addIllegalOp<complex::AbsOp, complex::DivOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
