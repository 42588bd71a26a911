// Placement.cpp - storage in which operations have their tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory is used for accesses that registers cannot serve: to an element
// that another thread holds, if its index is known only at run time, and to
// operands of matmuls, which many threads read.

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

Placement tile::getPlacement(OpOperand &use) {
  auto op = dyn_cast<StorageOpInterface>(use.getOwner());
  return op ? op.getOperandPlacement(use) : Placement::registers;
}

Placement tile::getPlacement(Operation *op) {
  auto storage = dyn_cast<StorageOpInterface>(op);
  return storage ? storage.getResultPlacement() : Placement::registers;
}

bool tile::hasTiles(Operation *op) {
  auto isTile = llvm::IsaPred<TileType>;
  return llvm::any_of(op->getOperandTypes(), isTile) ||
         llvm::any_of(op->getResultTypes(), isTile);
}

bool tile::handsTilesOn(Operation *op) {
  return isa<RegionBranchOpInterface>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<OpTrait::IsTerminator>();
}

bool tile::isAlias(Operation *op) {
  return getPlacement(op) == Placement::alias;
}

Placement LoadOp::getResultPlacement() { return Placement::anywhere; }

Placement ConvertLayoutOp::getOperandPlacement(OpOperand &) {
  return Placement::anywhere;
}
Placement ConvertLayoutOp::getResultPlacement() { return Placement::anywhere; }

Placement ViewOp::getOperandPlacement(OpOperand &) {
  return getConstantOffsets() ? Placement::part : Placement::shared;
}
Placement ViewOp::getResultPlacement() { return Placement::alias; }

Placement TransposeOp::getOperandPlacement(OpOperand &) {
  return Placement::alias;
}
Placement TransposeOp::getResultPlacement() { return Placement::alias; }

Placement TakeOp::getOperandPlacement(OpOperand &operand) {
  return &operand == &getSourceMutable() ? Placement::shared
                                         : Placement::registers;
}

Placement PrintOp::getOperandPlacement(OpOperand &) {
  return Placement::observed;
}

Placement MatmulOp::getOperandPlacement(OpOperand &operand) {
  if (&operand == &getAccMutable())
    return Placement::registers;
  TilingAttr tiling = getTiling().value_or(TilingAttr());
  return !tiling || tiling.getOperands() == OperandSource::shared
             ? Placement::shared
             : Placement::replicated;
}

Placement OrderFftOp::getResultPlacement() { return Placement::shared; }
