// TileToNVGPU.cpp - tiles into the registers and addresses of one thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass is one dialect conversion. The type of a register tile becomes N
// types (RegisterTiles.h), also as an operand or a result of loops and
// branches. The type of an array gets the global memory space. Buffers keep
// their type; the operations that use them compute addresses in shared memory,
// so that the buffers' views become dead.

#include "tile/Conversion/TileToNVGPU.h"

#include "IdleThreads.h"
#include "LowerCounters.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/HostCode.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTTILETONVGPU
#include "tile/Conversion/TileToNVGPU.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

LoweringContext::LoweringContext(ModuleOp module,
                                 const Architecture &architecture)
    : architecture(architecture) {
  auto findSigns = [&](Operation *op, ValueRange offsets) {
    for (Value offset : offsets)
      nonNegative[op].push_back(isKnownNonNegative(offset));
  };
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      findSigns(op, load.getOffsets());
    else if (auto store = dyn_cast<StoreOp>(op))
      findSigns(op, store.getOffsets());
    else if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op))
      findSigns(op, copy.getOffsets());
    else if (auto align = dyn_cast<tile_gpu::AlignRowsOp>(op))
      for (Value offset : align.getOffsets())
        divisors[op].push_back(getKnownDivisor(offset));
  });
}

namespace {

/// Converts an operation of another dialect on arrays, or one that makes an
/// array, to the same operation on arrays in global memory.
struct ConvertArrayTypes : ConversionPattern {
  ConvertArrayTypes(TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), 0, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    bool isOwn = isTileOperation(op);
    if (op->getNumRegions() != 0 || (isOwn && !isa<ArrayAtOp>(op)))
      return failure();
    SmallVector<Type> types;
    if (failed(typeConverter->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

/// Converts register tiles to values, and arrays to global memory.
struct ThreadTypes : TypeConverter {
  explicit ThreadTypes(MLIRContext *context) {
    addConversion([](Type type) { return type; });
    addConversion([context](MemRefType type) -> Type {
      if (!isGlobalArray(type) || type.getMemorySpace())
        return type;
      return MemRefType::get(
          type.getShape(), type.getElementType(), type.getLayout(),
          gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Global));
    });
    addConversion(
        [](TileType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          RegisterAttr registers = type.getRegister();
          if (!registers || !registers.isResolved())
            return failure();
          llvm::append_range(types, getPackTypes(type));
          return success();
        });
    // A token becomes no value, since groups of MMAs are counted.
    addConversion([](MmaTokenType,
                     SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
      return success();
    });
  }
};

struct ConvertTileToNVGPU
    : tile::impl::ConvertTileToNVGPUBase<ConvertTileToNVGPU> {
  using ConvertTileToNVGPUBase::ConvertTileToNVGPUBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture || failed(verifyHasKernels(getOperation())))
      return signalPassFailure();
    HostCodeAside host(getOperation());
    if (failed(verifyPrepared()) || failed(verifyAccesses()))
      return signalPassFailure();
    declareSharedMemory();
    for (auto kernel : getOperation().getOps<KernelOp>())
      lowerCounters(kernel);
    SmallVector<Operation *> buffers = collectBuffers();
    if (failed(convert(*architecture)))
      return signalPassFailure();
    eraseBundles(getOperation());
    // The operations that used the buffers now use addresses.
    for (Operation *op : llvm::reverse(buffers))
      op->erase();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<complex::ComplexDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  }

private:
  /// Verifies that only operations of the tile dialect access buffers, since
  /// they specify which elements each thread accesses. Other operations may
  /// only allocate buffers and create views of them.
  static LogicalResult verifyBuffers(Operation *op) {
    bool isMaker = isa<memref::AllocOp, memref::SubViewOp, memref::TransposeOp,
                       memref::CastOp>(op);
    if (isMaker || isTileOperation(op))
      return success();
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (isSharedBuffer(type))
          return op->emitError("expected an operation of the tile dialect on ")
                 << type << ", got '" << op->getName() << "'";
    return success();
  }

