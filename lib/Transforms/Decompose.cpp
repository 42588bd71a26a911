// Decompose.cpp - replacement of composite operations by simpler ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %v, %i = tile.top_k %t axis 0
//          : !tile.tile<100xf32> to !tile.tile<8xf32>, !tile.tile<8xi32>
//
// becomes
//
//   %n = tile.iota axis 0 : !tile.tile<100xi32>
//   %s:2 = tile.sort %t, %n axis 0 descending
//        : !tile.tile<100xf32>, !tile.tile<100xi32>
//   %v = tile.view %s#0[%c0] : !tile.tile<100xf32> to !tile.tile<8xf32>
//   %i = tile.view %s#1[%c0] : !tile.tile<100xi32> to !tile.tile<8xi32>
//
// DecomposeOpInterface specifies which operations are composite and the
// operations that replace them (lib/Algorithms).

#include "tile/Analysis/Levels.h"
#include "tile/IR/TileBuilder.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace tile {
#define GEN_PASS_DEF_DECOMPOSE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Erases definitions whose only user has been replaced, such as a load whose
/// parts the replacement loads itself.
static void
eraseUnused(const llvm::SmallSetVector<Operation *, 4> &definitions) {
  for (Operation *definition : definitions)
    if (isOpTriviallyDead(definition))
      definition->erase();
}

static LogicalResult decompose(DecomposeOpInterface op) {
  OpBuilder builder(op);
  FailureOr<SmallVector<Value>> values = op.decompose(builder);
  if (failed(values))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
    replaceResult(builder, result, value);
  llvm::SmallSetVector<Operation *, 4> definitions;
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      definitions.insert(definition);
  op.erase();
  eraseUnused(definitions);
  return success();
}

/// Decomposes all composite operations. The replacement of an operation comes
/// before it and is visited by the next walk.
static LogicalResult decomposeAll(KernelOp kernel) {
  bool isDone = false;
  while (!isDone) {
    isDone = true;
    WalkResult result = kernel.walk([&](DecomposeOpInterface op) {
      if (!isComposite(op))
        return WalkResult::advance();
      isDone = false;
      return WalkResult(decompose(op));
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

namespace {
struct Decompose : tile::impl::DecomposeBase<Decompose> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyLevel(kernel, Level::source)) ||
        failed(decomposeAll(kernel)))
      return signalPassFailure();
    setLevel(kernel, Level::decomposed);
    if (failed(verifyLevel(kernel)))
      signalPassFailure();
  }
};
} // namespace
