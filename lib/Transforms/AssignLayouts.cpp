// AssignLayouts.cpp - a layout for every tile, every mismatch visible
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register layouts first, since shared ones are chosen for the accesses that
// registers make. See AssignRegisterLayouts.cpp and AssignSharedLayouts.cpp.
//
//   %d = tile.matmul %a, %b, %c tiling <...>
//          : !tile.tile<16x16xf16, #tile.shared>, ...
//          -> !tile.tile<16x8xf32, #tile.register>
//
// becomes
//
//   %d = tile.matmul %a, %b, %c tiling <...>
//          : !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1), swizzle = ...>>,
//          ... -> !tile.tile<16x8xf32, #tile.register<((4,8),1,(2,2)):...>>

#include "AssignLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

#define DEBUG_TYPE "tile-assign-layouts"

namespace tile {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// A reduction of everything is one of each axis, the last first.
static void expandFullReduction(ReduceOp op) {
  OpBuilder builder(op);
  Value value = op.getSource();
  auto type = cast<TileType>(value.getType());
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    type = TileType::get(type.getContext(), type.getShape().drop_back(),
                         type.getElementType(), op.getType().getStorage());
    value = ReduceOp::create(builder, op.getLoc(), type, op.getKindAttr(), value,
                             builder.getI64IntegerAttr(axis));
  }
  op.getResult().replaceAllUsesWith(value);
  op.erase();
}

/// Whether defining the tile again at each use is as cheap as a move.
static bool isCheap(Operation *op) {
  return isa<arith::ConstantOp, FillOp, IotaOp>(op) &&
         isa<TileType>(op->getResult(0).getType());
}

/// One definition a use, so that a constant does not tie its users' layouts.
static void duplicateForEachUse(Operation *op) {
  if (op->use_empty())
    return;
  OpBuilder builder(op);
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
    use.set(builder.clone(*op)->getResult(0));
}

/// Whether a product's instructions can read the operand where it is: it is a
/// tile of its own, or a box at offsets that keep rows aligned and of extents
/// that need no padding.
static bool canReadInPlace(MatmulOp op, int operand,
                           const Architecture &architecture) {
  Value value = op->getOperand(operand);
  Tiling tiling = getTiling(op, architecture);
  auto type = cast<TileType>(value.getType());
  int64_t k = cast<TileType>(op.getLhs().getType()).getDimSize(1);
  bool isPadded =
      getOperandBox(tiling, operand, k) != SmallVector<int64_t>(type.getShape());
  int64_t unit = kMaxAccessBytes / getElementBytes(type.getElementType());
  while (Operation *def = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewOp>(def)) {
      if (isPadded || llvm::any_of(view.getOffsets(), [&](Value offset) {
            return getKnownDivisor(offset) < unit;
          }))
        return false;
      value = view.getSource();
    } else if (auto transpose = dyn_cast<TransposeOp>(def)) {
      value = transpose.getSource();
    } else {
      break;
    }
  }
  SharedAttr shared = cast<TileType>(value.getType()).getShared();
  return !shared || !shared.isResolved() ||
         (!isPadded && getMaxVector(shared, getElementBytes(
                                                type.getElementType())) >= unit);
}

/// Copies an operand through registers to a tile of its own.
static void copyOperand(MatmulOp op, int operand) {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  auto registers = RegisterAttr::get(context, LayoutAttr(), DenseI64ArrayAttr());
  auto shared = SharedAttr::get(context, LayoutAttr(), SwizzleAttr(), 16);
  value = ConvertLayoutOp::create(builder, op.getLoc(),
                                  type.withStorage(registers), value);
  value = ConvertLayoutOp::create(builder, op.getLoc(), type.withStorage(shared),
                                  value);
  op->setOperand(operand, value);
}

void tile::simplifyForLayouts(KernelOp kernel,
                              const Architecture &architecture) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (auto reduce = dyn_cast<ReduceOp>(op); reduce && !reduce.getAxis())
      expandFullReduction(reduce);
    else if (isCheap(op))
      cheap.push_back(op);
  });
  llvm::for_each(cheap, duplicateForEachUse);
  kernel.walk([&](MatmulOp op) {
    for (int operand : {0, 1})
      if (!canReadInPlace(op, operand, architecture))
        copyOperand(op, operand);
  });
}

namespace {
struct AssignLayouts : tile::impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture || failed(verifyPrepared(kernel)))
      return signalPassFailure();
    simplifyForLayouts(kernel, *architecture);
    assignRegisterLayouts(kernel, *architecture);
    assignSharedLayouts(kernel, *architecture);
  }

  /// A layout that the program declares is spread over the block's warps.
  static LogicalResult verifyWarps(Operation *op, int64_t numWarps) {
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      RegisterAttr declared = tile ? tile.getRegister() : RegisterAttr();
      if (!declared || !declared.isResolved())
        continue;
      int64_t warps = declared.getRegisterLayout().getNumWarps();
      if (warps != numWarps)
        return op->emitError("expected a layout of ")
               << numWarps << " warps (the block's), got " << warps << " in "
               << declared;
    }
    return success();
  }

  /// What the phases before must have left.
  static LogicalResult verifyPrepared(KernelOp kernel) {
    if (!kernel.getBlock())
      return kernel.emitError(
          "expected a block size (run -tile-warp-tiling before)");
    int64_t numWarps = *kernel.getBlock() / kWarpSize;
    WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
      auto isStored = [](Type type) {
        auto tile = dyn_cast<TileType>(type);
        return !tile || tile.getStorage();
      };
      if (!llvm::all_of(op->getResultTypes(), isStored))
        return op->emitError("expected a tile with a storage (run "
                             "-tile-assign-storage before)");
      if (failed(verifyWarps(op, numWarps)))
        return WalkResult::interrupt();
      auto matmul = dyn_cast<MatmulOp>(op);
      TilingAttr tiling = matmul ? matmul.getTiling().value_or(TilingAttr())
                                 : TilingAttr();
      if (matmul && (!tiling || !tiling.getAtom() || !tiling.getWarps()))
        return op->emitError("expected a complete tiling (run "
                             "-tile-warp-tiling before)");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
