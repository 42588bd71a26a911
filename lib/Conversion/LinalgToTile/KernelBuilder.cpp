// KernelBuilder.cpp - a kernel as it is built: arguments, indices, loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

KernelBuilder::KernelBuilder(Operation *function, Location loc, StringRef name)
    : builder(function), loc(loc) {
  kernel = KernelOp::create(builder, loc, name, builder.getFunctionType({}, {}),
                            /*sym_visibility=*/nullptr, /*block=*/nullptr,
                            /*grid=*/nullptr, /*arg_attrs=*/nullptr,
                            /*res_attrs=*/nullptr);
  builder.createBlock(&kernel.getBody());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value KernelBuilder::addArgument(Value host, Type type) {
  auto [entry, isNew] = arguments.insert({host, BlockArgument()});
  if (isNew)
    entry->second = kernel.getBody().front().addArgument(type, host.getLoc());
  return entry->second;
}

Value KernelBuilder::getArray(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return addArgument(tensor, MemRefType::get(shape, type.getElementType()));
}

/// Whether the kernel computes a scalar itself: the host can only compute
/// integer expressions, since the metadata describes nothing else.
static bool isOfKernel(Operation *op) {
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  return isa_and_present<arith::ArithDialect, math::MathDialect>(
             op ? op->getDialect() : nullptr) &&
         op->getNumRegions() == 0 && !op->hasTrait<OpTrait::ConstantLike>() &&
         (llvm::any_of(op->getOperandTypes(), isFloat) ||
          llvm::any_of(op->getResultTypes(), isFloat));
}

void KernelBuilder::makeScalar(Value scalar) {
  Attribute constant;
  Operation *made = scalar.getDefiningOp();
  if (matchPattern(scalar, m_Constant(&constant))) {
    scalars[scalar] = scalar.getType().isIndex()
                          ? getIndex(cast<IntegerAttr>(constant).getInt())
                          : buildAt(0, [&]() -> Value {
                              return arith::ConstantOp::create(
                                  builder, loc, cast<TypedAttr>(constant));
                            });
    return;
  }
  if (!isOfKernel(made)) {
    scalars[scalar] = addArgument(scalar, scalar.getType());
    return;
  }
  IRMapping mapping;
  for (Value operand : made->getOperands())
    mapping.map(operand, scalars.lookup(operand));
  Operation *copy = buildAt(0, [&] { return builder.clone(*made, mapping); });
  for (auto [from, to] :
       llvm::zip_equal(made->getResults(), copy->getResults()))
    scalars[from] = to;
}

/// Returns the values from which a scalar of the kernel is computed.
static SmallVector<Value> getOperandsInKernel(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  return isOfKernel(op) ? llvm::to_vector(op->getOperands())
                        : SmallVector<Value>();
}

Value KernelBuilder::getScalar(Value scalar) {
  makeInOrder(scalar, scalars, getOperandsInKernel,
              [&](Value value) { makeScalar(value); });
  return scalars.lookup(scalar);
}

Value KernelBuilder::getIndex(int64_t constant) {
  Value &value = constants[constant];
  if (!value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&kernel.getBody().front());
    value = arith::ConstantIndexOp::create(builder, loc, constant);
  }
  return value;
}

Value KernelBuilder::getIndex(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getIndex(*constant);
  return getScalar(cast<Value>(value));
}

Value KernelBuilder::getExtent(Value array, int64_t dim) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim))
    return getIndex(type.getDimSize(dim));
  Value index = getIndex(dim);
  Value &value = extents[{array, dim}];
  if (!value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(index);
    value = memref::DimOp::create(builder, loc, array, index);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

unsigned KernelBuilder::getDepth(Value value) {
  Region *region = value.getParentRegion();
  for (unsigned depth = getDepth(); depth > 0; --depth)
    if (loops[depth - 1]->getRegion(0).isAncestor(region))
      return depth;
  return 0;
}

template <typename Op>
Value KernelBuilder::build(Value lhs, Value rhs) {
  Value &value = indices[{lhs, rhs, Op::getOperationName()}];
  if (!value)
    value = buildAt(std::max(getDepth(lhs), getDepth(rhs)), [&]() -> Value {
      return Op::create(builder, loc, lhs, rhs);
    });
  return value;
}

static bool equalsConstant(Value value, int64_t expected) {
  return getConstantIntValue(value) == expected;
}

Value KernelBuilder::add(Value lhs, Value rhs) {
  std::optional<int64_t> a = getConstantIntValue(lhs);
  std::optional<int64_t> b = getConstantIntValue(rhs);
  if (a && b)
    return getIndex(*a + *b);
  if (equalsConstant(lhs, 0))
    return rhs;
  return equalsConstant(rhs, 0) ? lhs : build<arith::AddIOp>(lhs, rhs);
}

Value KernelBuilder::subtract(Value lhs, Value rhs) {
  std::optional<int64_t> a = getConstantIntValue(lhs);
  std::optional<int64_t> b = getConstantIntValue(rhs);
  if (a && b)
    return getIndex(*a - *b);
  return equalsConstant(rhs, 0) ? lhs : build<arith::SubIOp>(lhs, rhs);
}

Value KernelBuilder::multiply(Value lhs, Value rhs) {
  if (std::optional<int64_t> constant = getConstantIntValue(rhs))
    return multiply(lhs, *constant);
  return build<arith::MulIOp>(lhs, rhs);
}

Value KernelBuilder::minimum(Value lhs, Value rhs) {
  std::optional<int64_t> a = getConstantIntValue(lhs);
  std::optional<int64_t> b = getConstantIntValue(rhs);
  if (a && b)
    return getIndex(std::min(*a, *b));
  return build<arith::MinSIOp>(lhs, rhs);
}

Value KernelBuilder::multiply(Value lhs, int64_t rhs) {
  if (std::optional<int64_t> constant = getConstantIntValue(lhs))
    return getIndex(*constant * rhs);
  return rhs == 1 ? lhs : build<arith::MulIOp>(lhs, getIndex(rhs));
}

Value KernelBuilder::divide(Value lhs, Value rhs) {
  return equalsConstant(rhs, 1) ? lhs : build<arith::DivUIOp>(lhs, rhs);
}

Value KernelBuilder::divideUp(Value lhs, int64_t rhs) {
  if (std::optional<int64_t> constant = getConstantIntValue(lhs))
    return getIndex(llvm::divideCeilSigned(*constant, rhs));
  return rhs == 1 ? lhs : build<arith::CeilDivUIOp>(lhs, getIndex(rhs));
}

Value KernelBuilder::modulo(Value lhs, Value rhs) {
  return equalsConstant(rhs, 1) ? getIndex(int64_t(0))
                                : build<arith::RemUIOp>(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelBuilder::buildLoop(
    Location at, Value end, int64_t step, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, at, getIndex(0), end, getIndex(step),
                                 carried);
  OpBuilder::InsertionGuard guard(builder);
  loops.push_back(loop);
  // A loop without carried values already has its terminator.
  if (carried.empty())
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, at, next);
  loops.pop_back();
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void KernelBuilder::finish() {
  ReturnOp::create(builder, loc);
  SmallVector<Type> types =
      llvm::to_vector(kernel.getBody().front().getArgumentTypes());
  kernel.setFunctionType(builder.getFunctionType(types, {}));
}
