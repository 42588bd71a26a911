// SumsLast.cpp - order of the matmuls of an iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SumsLast.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Whether only the terminator of the loop's body uses the result.
static bool isSum(MatmulOp op) {
  return llvm::all_of(op.getResult().getUsers(), [](Operation *user) {
    return isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp());
  });
}

/// Adds the operations that convert a value, from the first to the last, if
/// nothing else uses their results.
static void addConversions(Value value, SmallVectorImpl<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<CastOp, TransposeOp, ReshapeOp, ConvertLayoutOp>(op) ||
      !value.hasOneUse())
    return;
  addConversions(op->getOperand(0), ops);
  ops.push_back(op);
}

static void moveSumsLast(scf::ForOp loop) {
  SmallVector<MatmulOp> sums;
  Operation *last = nullptr;
  for (auto matmul : loop.getBody()->getOps<MatmulOp>()) {
    if (isSum(matmul))
      sums.push_back(matmul);
    else
      last = matmul;
  }
  for (MatmulOp sum : sums) {
    if (!last || !sum->isBeforeInBlock(last))
      continue;
    SmallVector<Operation *> moved;
    addConversions(sum.getLhs(), moved);
    addConversions(sum.getRhs(), moved);
    moved.push_back(sum);
    for (Operation *op : moved) {
      op->moveAfter(last);
      last = op;
    }
  }
}

void tile::moveSumsLast(KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) { ::moveSumsLast(loop); });
}
