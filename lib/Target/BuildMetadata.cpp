// BuildMetadata.cpp - launch facts of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/BuildMetadata.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Architecture.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;
using runtime::Access;
using runtime::Expression;

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

/// Describes a source of the grid: `[argument, dimension]`, the size of an
/// array, or `[argument]`, a scalar. KernelOp's verifier ensures this form.
static Expression describeSource(Attribute source) {
  auto indices = cast<ArrayAttr>(source);
  int64_t argument = cast<IntegerAttr>(indices[0]).getInt();
  if (indices.size() == 1)
    return Expression::scalar(argument);
  return Expression::size(argument, cast<IntegerAttr>(indices[1]).getInt());
}

static Expression::Kind getKind(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Mul:
    return Expression::Kind::Multiply;
  case AffineExprKind::Mod:
    return Expression::Kind::Modulo;
  case AffineExprKind::FloorDiv:
    return Expression::Kind::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Expression::Kind::CeilDivide;
  default:
    return Expression::Kind::Add;
  }
}

static Expression describeExtent(AffineExpr extent, ArrayAttr sources) {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return Expression::constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(extent))
    return describeSource(sources[dim.getPosition()]);
  // The map has no symbols: the remaining kinds are binary.
  auto binary = cast<AffineBinaryOpExpr>(extent);
  return Expression::binary(getKind(binary.getKind()),
                            describeExtent(binary.getLHS(), sources),
                            describeExtent(binary.getRHS(), sources));
}

static std::optional<std::array<Expression, 3>> describeGrid(KernelOp kernel) {
  std::optional<GridAttr> grid = kernel.getGrid();
  if (!grid)
    return std::nullopt;
  std::array<Expression, 3> extents = {Expression::constant(1),
                                       Expression::constant(1),
                                       Expression::constant(1)};
  for (auto [index, factors] : llvm::enumerate(grid->getExtents())) {
    extents[index] = describeExtent(factors.front(), grid->getSources());
    for (AffineExpr factor : factors.drop_front())
      extents[index] =
          Expression::binary(Expression::Kind::Multiply, extents[index],
                             describeExtent(factor, grid->getSources()));
  }
  return extents;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// The accesses to an array.
struct Uses {
  bool read = false;
  bool written = false;
  /// Whether the kernel uses the array's address.
  bool hasAddress = false;
};
} // namespace

/// Adds to `uses` the accesses to `array` by its users.
static void collectUses(Value array, Uses &uses) {
  for (OpOperand &use : array.getUses()) {
    Operation *user = use.getOwner();
    if (isa<memref::ExtractAlignedPointerAsIndexOp>(user)) {
      uses.hasAddress = true;
      continue;
    }
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      collectUses(view.getViewDest(), uses);
      continue;
    }
    if (auto permuted = dyn_cast<memref::TransposeOp>(user)) {
      collectUses(permuted.getResult(), uses);
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects) {
      uses.read = uses.written = true;
      continue;
    }
    SmallVector<MemoryEffects::EffectInstance> found;
    effects.getEffectsOnValue(array, found);
    for (const MemoryEffects::EffectInstance &effect : found) {
      uses.read |= isa<MemoryEffects::Read>(effect.getEffect());
      uses.written |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  }
}

/// Returns the access to an argument. A kernel that uses its address may access
/// it through any array at an address, and so may one that does not use it at
/// all.
static Access getAccess(KernelOp kernel, Value array) {
  Uses uses;
  collectUses(array, uses);
  if (uses.hasAddress || array.use_empty())
    kernel.walk([&](ArrayAtOp other) { collectUses(other, uses); });
  if (!uses.written)
    return Access::Read;
  return uses.read ? Access::ReadWrite : Access::Write;
}

static std::vector<runtime::StaticOrRunTime>
describeExtents(ArrayRef<int64_t> extents) {
  std::vector<runtime::StaticOrRunTime> result;
  for (int64_t extent : extents)
    result.push_back(ShapedType::isDynamic(extent)
                         ? runtime::StaticOrRunTime()
                         : runtime::StaticOrRunTime(extent));
  return result;
}

std::optional<runtime::Argument> tile::describeType(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  std::string name;
  llvm::raw_string_ostream(name) << (array ? array.getElementType() : type);
  std::optional<runtime::ElementType> element = runtime::parseElementType(name);
  if (!element)
    return std::nullopt;
  runtime::Argument result;
  result.type = *element;
  if (!array)
    return result;
  result.kind = runtime::Argument::Kind::Array;
  result.shape = describeExtents(array.getShape());
  result.strides = describeExtents(array.getStridesAndOffset().first);
  return result;
}

