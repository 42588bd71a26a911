// CreateGpuLaunch.cpp - a launch in the gpu dialect, by the kernel's ABI
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/GpuModules.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using runtime::Expression;
using runtime::Predicate;

namespace {

/// The facts about one argument that expressions and predicates query. These
/// are the facts of `ArgumentFacts`, as SSA values of type index.
struct ArgumentValues {
  Value address;
  SmallVector<Value> sizes, strides;
  Value integer;
};

class LaunchBuilder {
public:
  LaunchBuilder(OpBuilder &builder, Location loc, const GpuLaunch &launch)
      : builder(builder), loc(loc), launch(launch), kernel(*launch.kernel) {}

  Value run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  template <typename Op>
  Value binary(Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  Value isMultiple(Value value, int64_t factor);
  Value emit(const Expression &expression);
  Value emit(const Predicate &predicate);

  void readArray(Value array);
  void readScalar(Value scalar);
  void appendParameters(const runtime::Argument &argument,
                        const ArgumentValues &values);
  void setGrid();
  bool isKnownToHaveBlocks();
  Value hasBlocks();
  Value holdsAll(const runtime::EntryPoint &entry);
  Value createLaunchFunc(size_t index, ValueRange given, Value token);
  Value allocate(const runtime::HiddenArgument &hidden, Value &token);
  Value launchAsync(size_t entry, Value token);
  Value startStream(ValueRange dependencies);
  void waitFor(ValueRange tokens);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  void launchAndWait(size_t entry);
  void launchFrom(size_t entry);
  void launchIfAny();
  Value launchChosen();

  OpBuilder &builder;
  Location loc;
  const GpuLaunch &launch;
  const runtime::KernelMetadata &kernel;
  SmallVector<ArgumentValues> values;
  SmallVector<Value> parameters;
  std::array<Value, 3> grid;
};

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value LaunchBuilder::compare(arith::CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      holds);
}

Value LaunchBuilder::emit(const Expression &expression) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
  case Kind::Constant:
    return constant(expression.value);
  case Kind::Size:
    return values[expression.argument].sizes[expression.dimension];
  case Kind::Stride:
    return values[expression.argument].strides[expression.dimension];
  case Kind::Scalar:
    return values[expression.argument].integer;
  default:
    break;
  }
  Value lhs = emit(expression.operands[0]);
  Value rhs = emit(expression.operands[1]);
  switch (expression.kind) {
  case Kind::Add:
    return binary<arith::AddIOp>(lhs, rhs);
  case Kind::Subtract:
    return binary<arith::SubIOp>(lhs, rhs);
  case Kind::Multiply:
    return binary<arith::MulIOp>(lhs, rhs);
  case Kind::FloorDivide:
    return binary<arith::FloorDivSIOp>(lhs, rhs);
  case Kind::CeilDivide:
    return binary<arith::CeilDivSIOp>(lhs, rhs);
  case Kind::Minimum:
    return binary<arith::MinSIOp>(lhs, rhs);
  case Kind::Maximum:
    return binary<arith::MaxSIOp>(lhs, rhs);
  case Kind::Equal:
    return compare(arith::CmpIPredicate::eq, lhs, rhs);
  case Kind::Less:
    return compare(arith::CmpIPredicate::slt, lhs, rhs);
  case Kind::AtMost:
    return compare(arith::CmpIPredicate::sle, lhs, rhs);
  default: // Modulo, with the sign of the divisor
    return binary<arith::SubIOp>(
        lhs, binary<arith::MulIOp>(binary<arith::FloorDivSIOp>(lhs, rhs), rhs));
  }
}

Value LaunchBuilder::isMultiple(Value value, int64_t factor) {
  Value rest = binary<arith::RemUIOp>(value, constant(factor));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               constant(0));
}

