// MatmulLayouts.cpp - layouts of the tiles of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"

#include "tile/Analysis/Fragments.h"
#include "tile/IR/ConvertLayout.h"

using namespace mlir;
using namespace tile;

/// Returns the dimension of the value along which a load reads contiguous
/// elements, so that the loads of a thread may be vectors.
static int64_t getLoadedDimension(Value value) {
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return llvm::find(transpose.getPermutation(),
                      getLoadedDimension(transpose.getSource())) -
           transpose.getPermutation().begin();
  Operation *op = value.getDefiningOp();
  if (op && op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() == 1)
    return getLoadedDimension(op->getOperand(0));
  int64_t rank = cast<TileType>(value.getType()).getRank();
  auto load = value.getDefiningOp<CopyableOpInterface>();
  if (!load)
    return rank - 1;
  auto array = cast<MemRefType>(load.getArray().getType());
  return getContiguousDimension(array, rank).value_or(rank - 1);
}

/// Returns the layout of operand 0 or 1 in registers.
static RegisterLayout getOperandLayout(MatmulOp op, int operand,
                                       const Tiling &tiling, int64_t numWarps) {
  int64_t k = op.getK();
  if (tiling.instruction.hasFragments())
    return getFragmentLayout(tiling, operand, k, numWarps);
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  // The vectors of a thread lie within one matmul of a batch, so the contiguous
  // dimension is one of the last two.
  int64_t contiguous = std::max(getLoadedDimension(value), type.getRank() - 2);
  return getOperandPlan(tiling, operand, getOperandBox(tiling, operand, k),
                        contiguous, getElementBytes(type.getElementType()),
                        numWarps)
      .layout;
}

namespace {
/// The instruction determines the layouts of the accumulator and of operands in
/// registers.
struct MatmulLayouts
    : LayoutOpInterface::ExternalModel<MatmulLayouts, MatmulOp> {
  /// Inserts conversions around the matmul for a layout that the program
  /// declares for the accumulator.
  void simplifyForLayouts(Operation *operation) const {
    auto op = cast<MatmulOp>(operation);
    RegisterAttr declared = op.getType().getRegister();
    if (!declared || !declared.isResolved())
      return;
    OpBuilder builder(op);
    auto any = getAnyRegisters(op.getContext());
    op.getAccMutable().assign(
        convertTo(builder, op.getLoc(), op.getAcc(), any));
    op.getResult().setType(op.getType().withStorage(any));
    builder.setInsertionPointAfter(op);
    Value converted = convertTo(builder, op.getLoc(), op.getResult(), declared);
    op.getResult().replaceAllUsesExcept(converted, converted.getDefiningOp());
  }

  SmallVector<SmallVector<Value>> getLayoutGroups(Operation *operation) const {
    auto op = cast<MatmulOp>(operation);
    return {{op.getAcc(), op.getResult()}};
  }

  std::optional<RegisterLayout> getInstructionLayout(Operation *operation,
                                                     Value tile,
                                                     int64_t numWarps) const {
    auto op = cast<MatmulOp>(operation);
    Tiling tiling = getTiling(op);
    for (int operand : {0, 1})
      if (tile == op->getOperand(operand))
        return getOperandLayout(op, operand, tiling, numWarps);
    return getAccumulatorLayout(tiling, numWarps);
  }

  void adaptToLayouts(Operation *operation, ArrayRef<TileType> wanted,
                      int64_t numWarps) const {
    auto op = cast<MatmulOp>(operation);
    Tiling tiling = getTiling(op);
    OpBuilder builder(op);
    Location loc = op.getLoc();
    for (int operand : {0, 1})
      if (isInRegisters(op->getOperand(operand)))
        op->setOperand(operand, convertTo(builder, loc, op->getOperand(operand),
                                          getOperandLayout(op, operand, tiling,
                                                           numWarps)));
    RegisterLayout layout = getAccumulatorLayout(tiling, numWarps);
    op.getAccMutable().assign(convertTo(builder, loc, op.getAcc(), layout));
    setResult(op->getResult(0), layout, wanted.front());
    // The accumulator has the result's type, not only its layout.
    if (op.getAcc().getType() != op.getType())
      op.getAccMutable().assign(
          convertTo(builder, loc, op.getAcc(), op.getType().getStorage()));
  }
};
} // namespace

void tile::addMatmulLayouts(MLIRContext &context) {
  MatmulOp::attachInterface<MatmulLayouts>(context);
}
