// TileToGpu.cpp - kernels to gpu modules, launches to gpu.launch_func
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceTemporaries.h"

#include "tile/Analysis/HostCode.h"
#include "tile/IR/Tile.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/GpuModules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace tile {
#define GEN_PASS_DEF_TILETOGPU
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static constexpr llvm::StringLiteral kModuleName = "tile_kernels";

namespace {
/// The facts about the kernels of a gpu.module that are needed to launch them.
struct CompiledKernels {
  runtime::ModuleMetadata metadata;
  /// Types of the kernels, by name, as the program declares them.
  llvm::StringMap<FunctionType> types;
};

struct TileToGpu : tile::impl::TileToGpuBase<TileToGpu> {
  using TileToGpuBase::TileToGpuBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect,
                    scf::SCFDialect, TileDialect>();
    OpPassManager passes(ModuleOp::getOperationName());
    buildTileToNVVM(passes, {});
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  LogicalResult compileOwn();
  LogicalResult compileNested(gpu::GPUModuleOp target);
  LogicalResult compileInto(gpu::GPUModuleOp target, ModuleOp kernels,
                            StringRef givenArch);
  void rewrite(LaunchOp launch);
  LogicalResult rewrite(gpu::LaunchFuncOp launch);

  /// Compiled kernels by the name of their gpu.module.
  llvm::DenseMap<StringAttr, std::shared_ptr<const CompiledKernels>> compiled;
};
} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static gpu::GPUModuleOp createGpuModule(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
}

/// Copies `module` without host code and gpu.modules.
static OwningOpRef<ModuleOp> copyKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  (*copy)->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  SmallVector<Operation *> host = collectHostCode(module);
  llvm::SmallPtrSet<Operation *, 16> isHost(host.begin(), host.end());
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (Operation &op : *module.getBody())
    if (!isHost.contains(&op) && !isa<gpu::GPUModuleOp>(op))
      builder.clone(op);
  return copy;
}

LogicalResult TileToGpu::compileInto(gpu::GPUModuleOp target, ModuleOp kernels,
                                     StringRef givenArch) {
  CompileOptions options;
  options.pipeline.arch = givenArch.str();
  options.stage = CompileStage::kLLVMDialect;
  auto known = std::make_shared<CompiledKernels>();
  for (KernelOp kernel : kernels.getOps<KernelOp>())
    known->types[kernel.getSymName()] = kernel.getFunctionType();
  FailureOr<CompiledModule> result = tile::compile(kernels, options);
  if (failed(result))
    return failure();
  Builder builder(&getContext());
  for (Operation &op : *kernels.getBody())
    if (isKernel(&op))
      op.setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                 builder.getUnitAttr());
  Block *body = target.getBody();
  body->getOperations().splice(body->end(), kernels.getBody()->getOperations());
  target.setTargetsAttr(builder.getArrayAttr(
      GpuTargetAttr::get(&getContext(), result->architecture->name)));
  known->metadata = std::move(result->metadata);
  compiled[target.getSymNameAttr()] = std::move(known);
  return success();
}

/// Compiles the kernels of the module itself.
LogicalResult TileToGpu::compileOwn() {
  ModuleOp module = getOperation();
  if (module.getOps<KernelOp>().empty())
    return success();
  if (Operation *other = module.lookupSymbol(kModuleName))
    return other->emitError("expected no other symbol '")
           << kModuleName << "', which is the name of the module of kernels";
  OwningOpRef<ModuleOp> kernels = copyKernels(module);
  gpu::GPUModuleOp target = createGpuModule(module);
  if (failed(compileInto(target, *kernels, arch))) {
    target.erase();
    return failure();
  }
  return success();
}

/// Returns the architecture of the target `#tile.gpu_target` of a gpu.module;
/// empty if it has no such target.
static StringRef getArch(gpu::GPUModuleOp module) {
  if (!module.getTargetsAttr())
    return {};
  for (Attribute target : module.getTargetsAttr())
    if (auto ours = dyn_cast<GpuTargetAttr>(target))
      return ours.getArch();
  return {};
}

