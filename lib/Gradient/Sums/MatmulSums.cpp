// MatmulSums.cpp - sums of matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

/// Returns the matmul in the block of `sum` of which only `sum` uses the
/// result; null for other values.
static MatmulOp getTerm(arith::AddFOp sum, Value value) {
  auto matmul = value.getDefiningOp<MatmulOp>();
  bool isTerm =
      matmul && value.hasOneUse() && matmul->getBlock() == sum->getBlock();
  return isTerm ? matmul : MatmulOp();
}

static bool startsAtZero(MatmulOp matmul) {
  SplatElementsAttr splat;
  return matchPattern(matmul.getAcc(), m_Constant(&splat)) &&
         isa<FloatType>(splat.getElementType()) &&
         splat.getSplatValue<APFloat>().isZero();
}

static void chain(arith::AddFOp sum) {
  MatmulOp first = getTerm(sum, sum.getLhs());
  MatmulOp last = getTerm(sum, sum.getRhs());
  if (!first || !last)
    return;
  if (!startsAtZero(last))
    std::swap(first, last);
  if (!startsAtZero(last))
    return;
  last->moveBefore(sum);
  last.getAccMutable().assign(first.getResult());
  sum.getResult().replaceAllUsesWith(last.getResult());
  sum.erase();
}

void tile::chainMatmulSums(KernelOp kernel) {
  kernel.walk([](arith::AddFOp sum) { chain(sum); });
}
