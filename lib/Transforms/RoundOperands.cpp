// RoundOperands.cpp - rounding of operands that an instruction truncates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundOperands.h"

#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/ConvertLayout.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

static bool isCutOff(MatmulOpInterface op) {
  return hasCompleteTiling(op) && getTiling(op).instruction.truncatesOperands();
}

static void roundLhs(MatmulOpInterface op) {
  OpBuilder builder(op);
  op->setOperand(0, RoundTF32Op::create(builder, op.getLoc(), op.getLhs()));
}

static void roundRhs(MatmulOpInterface op) {
  Value loaded = op.getRhs();
  while (auto transpose = loaded.getDefiningOp<TransposeOp>())
    loaded = transpose.getSource();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfterValue(loaded);
  Location loc = loaded.getLoc();
  Value rounded = RoundTF32Op::create(builder, loc, loaded);
  Value copy = convertTo(builder, loc, rounded, getAnyShared(op.getContext()));
  loaded.replaceAllUsesExcept(copy, rounded.getDefiningOp());
}

void tile::roundOperands(KernelOp kernel) {
  kernel.walk([&](MatmulOpInterface op) {
    if (!isCutOff(op))
      return;
    roundLhs(op);
    roundRhs(op);
  });
}

SmallVector<Operation *> tile::getRoundingInRegisters(MatmulOpInterface op) {
  if (!op.getLhs().getDefiningOp<RoundTF32Op>())
    return {};
  SmallVector<Operation *> made;
  Value value = op.getLhs();
  while (true) {
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != op->getBlock() || !value.hasOneUse())
      return {};
    made.push_back(maker);
    if (isa<LoadOp>(maker))
      return isInShared(value) ? made : SmallVector<Operation *>();
    if (!isa<RoundTF32Op, ConvertLayoutOp, TransposeOp>(maker))
      return {};
    value = maker->getOperand(0);
  }
}
