// LinalgNormalize.cpp - normal form of linalg
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's patterns are applied in an order in which each finds the form that
// it needs.

#include "Canonicalization.h"
#include "MergeWindows.h"
#include "NarrowMatmuls.h"
#include "OnlineSoftmax.h"
#include "RequireSizes.h"
#include "SpreadInsertions.h"
#include "Steps.h"
#include "Structure.h"
#include "TakenFunctions.h"
#include "VerifyTaken.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_LINALGNORMALIZE
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// Decomposes a softmax into its reductions and the operations between them.
struct DecomposeSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};
} // namespace

/// Applies patterns until none applies. This ends: each pattern brings its
/// operations closer to their form.
static void apply(Operation *op, RewritePatternSet &&patterns) {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(op, std::move(patterns), config);
}

static void generalize(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  patterns.add<DecomposeSoftmax>(function.getContext());
  populateSpreadInsertionPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::populateInlineConstantOperandsPatterns(patterns);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  addCanonicalization<arith::ArithDialect, tensor::TensorDialect>(patterns);
  apply(function, std::move(patterns));
}

static void dropUnitLoops(func::FuncOp function) {
  linalg::ControlDropUnitDims options;
  RewritePatternSet patterns(function.getContext());
  linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
  walkAndApplyPatterns(function, std::move(patterns));

  RewritePatternSet cleaning(function.getContext());
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleaning, options);
  apply(function, std::move(cleaning));
}

/// Whether all dimensions of `map`'s operand that a reshape splits are indexed
/// by batch loops of the matmul.
static bool splitsBatch(const Matmul &matmul, AffineMap map,
                        ArrayRef<ReassociationIndices> groups) {
  for (auto [dim, group] : llvm::enumerate(groups)) {
    std::optional<unsigned> loop = getLoop(map, dim);
    if (group.size() > 1 && (!loop || !llvm::is_contained(matmul.batch, *loop)))
      return false;
  }
  return true;
}

/// Whether an operation computes each element of its result from the same
/// element of its first input.
static bool isStep(linalg::GenericOp op) {
  return isElementwise(op) && op.getNumDpsInits() == 1 &&
         op.getNumDpsInputs() > 0 &&
         isa<RankedTensorType>(op.getDpsInputs().front().getType()) &&
         op.getIndexingMapsArray().front().isIdentity() &&
         op.getIndexingMapsArray().back().isIdentity();
}

/// Whether a reshape splits only batch dimensions of a matmul's result. Between
/// the matmul and the reshape may be elementwise operations, such as a
/// rounding.
static bool splitsBatchOfResult(tensor::ExpandShapeOp reshape) {
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  Value made = reshape.getSrc();
  while (auto op = made.getDefiningOp<linalg::GenericOp>()) {
    if (std::optional<Matmul> matmul = matchMatmul(op))
      return splitsBatch(*matmul, op.getIndexingMapsArray().back(), groups);
    if (!isStep(op))
      return false;
    made = op.getDpsInputs().front();
  }
  // The loops of the matmul may already have been split in the same way.
  auto collapse = made.getDefiningOp<tensor::CollapseShapeOp>();
  auto matmul = collapse ? collapse.getSrc().getDefiningOp<linalg::GenericOp>()
                         : linalg::GenericOp();
  return matmul && matchMatmul(matmul) && made != reshape.getSrc() &&
         collapse.getReassociationIndices() == groups;
}

/// Whether a reshape at `use` may split the loops of the matmul before or after
/// it.
static bool mayExpand(OpOperand *use) {
  auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner());
  if (consumer) {
    auto matmul = matchMatmul(consumer);
    auto reshape = use->get().getDefiningOp<tensor::CollapseShapeOp>();
    return matmul && reshape &&
           splitsBatch(*matmul, consumer.getMatchingIndexingMap(use),
                       reshape.getReassociationIndices());
  }
  auto reshape = dyn_cast<tensor::ExpandShapeOp>(use->getOwner());
  return reshape && splitsBatchOfResult(reshape);
}