/// Compiles the kernels of a gpu.module in place.
LogicalResult TileToGpu::compileNested(gpu::GPUModuleOp target) {
  if (target.getOps<KernelOp>().empty())
    return success();
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(target.getLoc());
  (*kernels)->setDiscardableAttrs(
      getOperation()->getDiscardableAttrDictionary());
  kernels->getBody()->getOperations().splice(kernels->getBody()->end(),
                                             target.getBody()->getOperations());
  for (KernelOp kernel : kernels->getOps<KernelOp>())
    kernel->removeAttr(gpu::GPUDialect::getKernelFuncAttrName());
  return compileInto(target, *kernels,
                     arch.empty() ? getArch(target) : StringRef(arch));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static const runtime::KernelMetadata *
findKernel(const runtime::ModuleMetadata &module, StringRef name) {
  for (const runtime::KernelMetadata &kernel : module.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

/// Pads the grid of a launch to three extents.
static SmallVector<Value> padGrid(OpBuilder &builder, Location loc,
                                  ValueRange grid) {
  SmallVector<Value> extents(grid);
  while (!extents.empty() && extents.size() < 3)
    extents.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  return extents;
}

void TileToGpu::rewrite(LaunchOp launch) {
  OpBuilder builder(launch);
  auto module = StringAttr::get(&getContext(), kModuleName);
  SmallVector<Value> grid = padGrid(builder, launch.getLoc(), launch.getGrid());
  GpuLaunch how;
  how.module = module;
  // The verifier has checked that the symbol is a kernel.
  how.kernel = findKernel(compiled[module]->metadata, launch.getKernel());
  how.arguments = launch.getArguments();
  how.grid = grid;
  createGpuLaunch(builder, launch.getLoc(), how);
  launch.erase();
}

/// Verifies that the operands of a launch have the types that the kernel
/// declares.
static LogicalResult verifyLaunch(gpu::LaunchFuncOp launch,
                                  FunctionType kernel) {
  if (launch.getClusterSizeX())
    return launch.emitOpError("expected no clusters, which the kernel has not");
  if (launch.getAsyncObject())
    return launch.emitOpError("expected no asynchronous object, got one");
  if (launch.getNumKernelOperands() != kernel.getNumInputs())
    return launch.emitOpError() << "expected " << kernel.getNumInputs()
                                << " arguments of " << launch.getKernelAttr()
                                << ", got " << launch.getNumKernelOperands();
  for (auto [index, types] : llvm::enumerate(llvm::zip(
           kernel.getInputs(), launch.getKernelOperands().getTypes()))) {
    auto [expected, given] = types;
    if (expected != given)
      return launch.emitOpError() << "expected argument " << index << " of "
                                  << launch.getKernelAttr() << " to be "
                                  << expected << ", got " << given;
  }
  return success();
}

LogicalResult TileToGpu::rewrite(gpu::LaunchFuncOp launch) {
  auto module = compiled.find(launch.getKernelModuleName());
  if (module == compiled.end())
    return success();
  const CompiledKernels &kernels = *module->second;
  // A launch of a function that was already lowered is not changed.
  const runtime::KernelMetadata *kernel =
      findKernel(kernels.metadata, launch.getKernelName());
  if (!kernel)
    return success();
  if (failed(verifyLaunch(launch, kernels.types.at(launch.getKernelName()))))
    return failure();
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  gpu::KernelDim3 given = launch.getGridSizeOperandValues();
  SmallVector<Value> grid;
  for (Value extent : {given.x, given.y, given.z})
    grid.push_back(extent.getType().isIndex()
                       ? extent
                       : arith::IndexCastOp::create(
                             builder, loc, builder.getIndexType(), extent)
                             .getResult());
  GpuLaunch how;
  how.module = module->first;
  how.kernel = kernel;
  how.arguments = launch.getKernelOperands();
  how.grid = grid;
  how.dependencies = launch.getAsyncDependencies();
  how.isAsync = launch.getAsyncToken() != nullptr;
  Value token = createGpuLaunch(builder, loc, how);
  if (token)
    launch.getAsyncToken().replaceAllUsesWith(token);
  launch.erase();
  return success();
}

/// Erases the names of arguments, which are for metadata. Programs that take
/// the module further need not know the dialect.
static void eraseArgumentNames(func::FuncOp function) {
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    function.removeArgAttr(index, kArgumentNameAttr);
}

void TileToGpu::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<gpu::GPUModuleOp> nested(module.getOps<gpu::GPUModuleOp>());
  if (failed(compileOwn()))
    return signalPassFailure();
  for (gpu::GPUModuleOp target : nested)
    if (failed(compileNested(target)))
      return signalPassFailure();
  if (compiled.empty()) {
    module.emitError("expected a module with a kernel, of its own or in a "
                     "gpu.module, got one without");
    return signalPassFailure();
  }
  SmallVector<LaunchOp> launches;
  SmallVector<gpu::LaunchFuncOp> launchFuncs;
  module.walk([&](LaunchOp launch) { launches.push_back(launch); });
  module.walk([&](gpu::LaunchFuncOp launch) { launchFuncs.push_back(launch); });
  if (failed(moveTemporariesToDevice(launches)))
    return signalPassFailure();
  for (LaunchOp launch : launches)
    rewrite(launch);
  for (gpu::LaunchFuncOp launch : launchFuncs)
    if (failed(rewrite(launch)))
      return signalPassFailure();
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    kernel.erase();
  for (auto function : module.getOps<func::FuncOp>())
    eraseArgumentNames(function);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(&getContext()));
}
