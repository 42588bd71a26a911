// KernelToNVVM.cpp - kernels into functions of the LLVM dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of an array are its pointer, and its sizes and strides that
// are not static. From these the function rebuilds the memref descriptor that
// upstream's lowering expects.

#include "tile/Conversion/TileToNVGPU.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "ApproximateMath.h"
#include "LowerControlFlow.h"
#include "Memory/ElementAccess.h"
#include "Shuffle.h"

#include "tile/Algorithms/ComplexScale.h"
#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Architecture.h"
#include "tile/Analysis/HostCode.h"
#include "tile/Analysis/Levels.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Conversion/DefineArithmetic.h"
#include "tile/IR/Tile.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTKERNELTONVVM
#include "tile/Conversion/TileToNVGPU.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// PTX address spaces (LLVM NVPTX usage, "Address Spaces").
static unsigned getAddressSpace(gpu::AddressSpace space) {
  switch (space) {
  case gpu::AddressSpace::Global:
    return static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
  case gpu::AddressSpace::Workgroup:
    return static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  case gpu::AddressSpace::Private:
    return 0;
  }
  llvm_unreachable("all spaces are listed");
}

//===----------------------------------------------------------------------===//
// The kernel's signature
//===----------------------------------------------------------------------===//

namespace {

/// Builds one function from a kernel (see the head of the file).
class FunctionBuilder {
public:
  FunctionBuilder(KernelOp kernel, const Architecture &architecture,
                  LLVMTypeConverter &types)
      : kernel(kernel), architecture(architecture), types(types),
        builder(kernel) {}

  void run() {
    Location loc = kernel.getLoc();
    SmallVector<Type> parameters;
    for (Type type : kernel.getArgumentTypes())
      appendParameters(type, parameters);
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(kernel.getContext()), parameters);
    auto function =
        LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(), type);
    setFunctionAttributes(function);
    Block *body = &kernel.getBody().front();
    function.getBody().takeBody(kernel.getBody());
    builder.setInsertionPoint(body->getTerminator());
    LLVM::ReturnOp::create(builder, body->getTerminator()->getLoc(),
                           ValueRange());
    body->getTerminator()->erase();
    // The new entry block has the parameters before the existing arguments,
    // which are rebuilt from them.
    SmallVector<BlockArgument> parameterValues;
    unsigned numArguments = body->getNumArguments();
    for (Type parameter : parameters)
      parameterValues.push_back(body->addArgument(parameter, loc));
    builder.setInsertionPointToStart(body);
    unsigned next = 0;
    for (unsigned argument = 0; argument < numArguments; ++argument) {
      setParameterAttributes(function, argument, next);
      Value rebuilt =
          rebuild(body->getArgument(argument).getType(), parameterValues, next);
      body->getArgument(argument).replaceAllUsesWith(rebuilt);
    }
    body->eraseArguments(0, numArguments);
    waitForLaunches(body);
    kernel.erase();
  }

private:
  void appendParameters(Type type, SmallVectorImpl<Type> &parameters);
  Value rebuild(Type type, ArrayRef<BlockArgument> parameters, unsigned &next);
  void waitForLaunches(Block *body);
  void setFunctionAttributes(LLVM::LLVMFuncOp function);
  void setParameterAttributes(LLVM::LLVMFuncOp function, unsigned argument,
                              unsigned parameter);

  KernelOp kernel;
  const Architecture &architecture;
  LLVMTypeConverter &types;
  OpBuilder builder;
};

/// Whether the kernel writes through `address`, which is computed from an
/// array's address. Copies to shared memory also use such addresses, but only
/// read; atomics and stores write.
bool isWrittenThrough(Value address) {
  return llvm::any_of(address.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<arith::IndexCastOp, LLVM::IntToPtrOp, LLVM::GEPOp>(op))
      return isWrittenThrough(op->getResult(0));
    // Memory that is read atomically is assumed to be written by another
    // thread.
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    return isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::StoreOp>(op);
  });
}