/// Whether a reshape at `use` may merge the loops of the operation before or
/// after it. The loops of a matmul are not merged, but those of an elementwise
/// operation that computes its initial value are.
static bool mayCollapse(OpOperand *use) {
  if (auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner()))
    return !matchMatmul(consumer);
  auto reshape = dyn_cast<tensor::CollapseShapeOp>(use->getOwner());
  auto producer = use->get().getDefiningOp<linalg::GenericOp>();
  if (!reshape || !reshape->hasOneUse() || !producer)
    return false;
  OpOperand &next = *reshape->getUses().begin();
  auto matmul = dyn_cast<linalg::GenericOp>(next.getOwner());
  return matmul && matmul.isDpsInit(&next) && matchMatmul(matmul) &&
         isElementwise(producer);
}

static void moveReshapes(func::FuncOp function) {
  RewritePatternSet expanding(function.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(expanding, mayExpand);
  // A reshape of an empty tensor would cause another collapse.
  tensor::populateFoldTensorEmptyPatterns(expanding);
  addCanonicalization<tensor::TensorDialect>(expanding);
  apply(function, std::move(expanding));

  RewritePatternSet collapsing(function.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(collapsing, mayCollapse);
  tensor::populateFoldTensorEmptyPatterns(collapsing);
  addCanonicalization<tensor::TensorDialect>(collapsing);
  apply(function, std::move(collapsing));
}

/// Whether an operation is an elementwise generic that only widens elements.
static bool isExtension(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic || !isElementwise(generic) || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1)
    return false;
  Operation *step =
      generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(step) &&
         step->getOperand(0) == generic.getBody()->getArgument(0);
}

/// Widens elements where they are used in a computation, so that a kernel
/// stores narrow elements for another one. Matmuls are narrowed before.
static void fuseExtensions(func::FuncOp function) {
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<linalg::GenericOp>()))
    if (isExtension(op))
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
        if (!op->hasOneUse())
          use.set(OpBuilder(op).clone(*op)->getResult(0));
  RewritePatternSet patterns(function.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *use) {
    auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner());
    return consumer && isExtension(use->get().getDefiningOp()) &&
           !matchMatmul(consumer);
  });
  apply(function, std::move(patterns));
}

static void resolveSizes(func::FuncOp function) {
  shortenSizes(function);
  RewritePatternSet patterns(function.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  addCanonicalization<arith::ArithDialect, tensor::TensorDialect>(patterns);
  apply(function, std::move(patterns));
}

/// Drops assertions that hold for any sizes; most of them assert that a size is
/// not negative.
static void dropAssertions(func::FuncOp function) {
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(function)))
    return;
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<cf::AssertOp>())) {
    auto *range =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(op.getArg());
    if (!range || range->getValue().isUninitialized())
      continue;
    std::optional<APInt> value =
        range->getValue().getValue().getConstantValue();
    if (value && value->isOne())
      op.erase();
  }
}

/// Brings a function into normal form, as far as upstream's patterns can:
/// - operations of linalg, and of arith and math on tensors, are
///   `linalg.generic`; a softmax is decomposed into its reductions and the
///   operations between them, and an insertion with strides becomes a generic
///   that reads its source;
/// - there is no loop of extent one, and no result that is not read;
/// - a matmul's batch has as many loops as its operands' arrays have
///   dimensions; operations on a reshaped tensor come before the reshape;
/// - sizes are those of arguments, and arithmetic on them is in `arith`.
static void bringToForm(func::FuncOp function) {
  generalize(function);
  dropUnitLoops(function);
  moveReshapes(function);
  narrowMatmuls(function);
  if (mergeWindows(function))
    moveReshapes(function);
  fuseExtensions(function);
  resolveSizes(function);
  dropAssertions(function);
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

/// Brings a function into normal form. A function with groups must already be
/// in this form, and stays unchanged.
static LogicalResult normalize(func::FuncOp function) {
  if (hasGroups(function))
    return success();
  if (failed(verifyFunction(function)) || failed(requireSizes(function)))
    return failure();
  bringToForm(function);
  if (failed(verifyOperations(function)))
    return failure();
  createOnlineSoftmaxes(function);
  return success();
}

LogicalResult fromlinalg::linalgNormalize(ModuleOp module) {
  return convertTaken(module, normalize);
}

namespace {
struct LinalgNormalize : tile::impl::LinalgNormalizeBase<LinalgNormalize> {
  using LinalgNormalizeBase::LinalgNormalizeBase;

  void runOnOperation() override {
    if (failed(linalgNormalize(getOperation())))
      signalPassFailure();
  }
};
} // namespace
