// AccessBox.cpp - boxes of arrays that programs access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessBox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

bool tile::isUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<KernelOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  bool isKnown = isa<NumProgramsOp, memref::DimOp>(op) ||
                 isa_and_nonnull<arith::ArithDialect>(op->getDialect());
  return isKnown && llvm::all_of(op->getOperands(), isUniform);
}

bool Offset::isSameInPrograms() const {
  return llvm::all_of(others, [](const auto &other) {
    return other.second == 0 ||
           isUniform(Value::getFromOpaquePointer(other.first));
  });
}

/// Whether a value is the same in all iterations of a program: it is computed
/// outside of loops.
static bool isFixedInProgram(Value value) {
  Operation *around = value.getParentRegion()->getParentOp();
  while (isa<scf::IfOp>(around))
    around = around->getParentOp();
  return isa<KernelOp>(around);
}

bool tile::isGrowing(Value value) {
  if (isUniform(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto getConstant = [&](unsigned index) {
    return getConstantIntValue(op->getOperand(index)).value_or(-1);
  };
  if (isa<ProgramIdOp>(op))
    return true;
  // Unsigned division, minima and maxima decrease where a value becomes
  // negative.
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::IndexCastOp,
          arith::ExtSIOp>(op))
    return llvm::all_of(op->getOperands(), isGrowing);
  if (isa<arith::SubIOp>(op))
    return isGrowing(op->getOperand(0)) && isUniform(op->getOperand(1));
  if (isa<arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
    return isGrowing(op->getOperand(0)) && getConstant(1) > 0;
  return isa<arith::MulIOp>(op) && isGrowing(op->getOperand(0)) &&
         getConstant(1) >= 0;
}

static Offset scaled(Offset offset, int64_t factor) {
  offset.constant *= factor;
  for (auto &[mover, coefficient] : offset.movers)
    coefficient *= factor;
  for (auto &[value, coefficient] : offset.others)
    coefficient *= factor;
  return offset;
}

static Offset sum(Offset a, const Offset &b) {
  a.constant += b.constant;
  for (auto &[mover, coefficient] : b.movers)
    a.movers[mover] += coefficient;
  for (auto &[value, coefficient] : b.others)
    a.others[value] += coefficient;
  return a;
}

/// Reads the index of a loop's iteration: the lower bound, and a multiple of
/// the step.
static std::optional<Offset> readInduction(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return std::nullopt;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<Offset> first = readOffset(loop.getLowerBound());
  if (!step || !first)
    return std::nullopt;
  first->movers[Mover(std::nullopt, loop)] += *step;
  return first;
}

/// Reads a value that operations add up from terms.
static std::optional<Offset> readSum(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return readInduction(argument);
  Operation *op = value.getDefiningOp();
  if (auto program = dyn_cast<ProgramIdOp>(op)) {
    Offset offset;
    offset.movers[Mover(program.getAxis(), nullptr)] = 1;
    return offset;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return readOffset(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Offset> a = readOffset(op->getOperand(0));
  std::optional<Offset> b = readOffset(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return sum(*a, *b);
  if (isa<arith::SubIOp>(op))
    return sum(*a, scaled(*b, -1));
  auto isConstant = [](const Offset &factor) {
    return factor.movers.empty() && factor.others.empty();
  };
  if (isConstant(*b))
    return scaled(*a, b->constant);
  if (isConstant(*a))
    return scaled(*b, a->constant);
  return std::nullopt;
}

std::optional<Offset> tile::readOffset(Value value) {
  Offset offset;
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    offset.constant = *constant;
    return offset;
  }
  if (!isUniform(value)) {
    std::optional<Offset> sum = readSum(value);
    if (sum || !isFixedInProgram(value))
      return sum;
  }
  offset.others[value.getAsOpaquePointer()] = 1;
  return offset;
}