/// Whether the kernel writes the array, or a view of it.
bool isWritten(Value array) {
  return llvm::any_of(array.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
      return isWrittenThrough(op->getResult(0));
    if (op->getNumResults() > 0 && isa<MemRefType>(op->getResult(0).getType()))
      return isWritten(op->getResult(0));
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return !effects || effects.getEffectOnValue<MemoryEffects::Write>(use.get())
                           .has_value();
  });
}

} // namespace

/// Whether the kernel may access the array by its address, as one of
/// tile.array_at.
static bool mayBeAtAddress(Value array) {
  bool isAddressUsed = llvm::any_of(
      array.getUsers(), llvm::IsaPred<memref::ExtractAlignedPointerAsIndexOp>);
  bool hasArrays = false;
  if (isAddressUsed)
    array.getParentRegion()->walk([&](ArrayAtOp) { hasArrays = true; });
  return hasArrays;
}

void FunctionBuilder::appendParameters(Type type,
                                       SmallVectorImpl<Type> &parameters) {
  MLIRContext *context = type.getContext();
  Type i64 = IntegerType::get(context, 64);
  auto array = dyn_cast<MemRefType>(type);
  if (!array) {
    parameters.push_back(types.convertType(type));
    return;
  }
  auto [strides, offset] = array.getStridesAndOffset();
  parameters.push_back(LLVM::LLVMPointerType::get(
      context, getAddressSpace(gpu::AddressSpace::Global)));
  parameters.append(array.getNumDynamicDims(), i64);
  parameters.append(llvm::count_if(strides, ShapedType::isDynamic), i64);
}

/// Builds the descriptor, of `type`, of an array whose first element is at
/// `pointer`. `take` returns the next size, or then stride, of run time. A
/// run-time offset has been added to the pointer.
static MemRefDescriptor buildDescriptor(OpBuilder &builder, Location loc,
                                        Type type, MemRefType array,
                                        Value pointer,
                                        function_ref<Value()> take) {
  auto [strides, offset] = array.getStridesAndOffset();
  auto descriptor = MemRefDescriptor::poison(builder, loc, type);
  descriptor.setAllocatedPtr(builder, loc, pointer);
  descriptor.setAlignedPtr(builder, loc, pointer);
  descriptor.setConstantOffset(builder, loc,
                               ShapedType::isDynamic(offset) ? 0 : offset);
  for (auto [dim, size] : llvm::enumerate(array.getShape())) {
    if (ShapedType::isDynamic(size))
      descriptor.setSize(builder, loc, dim, take());
    else
      descriptor.setConstantSize(builder, loc, dim, size);
  }
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (ShapedType::isDynamic(stride))
      descriptor.setStride(builder, loc, dim, take());
    else
      descriptor.setConstantStride(builder, loc, dim, stride);
  }
  return descriptor;
}

Value FunctionBuilder::rebuild(Type type, ArrayRef<BlockArgument> parameters,
                               unsigned &next) {
  Location loc = kernel.getLoc();
  auto cast = [&](Value value) {
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  };
  auto array = dyn_cast<MemRefType>(type);
  if (!array)
    return types.isLegal(type) ? Value(parameters[next++])
                               : cast(parameters[next++]);
  Value pointer = parameters[next++];
  return cast(buildDescriptor(builder, loc, types.convertType(array), array,
                              pointer, [&] { return parameters[next++]; }));
}

/// Makes the kernel wait, before anything else, until the kernels launched
/// before it have ended and their writes are visible. A launcher may then start
/// it while they still run, which hides the time of a launch.
void FunctionBuilder::waitForLaunches(Block *body) {
  if (!architecture.hasDependentLaunch())
    return;
  builder.setInsertionPointToStart(body);
  NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(),
                                 NVVM::GridDepActionKind::wait);
}

