// FourierRules.cpp - derivatives of Fourier transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As a matrix F of complex numbers, a transform is symmetric: its transpose for
// pairs of real values is the conjugate of F, which is the transform in the
// other direction with the same norm. A transform of real elements leaves out
// the bins that are conjugates of others; a bin that stands for two counts
// twice in its inverse, and so half in the transpose of the transform.

#include "Rules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

/// Multiplies the bins that stand for two bins of a row of `length` real
/// elements: all but the first one and, if the length is even, the last one.
static Value scaleDoubleBins(ValueBuilder &b, Value bins, int64_t length,
                             double factor) {
  auto type = cast<TileType>(bins.getType());
  Type part = cast<ComplexType>(type.getElementType()).getElementType();
  TileBuilder tiles(b, b.getLoc(), type.getShape());
  Type integer = b.getI32Type();
  Value index = tiles.iota(integer, type.getRank() - 1);
  auto isBin = [&](uint64_t bin) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index,
                                 tiles.constant(integer, bin));
  };
  Value isSingle = isBin(0);
  if (length % 2 == 0)
    isSingle = arith::OrIOp::create(b, isSingle, isBin(length / 2));
  Value weights =
      b.select(isSingle, tiles.real(part, 1), tiles.real(part, factor));
  return b.mul(bins, b.createComplex(ComplexKind::create, type,
                                     {weights, tiles.zero(part)}));
}

namespace tile {
static Derivatives makeTranspose(FftOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({IfftOp::create(b, op.getType(), cotangents[0], op.getNorm(),
                                op.getPlanAttr())});
}

static Derivatives makeTranspose(IfftOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({FftOp::create(b, op.getType(), cotangents[0], op.getNorm(),
                               op.getPlanAttr())});
}

static Derivatives makeTranspose(RfftOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Type type = op.getSource().getType();
  int64_t length = cast<TileType>(type).getShape().back();
  Value bins = scaleDoubleBins(b, cotangents[0], length, 0.5);
  return values({IrfftOp::create(b, type, bins, op.getNorm())});
}

static Derivatives makeTranspose(IrfftOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  int64_t length = cast<TileType>(op.getType()).getShape().back();
  Value bins =
      RfftOp::create(b, op.getSource().getType(), cotangents[0], op.getNorm());
  return values({scaleDoubleBins(b, bins, length, 2)});
}
} // namespace tile

void tile::addFourierRules(MLIRContext &context) {
  attachModels<LinearTangentModel, FftOp, IfftOp, RfftOp, IrfftOp>(context);
  attachModels<TransposeModel, FftOp, IfftOp, RfftOp, IrfftOp>(context);
}
