// LaunchValues.cpp - integers that are known for one launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/LaunchValues.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

void LaunchValues::setBlock(std::array<int64_t, 3> given) {
  block = given;
  computed.clear();
}

void LaunchValues::set(Value value, std::optional<int64_t> integer) {
  variables[value] = integer;
  computed.clear();
}

std::optional<int64_t> LaunchValues::evaluate(Value value) {
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  if (auto found = variables.find(value); found != variables.end())
    return found->second;
  auto [found, isNew] = computed.try_emplace(value, std::nullopt);
  if (!isNew)
    return found->second;
  std::optional<int64_t> integer = compute(value);
  return computed[value] = integer;
}

/// Returns the size of an argument that is an array.
std::optional<int64_t> LaunchValues::computeSize(Value array, Value dimension) {
  auto argument = dyn_cast<BlockArgument>(array);
  std::optional<int64_t> dim = evaluate(dimension);
  if (!argument || argument.getOwner() != &kernel.getBody().front() || !dim ||
      *dim < 0)
    return std::nullopt;
  const std::vector<int64_t> &sizes =
      launch.arguments[argument.getArgNumber()].sizes;
  return *dim < static_cast<int64_t>(sizes.size()) ? std::optional(sizes[*dim])
                                                   : std::nullopt;
}

std::optional<int64_t> LaunchValues::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &kernel.getBody().front()
               ? launch.arguments[argument.getArgNumber()].integer
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto size = dyn_cast<memref::DimOp>(op))
    return computeSize(size.getSource(), size.getIndex());
  if (auto id = dyn_cast<ProgramIdOp>(op))
    return block[static_cast<size_t>(id.getAxis())];
  if (auto count = dyn_cast<NumProgramsOp>(op))
    return launch.grid[static_cast<size_t>(count.getAxis())];
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> condition = evaluate(branch.getCondition());
    if (!condition)
      return std::nullopt;
    unsigned index = cast<OpResult>(value).getResultNumber();
    return evaluate((*condition ? branch.thenYield() : branch.elseYield())
                        .getOperand(index));
  }
  return fold(cast<OpResult>(value));
}

/// Folds an operation all of whose operands are known.
std::optional<int64_t> LaunchValues::fold(OpResult value) {
  Operation *op = value.getOwner();
  if (op->getNumRegions() != 0 || !isPure(op))
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> integer = evaluate(operand);
    if (!integer)
      return std::nullopt;
    unsigned bits = operand.getType().isIndex()
                        ? IndexType::kInternalStorageBitWidth
                        : operand.getType().getIntOrFloatBitWidth();
    operands.push_back(IntegerAttr::get(
        operand.getType(), APInt(bits, static_cast<uint64_t>(*integer),
                                 /*isSigned=*/true, /*implicitTrunc=*/true)));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return std::nullopt;
  OpFoldResult result = results[value.getResultNumber()];
  if (auto other = dyn_cast<Value>(result))
    return other == value ? std::nullopt : evaluate(other);
  auto integer = dyn_cast<IntegerAttr>(cast<Attribute>(result));
  if (!integer || integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                        : integer.getValue().getSExtValue();
}