void FunctionBuilder::setFunctionAttributes(LLVM::LLVMFuncOp function) {
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      builder.getDenseI32ArrayAttr(
          {static_cast<int32_t>(kernel.getLaunchedThreads()), 1, 1}));
  // LLVM's pass that joins loads and stores checks this attribute first.
  if (kernel->hasAttr(kExactAccessesAttr))
    function.setPassthroughAttr(
        builder.getArrayAttr({builder.getStringAttr("noimplicitfloat")}));
  if (std::optional<int64_t> blocks = getBlocksPerProcessor(kernel))
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(*blocks));
}

/// Declares that arrays do not overlap and that their addresses have the
/// alignment that the kernel assumes, and which arrays are only read.
void FunctionBuilder::setParameterAttributes(LLVM::LLVMFuncOp function,
                                             unsigned argument,
                                             unsigned parameter) {
  Value value = function.getBody().front().getArgument(argument);
  auto array = dyn_cast<MemRefType>(value.getType());
  if (!array)
    return;
  int64_t alignment = std::max(getElementBytes(array.getElementType()),
                               getBaseAlignment(kernel, argument));
  function.setArgAttr(parameter, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(alignment));
  if (mayBeAtAddress(value))
    return;
  function.setArgAttr(parameter, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  if (!isWritten(value))
    function.setArgAttr(parameter, LLVM::LLVMDialect::getReadonlyAttrName(),
                        builder.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Whether LLVM selects an exact instruction for the operation. Other
/// operations are functions of libdevice.
static bool isExactInstruction(StringRef name) {
  return llvm::is_contained(
      {"math.absf", "math.absi", "math.ceil", "math.copysign", "math.ctlz",
       "math.ctpop", "math.cttz", "math.floor", "math.fma", "math.roundeven",
       "math.rsqrt", "math.sqrt", "math.trunc"},
      name);
}

static void populateMathPatterns(const LLVMTypeConverter &types,
                                 RewritePatternSet &patterns) {
  RewritePatternSet exact(patterns.getContext());
  populateMathToLLVMConversionPatterns(types, exact, /*approximateLog1p=*/false,
                                       /*benefit=*/3);
  llvm::erase_if(exact.getNativePatterns(),
                 [](const std::unique_ptr<RewritePattern> &pattern) {
                   std::optional<OperationName> root = pattern->getRootKind();
                   return !root || !isExactInstruction(root->getStringRef());
                 });
  for (std::unique_ptr<RewritePattern> &pattern : exact.getNativePatterns())
    patterns.add(std::move(pattern));
  populateLibDeviceConversionPatterns(types, patterns, /*benefit=*/2);
}

/// Erases unused operations that CSE leaves because it visits users last, such
/// as a load none of whose elements is used. The GPU does not execute such a
/// load, so the emulator must not execute it either.
static void eraseUnused(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {

/// Expands math.clampf to comparisons and selections, which keep a NaN.
/// Upstream's expansion takes the minimum with the lower bound and the maximum
/// with the upper one, and thus returns the upper bound for every value that is
/// not NaN.
struct ExpandClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value isLow =
        arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OLT,
                              op.getValue(), op.getMin());
    Value isHigh =
        arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OGT,
                              op.getValue(), op.getMax());
    Value low = arith::SelectOp::create(rewriter, op.getLoc(), isLow,
                                        op.getMin(), op.getValue());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isHigh, op.getMax(), low);
    return success();
  }
};

/// Expands memref.dim with a constant index early. Upstream's conversion no
/// longer sees constants if operands are converted first, and then reads a size
/// from an array of sizes in memory.
struct ExpandDim : OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::DimOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> dim = op.getConstantIndex();
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    if (!dim || !type || *dim < 0 || *dim >= type.getRank())
      return failure();
    auto metadata = memref::ExtractStridedMetadataOp::create(
        rewriter, op.getLoc(), op.getSource());
    rewriter.replaceOp(op, metadata.getSizes()[*dim]);
    return success();
  }
};

