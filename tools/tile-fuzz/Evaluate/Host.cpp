// Host.cpp - evaluates functions of the host that launch kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Evaluate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <deque>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// The state of a function: its arrays, and its scalars as constants.
class HostFunction {
public:
  HostFunction(func::FuncOp function, std::vector<ArgumentValue> &arguments,
               const OnLaunch &onLaunch)
      : onLaunch(onLaunch) {
    for (auto [argument, value] :
         llvm::zip_equal(function.getArguments(), arguments)) {
      if (value.array)
        arrays[argument] = &*value.array;
      else
        scalars[argument] = value.scalar;
    }
  }

  LogicalResult run(Operation *op);

private:
  LogicalResult compute(Operation *op);
  void allocate(memref::AllocOp op);
  LogicalResult launch(LaunchOp op);
  std::array<int64_t, 3> getGrid(LaunchOp op, KernelOp kernel);
  int64_t getIndex(Value value) { return scalars[value].integer; }

  const OnLaunch &onLaunch;
  llvm::DenseMap<Value, ArrayValue *> arrays;
  llvm::DenseMap<Value, Element> scalars;
  std::deque<ArrayValue> allocated;
};
} // namespace

/// Computes integers by the operation's own folder.
LogicalResult HostFunction::compute(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(IntegerAttr::get(operand.getType(), getIndex(operand)));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return op->emitError("expected an operation that can be evaluated");
  auto constant =
      dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(results.front()));
  scalars[op->getResult(0)] =
      constant ? Element::ofInteger(constant.getValue().getSExtValue())
               : scalars[cast<Value>(results.front())];
  return success();
}

/// Allocates an array, whose elements are not known.
void HostFunction::allocate(memref::AllocOp op) {
  ArrayValue array;
  array.element = op.getType().getElementType();
  array.sizes = op.getType().getShape().vec();
  auto next = op.getDynamicSizes().begin();
  for (int64_t &size : array.sizes)
    if (ShapedType::isDynamic(size))
      size = getIndex(*next++);
  array.strides.assign(array.sizes.size(), 1);
  for (size_t dim = array.sizes.size(); dim-- > 1;)
    array.strides[dim - 1] = array.strides[dim] * array.sizes[dim];
  array.elements.resize(llvm::product_of(array.sizes), Element::unknown());
  array.isWritten.resize(array.elements.size());
  allocated.push_back(std::move(array));
  arrays[op.getResult()] = &allocated.back();
}

std::array<int64_t, 3> HostFunction::getGrid(LaunchOp op, KernelOp kernel) {
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (auto [blocks, extent] : llvm::zip(grid, op.getGrid()))
    blocks = getIndex(extent);
  if (!op.getGrid().empty())
    return grid;
  SmallVector<AffineExpr> sources;
  for (Attribute source : kernel.getGrid()->getSources()) {
    auto parts = cast<ArrayAttr>(source);
    Value argument = op.getArguments()[cast<IntegerAttr>(parts[0]).getInt()];
    int64_t value =
        parts.size() == 1
            ? getIndex(argument)
            : arrays[argument]->sizes[cast<IntegerAttr>(parts[1]).getInt()];
    sources.push_back(getAffineConstantExpr(value, op.getContext()));
  }
  for (auto [blocks, factors] : llvm::zip(grid, kernel.getGrid()->getExtents()))
    for (AffineExpr factor : factors)
      blocks *=
          cast<AffineConstantExpr>(factor.replaceDims(sources)).getValue();
  return grid;
}

LogicalResult HostFunction::launch(LaunchOp op) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<KernelOp>(op, op.getKernelAttr());
  std::vector<ArgumentValue> values;
  for (Value argument : op.getArguments()) {
    ArgumentValue value;
    if (ArrayValue *array = arrays.lookup(argument)) {
      value.array = *array;
      value.array->isWritten.assign(array->elements.size(), false);
    } else {
      value.scalar = scalars[argument];
    }
    values.push_back(std::move(value));
  }
  std::array<int64_t, 3> grid = getGrid(op, kernel);
  onLaunch(kernel, values, grid);
  if (failed(evaluateDuals(kernel, values, grid)))
    return failure();
  for (auto [argument, value] : llvm::zip_equal(op.getArguments(), values)) {
    ArrayValue *array = arrays.lookup(argument);
    if (!array)
      continue;
    for (size_t n = 0; n < array->elements.size(); ++n)
      if (value.array->isWritten[n])
        array->write(n, value.array->elements[n]);
  }
  return success();
}

LogicalResult HostFunction::run(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    scalars[dim.getResult()] = Element::ofInteger(
        arrays[dim.getSource()]->sizes[getIndex(dim.getIndex())]);
    return success();
  }
  if (auto allocation = dyn_cast<memref::AllocOp>(op))
    return allocate(allocation), success();
  if (auto launched = dyn_cast<LaunchOp>(op))
    return launch(launched);
  return isa<func::ReturnOp>(op) ? success() : compute(op);
}

LogicalResult
tile::fuzz::evaluateFunction(func::FuncOp function,
                             std::vector<ArgumentValue> &arguments,
                             const OnLaunch &onLaunch) {
  HostFunction state(function, arguments, onLaunch);
  for (Operation &op : function.getBody().front())
    if (failed(state.run(&op)))
      return failure();
  return success();
}
