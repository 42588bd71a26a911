// CreateGpuLaunch.cpp - a launch by the kernel's ABI in the gpu dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/GpuModules.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using runtime::Expression;
using runtime::Predicate;

namespace {

/// What expressions and predicates ask about one argument: `ArgumentFacts` as
/// values of the program, all of them index.
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
  Value hasBlocks();
  Value launchChosen();
  Value launchFrom(size_t entry, Value token);
  Value launchEntry(size_t index, Value token);

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
  default: // Modulo, of the divisor's sign
    return binary<arith::SubIOp>(
        lhs, binary<arith::MulIOp>(binary<arith::FloorDivSIOp>(lhs, rhs), rhs));
  }
}

Value LaunchBuilder::isMultiple(Value value, int64_t factor) {
  Value rest = binary<arith::RemUIOp>(value, constant(factor));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               constant(0));
}

/// Factors are powers of two, or of numbers that are not negative: a remainder
/// without sign is as good.
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
  // A launch gives the address of the first element.
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

/// A scalar as the host's code can hold it, of the same bytes.
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

/// In the order of the ABI.
void LaunchBuilder::appendParameters(const runtime::Argument &argument,
                                     const ArgumentValues &values) {
  parameters.push_back(toI64(builder, loc, values.address));
  auto appendRunTime =
      [&](const std::vector<runtime::StaticOrRunTime> &declared,
          ValueRange numbers) {
        for (auto [number, value] : llvm::zip_equal(declared, numbers))
          if (!number)
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

Value LaunchBuilder::hasBlocks() {
  Value blocks = grid[0];
  for (Value extent : {grid[1], grid[2]})
    blocks = binary<arith::MulIOp>(blocks, extent);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, blocks,
                               constant(0));
}

Value LaunchBuilder::launchEntry(size_t index, Value token) {
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
  Type tokenType =
      token ? gpu::AsyncTokenType::get(builder.getContext()) : Type();
  return gpu::LaunchFuncOp::create(builder, loc, symbol, blocks, threads, bytes,
                                   parameters, tokenType,
                                   token ? ValueRange(token) : ValueRange())
      .getAsyncToken();
}

/// Launches `entry` if its predicates hold, else one behind it. The last one is
/// launched in any case: its predicates are demands on the caller.
Value LaunchBuilder::launchFrom(size_t entry, Value token) {
  const runtime::EntryPoint &point = kernel.entries[entry];
  if (entry + 1 == kernel.entries.size())
    return launchEntry(entry, token);
  Value holds =
      arith::ConstantIntOp::create(builder, loc, /*value=*/1, /*width=*/1);
  for (const Predicate &predicate : point.predicates)
    holds = binary<arith::AndIOp>(holds, emit(predicate));
  SmallVector<Type> results;
  if (token)
    results.push_back(token.getType());
  auto branch = scf::IfOp::create(builder, loc, results, holds,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto fill = [&](Block *block, function_ref<Value()> body) {
    builder.setInsertionPointToStart(block);
    Value result = body();
    if (token)
      scf::YieldOp::create(builder, loc, result);
  };
  fill(branch.thenBlock(), [&] { return launchEntry(entry, token); });
  fill(branch.elseBlock(), [&] { return launchFrom(entry + 1, token); });
  return token ? branch.getResult(0) : Value();
}

/// The launch, with its workspaces around it.
Value LaunchBuilder::launchChosen() {
  auto tokenType = gpu::AsyncTokenType::get(builder.getContext());
  bool hasMemory = !kernel.hiddenArguments.empty();
  Value token;
  if (hasMemory || launch.isAsync || !launch.dependencies.empty())
    token = gpu::WaitOp::create(builder, loc, tokenType, launch.dependencies)
                .getAsyncToken();
  SmallVector<Value> workspaces;
  Type i32 = builder.getI32Type();
  for (const runtime::HiddenArgument &hidden : kernel.hiddenArguments) {
    // In words, which is what upstream can fill.
    Value words = binary<arith::CeilDivSIOp>(emit(hidden.bytes), constant(4));
    auto allocation = gpu::AllocOp::create(
        builder, loc, MemRefType::get({ShapedType::kDynamic}, i32), tokenType,
        token, words, ValueRange());
    workspaces.push_back(allocation.getMemref());
    token = allocation.getAsyncToken();
    if (hidden.zero) {
      Value zero = arith::ConstantIntOp::create(builder, loc, 0, /*width=*/32);
      token = gpu::MemsetOp::create(builder, loc, tokenType, token,
                                    workspaces.back(), zero)
                  .getAsyncToken();
    }
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, workspaces.back());
    parameters.push_back(toI64(builder, loc, address));
  }
  token = launchFrom(0, token);
  for (Value workspace : workspaces)
    token = gpu::DeallocOp::create(builder, loc, tokenType, token, workspace)
                .getAsyncToken();
  if (!token || launch.isAsync)
    return token;
  gpu::WaitOp::create(builder, loc, Type(), token);
  return Value();
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
  SmallVector<Type> results;
  if (launch.isAsync)
    results.push_back(gpu::AsyncTokenType::get(builder.getContext()));
  auto branch = scf::IfOp::create(builder, loc, results, hasBlocks(),
                                  /*withElseRegion=*/launch.isAsync);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value token = launchChosen();
  if (!launch.isAsync)
    return Value();
  scf::YieldOp::create(builder, loc, token);
  builder.setInsertionPointToStart(branch.elseBlock());
  Value nothing =
      gpu::WaitOp::create(builder, loc, results.front(), launch.dependencies)
          .getAsyncToken();
  scf::YieldOp::create(builder, loc, nothing);
  return branch.getResult(0);
}

Value tile::createGpuLaunch(OpBuilder &builder, Location loc,
                            const GpuLaunch &launch) {
  return LaunchBuilder(builder, loc, launch).run();
}
