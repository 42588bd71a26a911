// LinalgToTile.cpp - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are tensors (FromBuffers.cpp), one form (PrepareLinalg.cpp), groups
// (Groups.cpp), a kernel for each (BuildKernel.cpp), and a function of launches
// from the remaining operations (HostFunction.cpp).

#include "tile/Conversion/LinalgToTile.h"
#include "Canonicalization.h"
#include "FromBuffers.h"
#include "HostFunction.h"
#include "PrepareLinalg.h"
#include "RequireSizes.h"
#include "VerifyTaken.h"

#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"

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

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// Whether an operation is one that the conversion takes or refuses.
static bool isOfLinalg(Operation *op) {
  return isa_and_present<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect()) ||
         llvm::any_of(op->getResultTypes(), isTensor) ||
         llvm::any_of(op->getOperandTypes(), isTensor);
}

/// Whether an operation makes a function one of the host, which may copy
/// arrays, too.
static bool isOfHost(Operation *op) {
  return isa<LaunchOp, CallOpInterface>(op) ||
         isa_and_present<gpu::GPUDialect, LLVM::LLVMDialect>(op->getDialect());
}

template <typename Function>
static bool hasOperation(func::FuncOp function, Function holds) {
  return function
      .walk([&](Operation *op) {
        return holds(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the conversion takes a function: one of tensors or of linalg, or one
/// that copies arrays and is not the host's.
static bool isTaken(func::FuncOp function) {
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor) ||
      hasOperation(function, isOfLinalg))
    return true;
  auto isCopy = [](Operation *op) { return isa<memref::CopyOp>(op); };
  return hasOperation(function, isCopy) && !hasOperation(function, isOfHost);
}

/// Verifies that functions of linalg are in the module itself. Kernels and
/// their launches belong to one module, and functions become the host's:
/// elsewhere linalg would stay as it is.
static LogicalResult verifyPlace(ModuleOp module, Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (function && function->getParentOp() != module && isTaken(function))
    return op->emitError("expected functions of linalg in the module itself, "
                         "got one in a nested '")
           << op->getParentOp()->getName() << "'";
  if (isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
      !op->getParentOfType<func::FuncOp>())
    return op->emitError("expected linalg in a func.func, got '")
           << op->getName() << "' in '" << op->getParentOp()->getName() << "'";
  return success();
}

static LogicalResult verifyPlaces(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return WalkResult(verifyPlace(module, op)); });
  return failure(result.wasInterrupted());
}

/// Returns a name that is an identifier in PTX and C.
static std::string makeIdentifier(StringRef name) {
  std::string identifier(name);
  for (char &letter : identifier)
    if (!llvm::isAlnum(letter))
      letter = '_';
  bool isNumber = !identifier.empty() && llvm::isDigit(identifier.front());
  return isNumber ? "_" + identifier : identifier;
}

/// Returns the name of a group's kernel, made of the name of the function and
/// the kind of the group's first operation.
static std::string getName(ModuleOp module, func::FuncOp function,
                           const Group &group) {
  linalg::GenericOp first = group.ops.front();
  StringRef kind = matchProduct(first)    ? "product"
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

static LogicalResult convert(ModuleOp module, func::FuncOp function,
                             const Architecture &target) {
  FailureOr<ResultArrays> arrays = convertBuffers(function);
  if (failed(arrays) || failed(verifyFunction(function)) ||
      failed(requireSizes(function)))
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
  if (!target || failed(verifyPlaces(module)))
    return failure();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (isTaken(function) && failed(convert(module, function, *target)))
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