  /// Verifies that the earlier phases have run, that every buffer has its
  /// offset, and that every operation has a pattern.
  LogicalResult verifyPrepared() {
    WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
      if (auto kernel = dyn_cast<KernelOp>(op); kernel && !kernel.getBlock())
        return op->emitError("expected a block size (run -tile-warp-tiling "
                             "before)");
      if (isa<tile_gpu::ChannelOp>(op))
        return op->emitError("expected groups of copies instead of channels "
                             "(run -tile-count-groups before)");
      if (isa<memref::AllocOp>(op) &&
          isSharedBuffer(op->getResult(0).getType()) &&
          !op->hasAttr(kSharedOffsetAttr))
        return op->emitError("expected a buffer with an offset (run "
                             "-tile-allocate-shared before)");
      for (Type type : op->getResultTypes())
        if (auto tile = dyn_cast<TileType>(type))
          if (!tile.getRegister() || !tile.getRegister().isResolved())
            return op->emitError("expected a tile in registers with a layout "
                                 "(run the phases before), got ")
                   << tile;
      return failure(failed(verifyBuffers(op)) || failed(verifySupported(op)));
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult verifyAccesses() {
    WalkResult result = getOperation().walk(
        [&](Operation *op) -> WalkResult { return verifyAccess(op); });
    return failure(result.wasInterrupted());
  }

  /// Declares one external symbol for all kernels. Each launch specifies its
  /// size.
  void declareSharedMemory() {
    bool isUsed = false;
    getOperation().walk(
        [&](memref::AllocOp op) { isUsed |= isSharedBuffer(op.getType()); });
    if (!isUsed || getOperation().lookupSymbol(kSharedSymbol))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto space =
        gpu::AddressSpaceAttr::get(&getContext(), gpu::AddressSpace::Workgroup);
    auto type = MemRefType::get({0}, builder.getI8Type(),
                                MemRefLayoutAttrInterface(), space);
    memref::GlobalOp::create(builder, getOperation().getLoc(), kSharedSymbol,
                             /*sym_visibility=*/StringAttr(), type,
                             /*initial_value=*/Attribute(), /*constant=*/false,
                             builder.getI64IntegerAttr(1024));
  }

  LogicalResult convert(const Architecture &architecture) {
    for (auto kernel : getOperation().getOps<KernelOp>())
      keepIdleThreadsFromPrinting(kernel);
    ThreadTypes types(&getContext());
    ConversionTarget target(getContext());
    RewritePatternSet patterns(&getContext());
    LoweringContext lowering(getOperation(), architecture);
    populateElementwisePatterns(types, patterns, lowering);
    populateConstantPatterns(types, patterns);
    populateGlobalAccessPatterns(types, patterns, lowering);
    populateIndexedAccessPatterns(types, patterns);
    populateAtomicAccessPatterns(types, patterns);
    populateFencePatterns(types, patterns);
    populatePrintPatterns(types, patterns, lowering);
    populateAssertPatterns(types, patterns);
    populateCopyAsyncPatterns(types, patterns, lowering);
    populateAlignRowsPatterns(types, patterns, lowering);
    populateSharedAccessPatterns(types, patterns);
    populateReducePatterns(types, patterns);
    populateConvertLayoutPatterns(types, patterns);
    populateScanPatterns(types, patterns);
    populateSortPatterns(types, patterns);
    populateCholeskyPatterns(types, patterns);
    populateCholeskyDerivativePatterns(types, patterns);
    populateLdltPatterns(types, patterns);
    populateLuPatterns(types, patterns);
    populateSolvePatterns(types, patterns);
    populateInversePatterns(types, patterns);
    populateHouseholderPatterns(types, patterns);
    populateOneSidedJacobiPatterns(types, patterns);
    populatePartialFftPatterns(types, patterns);
    populateTriangularSolvePatterns(types, patterns);
    populateThreadCodePatterns(types, patterns);
    populatePartPatterns(types, patterns);
    populatePerThreadPatterns(types, patterns);
    populateTakePutPatterns(types, patterns);
    populateMatmulPatterns(types, patterns, lowering);
    populateWarpgroupPatterns(types, patterns, lowering);
    patterns.add<ConvertArrayTypes>(types, &getContext());
    populateFunctionOpInterfaceTypeConversionPattern<KernelOp>(patterns, types);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns,
                                                         target);
    target.addIllegalDialect<TileDialect, tile_gpu::TileGpuDialect>();
    target.addLegalOp<ReturnOp, tile_gpu::WarpgroupMmaOp>();
    target.addDynamicallyLegalOp<ArrayAtOp>(
        [&](Operation *op) { return types.isLegal(op); });
    target.addDynamicallyLegalOp<KernelOp>([&](KernelOp op) {
      return types.isSignatureLegal(op.getFunctionType()) &&
             types.isLegal(&op.getBody());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return types.isLegal(op); });
    // LLVM folds straight-line code of thousands of operations faster. No state
    // is kept for a rollback: a pattern that fails has changed nothing, and one
    // that has replaced an operation does not access it again.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    config.allowPatternRollback = false;
    return applyFullConversion(getOperation(), target, std::move(patterns),
                               config);
  }

  /// Returns the buffers and their views, which no pattern converts.
  SmallVector<Operation *> collectBuffers() {
    SmallVector<Operation *> buffers;
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() == 1 &&
          isSharedBuffer(op->getResult(0).getType()))
        buffers.push_back(op);
    });
    return buffers;
  }
};

} // namespace
