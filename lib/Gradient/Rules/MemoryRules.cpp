// MemoryRules.cpp - derivatives of accesses to boxes of arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../AccessBox.h"
#include "Rules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

namespace tile {
static Derivatives makeTangents(LoadOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getPad() && b.getTangent(op.getPad()))
    return op->emitError("expected a 'pad' that no gradient depends on");
  return values({loadBox(b, op, tangents[0])});
}

/// Updates the gradient, which has the place of the array of tangents.
static Derivatives makeTranspose(LoadOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value gradient = op.getSource();
  Value cotangent = cotangents[0];
  GradientUpdate update = b.getUpdate(gradient);
  if (update == GradientUpdate::store)
    storeBox(b, op, b.orZero(cotangent, op.getType()), gradient);
  else if (cotangent && update == GradientUpdate::add)
    storeBox(b, op, b.add(loadBox(b, op, gradient), cotangent), gradient);
  else if (cotangent)
    AtomicRMWOp::create(b, cotangent.getType(), AtomicKind::add, cotangent,
                        gradient, op.getOffsets(), /*expected=*/Value(),
                        op.getMask(), AtomicOrder::relaxed, AtomicScope::gpu,
                        /*ordered=*/false, op.getInBounds(), op.getDimsAttr());
  return SmallVector<Value>(op->getNumOperands());
}

/// Stores zeros where the tangent is zero, unless the array has no tangents.
static Derivatives makeTangents(StoreOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (tangents[1])
    storeBox(b, op, b.orZero(tangents[0], op.getValue().getType()),
             tangents[1]);
  return SmallVector<Value>();
}

static Derivatives makeTranspose(StoreOp op, TransposeBuilder &b,
                                 ArrayRef<Value>) {
  SmallVector<Value> results(op->getNumOperands());
  if (b.isTangent(op.getValue()))
    results[0] = loadBox(b, op, op.getDest());
  return results;
}
} // namespace tile

void tile::addMemoryRules(MLIRContext &context) {
  attachModels<TangentModel, LoadOp, StoreOp>(context);
  attachModels<TransposeModel, LoadOp, StoreOp>(context);
}