/// Builds the test of a predicate. An unsigned remainder is used, which gives
/// the same result: a divisor is a power of two, or the value not negative.
Value LaunchBuilder::emit(const Predicate &predicate) {
  const ArgumentValues &argument = values[predicate.argument];
  Value value;
  switch (predicate.what) {
  case Predicate::What::Pointer:
    value = argument.address;
    break;
  case Predicate::What::Stride:
    value = argument.strides[predicate.dimension];
    break;
  case Predicate::What::Size:
    value = argument.sizes[predicate.dimension];
    break;
  case Predicate::What::Scalar:
    value = argument.integer;
    break;
  }
  return isMultiple(value, predicate.multipleOf);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void LaunchBuilder::readArray(Value array) {
  auto type = cast<MemRefType>(array.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, array);
  Value pointer =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, array);
  ArgumentValues argument;
  // A launch passes the address of the first element.
  Value offset = binary<arith::MulIOp>(
      metadata.getOffset(), constant(getElementBytes(type.getElementType())));
  argument.address = binary<arith::AddIOp>(pointer, offset);
  argument.sizes = metadata.getSizes();
  argument.strides = metadata.getStrides();
  values.push_back(std::move(argument));
}

void LaunchBuilder::readScalar(Value scalar) {
  ArgumentValues argument;
  if (scalar.getType().isIndex())
    argument.integer = scalar;
  else if (scalar.getType().isInteger(1))
    argument.integer = arith::IndexCastUIOp::create(
        builder, loc, builder.getIndexType(), scalar);
  else if (scalar.getType().isInteger())
    argument.integer = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), scalar);
  values.push_back(std::move(argument));
}

static Value toI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

/// Converts a scalar to a type of the same size that host code supports.
static Value toParameter(OpBuilder &builder, Location loc, Value scalar) {
  Type type = scalar.getType();
  if (type.isIndex())
    return toI64(builder, loc, scalar);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), scalar);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return arith::BitcastOp::create(builder, loc, builder.getI8Type(), scalar);
  return scalar;
}

/// Appends the parameters of an argument in the order of the ABI.
void LaunchBuilder::appendParameters(const runtime::Argument &argument,
                                     const ArgumentValues &values) {
  parameters.push_back(toI64(builder, loc, values.address));
  auto appendRunTime =
      [&](const std::vector<runtime::StaticOrRunTime> &declared,
          ValueRange actual) {
        for (auto [staticValue, value] : llvm::zip_equal(declared, actual))
          if (!staticValue)
            parameters.push_back(toI64(builder, loc, value));
      };
  appendRunTime(argument.shape, values.sizes);
  appendRunTime(argument.strides, values.strides);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

void LaunchBuilder::setGrid() {
  for (size_t axis = 0; axis < 3; ++axis)
    grid[axis] =
        launch.grid.empty() ? emit((*kernel.grid)[axis]) : launch.grid[axis];
}

bool LaunchBuilder::isKnownToHaveBlocks() {
  return llvm::all_of(grid, [](Value extent) {
    APInt constant;
    return matchPattern(extent, m_ConstantInt(&constant)) &&
           constant.isStrictlyPositive();
  });
}

Value LaunchBuilder::hasBlocks() {
  Value blocks = grid[0];
  for (Value extent : {grid[1], grid[2]})
    blocks = binary<arith::MulIOp>(blocks, extent);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, blocks,
                               constant(0));
}

Value LaunchBuilder::holdsAll(const runtime::EntryPoint &entry) {
  Value holds =
      arith::ConstantIntOp::create(builder, loc, /*value=*/1, /*width=*/1);
  for (const Predicate &predicate : entry.predicates)
    holds = binary<arith::AndIOp>(holds, emit(predicate));
  return holds;
}

/// Creates the launch operation itself, after `token` if there is one.
Value LaunchBuilder::createLaunchFunc(size_t index, ValueRange given,
                                      Value token) {
  const runtime::EntryPoint &entry = kernel.entries[index];
  const std::array<int64_t, 3> &block = getBlock(kernel, index);
  auto symbol = SymbolRefAttr::get(
      launch.module,
      FlatSymbolRefAttr::get(builder.getContext(), entry.symbol));
  gpu::KernelDim3 blocks = {grid[0], grid[1], grid[2]};
  gpu::KernelDim3 threads = {constant(block[0]), constant(block[1]),
                             constant(block[2])};
  Value bytes = arith::ConstantIntOp::create(
      builder, loc, getSharedBytes(kernel, index), /*width=*/32);
  return gpu::LaunchFuncOp::create(builder, loc, symbol, blocks, threads, bytes,
                                   given, token ? token.getType() : Type(),
                                   token ? ValueRange(token) : ValueRange())
      .getAsyncToken();
}