/// Converts tile.array_at to the descriptor of its array.
struct ConvertArrayAt : ConvertOpToLLVMPattern<ArrayAtOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ArrayAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getResult().getType();
    Value pointer = LLVM::IntToPtrOp::create(
        rewriter, loc,
        LLVM::LLVMPointerType::get(getContext(),
                                   getAddressSpace(gpu::AddressSpace::Global)),
        adaptor.getAddress());
    SmallVector<Value> open(adaptor.getSizes());
    llvm::append_range(open, adaptor.getStrides());
    auto next = open.begin();
    Value descriptor =
        buildDescriptor(rewriter, loc, getTypeConverter()->convertType(type),
                        type, pointer, [&] { return *next++; });
    rewriter.replaceOp(op, {descriptor});
    return success();
  }
};

/// Rejects a kernel name with the prefix of libdevice's functions: operations
/// become calls of these functions, which are declared by name.
static LogicalResult verifyName(KernelOp kernel) {
  if (!kernel.getSymName().starts_with("__nv_"))
    return success();
  return kernel.emitError(
             "expected a name that does not begin with '__nv_', as "
             "those of libdevice's functions do, got '")
         << kernel.getSymName() << "'";
}

struct ConvertKernelToNVVM
    : tile::impl::ConvertKernelToNVVMBase<ConvertKernelToNVVM> {
  using ConvertKernelToNVVMBase::ConvertKernelToNVVMBase;

  void runOnOperation() override {
    HostCodeAside host(getOperation());
    eraseUnused(getOperation());
    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter types(&getContext(), options);
    populateGpuMemorySpaceAttributeConversions(types, getAddressSpace);
    types.addConversion([](nvgpu::DeviceAsyncTokenType type) -> Type {
      return IntegerType::get(type.getContext(), 32);
    });
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture)
      return signalPassFailure();
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (failed(verifyName(kernel)))
        return signalPassFailure();
      FunctionBuilder(kernel, *architecture, types).run();
    }
    // A kernel has one block, a function may have many.
    lowerControlFlow(getOperation());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      lowerShuffles(function);
    if (failed(expandForms()))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateNVGPUToNVVMConversionPatterns(types, patterns);
    populateGpuToNVVMConversionPatterns(types, patterns);
    populateMathPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    populateComplexToLLVMConversionPatterns(types, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
    populateVectorToLLVMConversionPatterns(types, patterns);
    ub::populateUBToLLVMConversionPatterns(types, patterns);
    patterns.add<ConvertArrayAt>(types);

    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addLegalOp<tile_gpu::WarpgroupMmaOp>();
    target.addIllegalOp<ArrayAtOp>();
    target.addLegalOp<ModuleOp>();
    // LLVM folds straight-line code of thousands of operations faster than this
    // conversion.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)) ||
        failed(finish()))
      return signalPassFailure();
    moveLoopAnnotations();
    if (failed(verifyThreadLevel(getOperation())))
      signalPassFailure();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect, NVVM::NVVMDialect, ub::UBDialect>();
  }

