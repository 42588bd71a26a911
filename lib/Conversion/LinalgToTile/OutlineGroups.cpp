// OutlineGroups.cpp - groups as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuildKernel.h"
#include "Canonicalization.h"
#include "HostFunction.h"
#include "Steps.h"
#include "TakenFunctions.h"
#include "VerifyTaken.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"

namespace tile {
#define GEN_PASS_DEF_OUTLINEGROUPS
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Returns a name that is an identifier in PTX and C.
static std::string makeIdentifier(StringRef name) {
  std::string identifier(name);
  for (char &letter : identifier)
    if (!llvm::isAlnum(letter))
      letter = '_';
  bool startsWithDigit =
      !identifier.empty() && llvm::isDigit(identifier.front());
  return startsWithDigit ? "_" + identifier : identifier;
}

/// Returns the name of a group's kernel, made of the name of the function and
/// the kind of the group's first operation.
static std::string getName(ModuleOp module, func::FuncOp function,
                           const Group &group) {
  linalg::GenericOp first = group.ops.front();
  StringRef kind = matchMatmul(first)     ? "product"
                   : isElementwise(first) ? "elements"
                                          : "rows";
  return makeUniqueName(
      module, (makeIdentifier(function.getSymName()) + "_" + kind).str());
}

/// Simplifies a kernel across the parts that were built separately.
static void simplify(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  addCanonicalization<TileDialect, arith::ArithDialect, memref::MemRefDialect,
                      affine::AffineDialect>(patterns);
  (void)applyPatternsGreedily(op, std::move(patterns));
  IRRewriter rewriter(op->getContext());
  DominanceInfo dominance(op);
  eliminateCommonSubExpressions(rewriter, dominance, op);
}

static LogicalResult outline(func::FuncOp function) {
  if (failed(verifyOperations(function)))
    return failure();
  FailureOr<Grouping> grouping = takeGroups(function);
  if (failed(grouping))
    return failure();
  auto module = function->getParentOfType<ModuleOp>();
  SmallVector<BuiltKernel> kernels;
  for (auto [index, group] : llvm::enumerate(grouping->groups))
    kernels.push_back(buildKernel(function, *grouping, int64_t(index),
                                  getName(module, function, group)));
  buildHostFunction(function, *grouping, kernels);
  for (const BuiltKernel &kernel : kernels)
    simplify(kernel.kernel);
  simplify(function);
  return success();
}

LogicalResult fromlinalg::outlineGroups(ModuleOp module) {
  return convertTaken(module, outline);
}

namespace {
struct OutlineGroups : tile::impl::OutlineGroupsBase<OutlineGroups> {
  using OutlineGroupsBase::OutlineGroupsBase;

  void runOnOperation() override {
    if (failed(outlineGroups(getOperation())))
      signalPassFailure();
  }
};
} // namespace