/// Allocates a workspace after `token`, and sets `token` to the token of the
/// allocation and its initialisation.
Value LaunchBuilder::allocate(const runtime::HiddenArgument &hidden,
                              Value &token) {
  Type i32 = builder.getI32Type();
  // The workspace is allocated in words, which upstream can fill.
  Value words = binary<arith::CeilDivSIOp>(emit(hidden.bytes), constant(4));
  auto allocation = gpu::AllocOp::create(
      builder, loc, MemRefType::get({ShapedType::kDynamic}, i32),
      token.getType(), token, words, ValueRange());
  token = allocation.getAsyncToken();
  if (!hidden.zero)
    return allocation.getMemref();
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, /*width=*/32);
  token = gpu::MemsetOp::create(builder, loc, token.getType(), token,
                                allocation.getMemref(), zero)
              .getAsyncToken();
  return allocation.getMemref();
}

/// Allocates workspaces, launches an entry point and frees the workspaces, all
/// after `token`. Returns the token of the last of these operations.
Value LaunchBuilder::launchAsync(size_t entry, Value token) {
  SmallVector<Value> given(parameters), workspaces;
  for (const runtime::HiddenArgument &hidden : kernel.hiddenArguments) {
    workspaces.push_back(allocate(hidden, token));
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, workspaces.back());
    given.push_back(toI64(builder, loc, address));
  }
  token = createLaunchFunc(entry, given, token);
  for (Value workspace : workspaces)
    token =
        gpu::DeallocOp::create(builder, loc, token.getType(), token, workspace)
            .getAsyncToken();
  return token;
}

Value LaunchBuilder::startStream(ValueRange dependencies) {
  auto type = gpu::AsyncTokenType::get(builder.getContext());
  return gpu::WaitOp::create(builder, loc, type, dependencies).getAsyncToken();
}

void LaunchBuilder::waitFor(ValueRange tokens) {
  gpu::WaitOp::create(builder, loc, Type(), tokens);
}

/// Launches an entry point and waits for it.
void LaunchBuilder::launchAndWait(size_t entry) {
  if (kernel.hiddenArguments.empty())
    createLaunchFunc(entry, parameters, Value());
  else
    waitFor(launchAsync(entry, startStream({})));
}

/// Launches `entry` if its predicates hold, otherwise a later entry point. The
/// last one is launched unconditionally: its predicates are preconditions for
/// the caller.
void LaunchBuilder::launchFrom(size_t entry) {
  if (entry + 1 == kernel.entries.size())
    return launchAndWait(entry);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(),
                                  holdsAll(kernel.entries[entry]),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  launchAndWait(entry);
  builder.setInsertionPointToStart(branch.elseBlock());
  launchFrom(entry + 1);
}

/// Launches the first suitable entry point if the grid has blocks.
void LaunchBuilder::launchIfAny() {
  if (isKnownToHaveBlocks())
    return launchFrom(0);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), hasBlocks(),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  launchFrom(0);
}

/// Launches the kernel, asynchronously if requested. Upstream's lowering does
/// not support tokens across branches: if a branch is needed, the function
/// waits for the launch.
Value LaunchBuilder::launchChosen() {
  if (launch.isAsync && kernel.entries.size() == 1 && isKnownToHaveBlocks())
    return launchAsync(0, startStream(launch.dependencies));
  if (!launch.dependencies.empty())
    waitFor(launch.dependencies);
  launchIfAny();
  return launch.isAsync ? startStream({}) : Value();
}

Value LaunchBuilder::run() {
  for (auto [argument, declared] :
       llvm::zip_equal(launch.arguments, kernel.arguments)) {
    if (isa<MemRefType>(argument.getType())) {
      readArray(argument);
      appendParameters(declared, values.back());
    } else {
      readScalar(argument);
      parameters.push_back(toParameter(builder, loc, argument));
    }
  }
  setGrid();
  return launchChosen();
}

Value tile::createGpuLaunch(OpBuilder &builder, Location loc,
                            const GpuLaunch &launch) {
  return LaunchBuilder(builder, loc, launch).run();
}