static runtime::Argument describeArgument(KernelOp kernel, unsigned index) {
  // KernelOp's verifier accepts only the element types of tiles, all of which
  // the runtime supports.
  runtime::Argument result = *describeType(kernel.getArgumentTypes()[index]);
  auto name = kernel.getArgAttrOfType<StringAttr>(index, kArgumentNameAttr);
  result.name = name ? name.str() : "arg" + std::to_string(index);
  if (result.kind == runtime::Argument::Kind::Array)
    result.access = getAccess(kernel, kernel.getArgument(index));
  return result;
}

static runtime::HiddenArgument describeWorkspace(KernelOp kernel,
                                                 unsigned index) {
  auto array = cast<MemRefType>(kernel.getArgumentTypes()[index]);
  runtime::HiddenArgument result;
  result.bytes = Expression::constant(array.getNumElements() *
                                      getElementBytes(array.getElementType()));
  result.zero = true;
  return result;
}

/// Describes how many threads of a block are launched and, if the program
/// requests fewer, how many it requests.
static void describeBlock(KernelOp kernel, runtime::KernelMetadata &metadata) {
  if (!kernel.getBlock())
    return;
  metadata.block[0] = kernel.getLaunchedThreads();
  if (auto threads = static_cast<int64_t>(*kernel.getBlock());
      threads != metadata.block[0])
    metadata.threads = threads;
}

runtime::KernelMetadata tile::describeKernel(KernelOp kernel, StringRef arch) {
  runtime::KernelMetadata result;
  result.name = kernel.getSymName().str();
  result.arch = arch.str();
  describeBlock(kernel, result);
  result.grid = describeGrid(kernel);
  const Architecture *architecture = findArchitecture(arch);
  result.waitsForLaunches = architecture && architecture->hasDependentLaunch();
  // Workspaces follow the arguments of the caller.
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    if (kernel.getArgAttr(index, kWorkspaceAttr))
      result.hiddenArguments.push_back(describeWorkspace(kernel, index));
    else
      result.arguments.push_back(describeArgument(kernel, index));
  return result;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Appends the predicates on an array argument under which the kernel's code is
/// correct.
static void appendPredicates(KernelOp kernel, unsigned argument,
                             std::vector<runtime::Predicate> &predicates) {
  using What = runtime::Predicate::What;
  auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[argument]);
  if (!type)
    return;
  if (int64_t bytes = getBaseAlignment(kernel, argument); bytes > 1)
    predicates.push_back({argument, What::Pointer, 0, bytes});
  int64_t elements = getStrideAlignment(kernel, argument) /
                     getElementBytes(type.getElementType());
  auto [strides, offset] = type.getStridesAndOffset();
  for (auto [dimension, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride) && elements > 1)
      predicates.push_back(
          {argument, What::Stride, int64_t(dimension), elements});
}

static runtime::EntryPoint describeEntry(KernelOp kernel) {
  runtime::EntryPoint entry;
  entry.symbol = kernel.getSymName().str();
  for (unsigned argument : llvm::seq<unsigned>(0, kernel.getNumArguments()))
    appendPredicates(kernel, argument, entry.predicates);
  return entry;
}

static int64_t getSharedBytes(KernelOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  return bytes ? bytes.getInt() : 0;
}

/// Adds the entry point of a generic variant to the metadata of its kernel.
static LogicalResult addGenericEntry(KernelOp body,
                                     runtime::ModuleMetadata &metadata) {
  StringRef name = body->getAttrOfType<StringAttr>(kGeneralOfAttr).getValue();
  for (runtime::KernelMetadata &kernel : metadata.kernels) {
    if (kernel.name != name)
      continue;
    runtime::EntryPoint entry = describeEntry(body);
    std::array<int64_t, 3> block = kernel.block;
    block[0] = body.getLaunchedThreads();
    if (block != kernel.block)
      entry.block = block;
    if (getSharedBytes(body) != kernel.sharedBytes)
      entry.sharedBytes = getSharedBytes(body);
    kernel.entries.push_back(std::move(entry));
    return success();
  }
  return body.emitError("expected a kernel '")
         << name << "' that this is the generic variant of";
}

FailureOr<runtime::ModuleMetadata> tile::describeModule(ModuleOp module,
                                                        StringRef arch) {
  runtime::ModuleMetadata metadata;
  for (auto kernel : module.getOps<KernelOp>()) {
    if (kernel->hasAttr(kGeneralOfAttr))
      continue;
    runtime::KernelMetadata description = describeKernel(kernel, arch);
    description.sharedBytes = getSharedBytes(kernel);
    description.entries.push_back(describeEntry(kernel));
    metadata.kernels.push_back(std::move(description));
  }
  for (auto kernel : module.getOps<KernelOp>())
    if (kernel->hasAttr(kGeneralOfAttr) &&
        failed(addGenericEntry(kernel, metadata)))
      return failure();
  return metadata;
}
