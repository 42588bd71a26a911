// LinalgToTile.cpp - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors (FromBuffers.cpp), one form (PrepareLinalg.cpp), groups (Groups.cpp),
// a kernel for each (BuildKernel.cpp), and what is left: a function of launches
// (HostFunction.cpp).

#include "tile/Conversion/LinalgToTile.h"
#include "Canonicalization.h"
#include "FromBuffers.h"
#include "HostFunction.h"
#include "PrepareLinalg.h"
#include "VerifyTaken.h"

#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "convert-linalg-to-tile"

namespace tile {
#define GEN_PASS_DEF_CONVERTLINALGTOTILE
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

void tile::registerLinalgToTileDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

/// Whether a function is one of tensors.
static bool hasTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor))
    return true;
  return function
      .walk([&](Operation *op) {
        bool isOne = isa<linalg::LinalgOp>(op) ||
                     llvm::any_of(op->getResultTypes(), isTensor);
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a function does nothing but copy buffers, so that it is one of
/// linalg's without an operation of it. One that launches, calls or branches is
/// the host's.
static bool onlyCopies(func::FuncOp function) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return false;
  auto isOfBuffers = [](Operation &op) {
    return isa<memref::MemRefDialect, arith::ArithDialect>(op.getDialect()) ||
           isa<func::ReturnOp>(op);
  };
  return llvm::all_of(function.front(), isOfBuffers) &&
         !function.front().getOps<memref::CopyOp>().empty();
}

/// The name of a group's kernel: of the function, and of what it began with.
static std::string getName(ModuleOp module, func::FuncOp function,
                           const Group &group) {
  linalg::GenericOp first = group.ops.front();
  StringRef kind = matchProduct(first)    ? "product"
                   : isElementwise(first) ? "elements"
                                          : "rows";
  return makeUniqueName(module, (function.getSymName() + "_" + kind).str());
}

/// Folds what the parts of a kernel did not know of each other.
static void simplify(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  addCanonicalization<TileDialect, arith::ArithDialect, memref::MemRefDialect,
                      affine::AffineDialect>(patterns);
  (void)applyPatternsGreedily(op, std::move(patterns));
  IRRewriter rewriter(op->getContext());
  DominanceInfo dominance(op);
  eliminateCommonSubExpressions(rewriter, dominance, op);
}

static LogicalResult convert(ModuleOp module, func::FuncOp function,
                             const Architecture &target) {
  FailureOr<ResultArrays> arrays = convertBuffers(function);
  if (failed(arrays) || failed(verifyFunction(function)))
    return failure();
  prepareLinalg(function);
  if (failed(verifyOperations(function)))
    return failure();
  Grouping grouping = groupOperations(function, *arrays);
  SmallVector<BuiltKernel> kernels;
  for (auto [number, group] : llvm::enumerate(grouping.groups)) {
    if (group.outputs.empty())
      continue;
    chooseTiles(group, target);
    kernels.push_back(buildKernel(function, grouping, int64_t(number),
                                  getName(module, function, group)));
  }
  buildHostFunction(function, grouping, kernels);
  for (const BuiltKernel &kernel : kernels)
    simplify(kernel.kernel);
  simplify(function);
  return success();
}

LogicalResult tile::convertLinalgToTile(ModuleOp module, StringRef arch) {
  const Architecture *target = setTargetArchitecture(module, arch);
  if (!target)
    return failure();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if ((hasTensors(function) || onlyCopies(function)) &&
        failed(convert(module, function, *target)))
      return failure();
  return success();
}

namespace {
struct ConvertLinalgToTile
    : tile::impl::ConvertLinalgToTileBase<ConvertLinalgToTile> {
  using ConvertLinalgToTileBase::ConvertLinalgToTileBase;

  void runOnOperation() override {
    if (failed(convertLinalgToTile(getOperation(), arch)))
      signalPassFailure();
  }
};
} // namespace
