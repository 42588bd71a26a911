// IndexedAccessRules.cpp - derivatives of gathers, scatters and atomic
// additions SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather may read an element of an array any number of times, so that its
// transpose adds to the gradient by a scatter. The transpose of an addition to
// the elements of an output reads their cotangents, in any order.

#include "Rules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

/// Creates the gather of an access from another array; elements that the access
/// leaves out are zero.
template <typename Access>
static Value gatherFrom(ValueBuilder &b, Access access, Value array) {
  return GatherOp::create(b, access.getAccessedTile().getType(), array,
                          access.getOffsets(), access.getIndices(),
                          access.getAxisAttr(), access.getAxesAttr(),
                          access.getMask(), /*pad=*/Value(),
                          access.getInBoundsAttr(), access.getDimsAttr());
}

/// Adds a tile to the elements of an array that an access reads or writes.
template <typename Access>
static void scatterAdd(ValueBuilder &b, Access access, Value tile,
                       Value array) {
  ScatterOp::create(b, /*old=*/Type(), tile, array, access.getOffsets(),
                    access.getIndices(), access.getAxisAttr(),
                    access.getAxesAttr(), access.getMask(),
                    AtomicKindAttr::get(b.getContext(), AtomicKind::add),
                    access.getInBoundsAttr(), access.getDimsAttr());
}

/// Fails, after an error, if an update of `kind` has no derivative.
static LogicalResult verifyAddition(Operation *op,
                                    std::optional<AtomicKind> kind) {
  if (!kind)
    return op->emitError("expected a tile.scatter with 'atomic add', got one "
                         "without a kind: if several elements go to one "
                         "element of the array, any of them may remain");
  if (*kind != AtomicKind::add)
    return op->emitError("expected an update by 'add', got '")
           << stringifyAtomicKind(*kind) << "', whose derivative depends on "
           << "the order of the updates";
  if (!op->use_empty())
    return op->emitError("expected an update whose result is not used: the "
                         "values before it depend on the order of the updates");
  return success();
}

namespace tile {
static Derivatives makeTangents(GatherOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getPad() && b.getTangent(op.getPad()))
    return op->emitError("expected a 'pad' that no gradient depends on");
  return values({gatherFrom(b, op, tangents[0])});
}

static Derivatives makeTranspose(GatherOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Type element = getElementType(op.getType());
  if (!canAddAtomically(element))
    return emitError(op.getLoc(), "expected a gather of elements that can be "
                                  "added atomically, got ")
           << element;
  if (cotangents[0])
    scatterAdd(b, op, cotangents[0], op.getSource());
  return SmallVector<Value>(op->getNumOperands());
}

static Derivatives makeTangents(ScatterOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (failed(verifyAddition(op, op.getKind())))
    return failure();
  if (tangents[0] && tangents[1])
    scatterAdd(b, op, tangents[0], tangents[1]);
  return SmallVector<Value>(op->getNumResults());
}

static Derivatives makeTranspose(ScatterOp op, TransposeBuilder &b,
                                 ArrayRef<Value>) {
  SmallVector<Value> ofOperands(op->getNumOperands());
  if (b.isTangent(op.getValue()))
    ofOperands[0] = gatherFrom(b, op, op.getDest());
  return ofOperands;
}

static Derivatives makeTangents(AtomicRMWOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (failed(verifyAddition(op, op.getKind())))
    return failure();
  if (tangents[0] && tangents[1])
    AtomicRMWOp::create(b, op.getType(), op.getKind(), tangents[0], tangents[1],
                        op.getOffsets(), /*expected=*/Value(), op.getMask(),
                        op.getOrder(), op.getScope(), op.getOrdered(),
                        op.getInBounds(), op.getDimsAttr());
  return values({Value()});
}

static Derivatives makeTranspose(AtomicRMWOp op, TransposeBuilder &b,
                                 ArrayRef<Value>) {
  SmallVector<Value> ofOperands(op->getNumOperands());
  if (b.isTangent(op.getValue()))
    ofOperands[0] = LoadOp::create(
        b, op.getType(), op.getDest(), op.getOffsets(), /*pad=*/Value(),
        op.getMask(), op.getInBounds(), op.getDimsAttr());
  return ofOperands;
}
} // namespace tile

void tile::addIndexedAccessRules(MLIRContext &context) {
  attachModels<TangentModel, AtomicRMWOp, GatherOp, ScatterOp>(context);
  attachModels<TransposeModel, AtomicRMWOp, GatherOp, ScatterOp>(context);
}