private:
  /// Returns the operations for which `patterns` have a pattern. One walk
  /// collects them for all patterns, since a walk over straight-line code of
  /// thousands of operations takes as long as a pass.
  FailureOr<SmallVector<Operation *>>
  collectForms(const FrozenRewritePatternSet &patterns) {
    SmallVector<Operation *> forms;
    const auto &roots = patterns.getOpSpecificNativePatterns();
    WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
      // Upstream's pattern converts cf.assert only in a `gpu.module`.
      if (isa<cf::AssertOp>(op))
        return op->emitError("expected 'tile.assert', got 'cf.assert'");
      if (roots.contains(op->getName()))
        forms.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    return forms;
  }

  /// Expands operations that upstream converts in steps. Views of arrays become
  /// arithmetic on their strides. Vectors of rank 2, which are the fragments of
  /// matrix instructions, are built row by row. Rounding divisions become
  /// truncating ones with a correction.
  LogicalResult expandForms() {
    RewritePatternSet set(&getContext());
    memref::populateExpandStridedMetadataPatterns(set);
    populateAffineToStdConversionPatterns(set);
    vector::populateVectorFromElementsUnrollPatterns(set);
    vector::populateVectorToElementsUnrollPatterns(set);
    populateRoundingDivisionPatterns(set);
    set.add<ExpandClampF, ExpandDim>(&getContext());
    populateApproximateMathPatterns(set);
    populateScaledComplexPatterns(set);
    FrozenRewritePatternSet patterns(std::move(set));
    FailureOr<SmallVector<Operation *>> forms = collectForms(patterns);
    if (failed(forms))
      return failure();
    // LLVM folds and merges straight-line code of thousands of operations
    // faster than this driver.
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    config.enableFolding(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    return applyOpPatternsGreedily(*forms, patterns, config);
  }

  /// Folds an extraction of a register from an LLVM array. Some of upstream's
  /// patterns combine the registers of a fragment into an array, and others
  /// extract them again: these operations are a quarter of a matmul's code.
  static void foldExtraction(LLVM::ExtractValueOp extraction) {
    SmallVector<OpFoldResult> folded;
    if (!isa<LLVM::LLVMArrayType>(extraction.getContainer().getType()) ||
        failed(extraction->fold(folded)) || folded.empty())
      return;
    if (auto value = dyn_cast<Value>(folded.front())) {
      extraction.replaceAllUsesWith(value);
      extraction.erase();
    }
  }

  /// Finishes the conversion in one walk over the operations that the patterns
  /// leave. An operation without a pattern is an error at its line; elements
  /// are accessed by one instruction each (accessWhole); arithmetic gets its
  /// defined meaning; LLVM arrays of registers are folded; and casts that
  /// cancel are removed.
  LogicalResult finish() {
    SmallVector<UnrealizedConversionCastOp> casts;
    SmallVector<LLVM::InsertValueOp> insertions;
    SmallVector<Operation *> open;
    WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
      if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
        casts.push_back(cast);
      else if (auto insertion = dyn_cast<LLVM::InsertValueOp>(op))
        insertions.push_back(insertion);
      else if (auto extraction = dyn_cast<LLVM::ExtractValueOp>(op))
        foldExtraction(extraction);
      else if (auto load = dyn_cast<LLVM::LoadOp>(op))
        accessWhole(load);
      else if (auto store = dyn_cast<LLVM::StoreOp>(op))
        accessWhole(store);
      else if (isOpenArithmetic(op))
        open.push_back(op);
      else if (!isa<ModuleOp>(op) && !isThreadLevel(op))
        return op->emitError("expected an operation that the GPU path lowers "
                             "(all of arith and math that tiles take, but "
                             "math.ipowi and math.isnormal), got '")
               << op->getName() << "'";
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    for (Operation *op : open)
      defineArithmetic(op, ArithmeticTarget::gpu);
    for (LLVM::InsertValueOp insertion : llvm::reverse(insertions))
      if (insertion.use_empty())
        insertion.erase();
    SmallVector<UnrealizedConversionCastOp> remaining;
    reconcileUnrealizedCasts(casts, &remaining);
    for (UnrealizedConversionCastOp cast : remaining)
      cast.emitError("expected a value of type ")
          << cast.getResultTypes() << " to be lowered, got "
          << cast.getOperandTypes();
    return success(remaining.empty());
  }

  /// Moves the annotation of each loop to the attribute of its branch that the
  /// translation to LLVM IR reads. Upstream's conversions keep it as a
  /// discardable attribute.
  void moveLoopAnnotations() {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      for (Block &block : function.getBody()) {
        auto branch = dyn_cast<LLVM::BrOp>(block.getTerminator());
        if (!branch)
          continue;
        if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
                branch->removeDiscardableAttr(kLoopAnnotationAttr)))
          branch.setLoopAnnotationAttr(annotation);
      }
  }
};

} // namespace
