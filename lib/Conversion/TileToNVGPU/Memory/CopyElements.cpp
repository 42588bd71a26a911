// CopyElements.cpp - copies to shared memory through registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies element by element if a copy by words (AccessPlans.h) is not possible:
// the array's contiguous dimension is not that of the buffer, its rows are not
// a multiple of a word, or its elements do not have whole bytes. Padding of the
// buffer is set to zero even if the array has elements there.

#include "../RegisterTiles.h"
#include "CopyBox.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Maximum number of elements that a thread copies in unrolled code; more are
/// copied by a loop, so that the code stays short. The second limit is for
/// guarded elements, at an array's edges. Their copies are memory-bound, so few
/// at a time suffice.
static constexpr int64_t kMaxUnrolled = 8;
static constexpr int64_t kMaxUnrolledGuarded = 4;

namespace {

class ElementCopy {
public:
  explicit ElementCopy(CopyBox &box)
      : box(box), index(box.index), coordinates(index, box.plan.layout) {}

  void emit();

private:
  Value isInside(ArrayRef<Value> at, ArrayRef<Value> own, bool isGuarded);
  void emitElement(ThreadCoordinates &coordinates, int64_t value,
                   bool isGuarded);
  void emitElements(bool isGuarded);

  CopyBox &box;
  IndexBuilder &index;
  ThreadCoordinates coordinates;
};

} // namespace

/// Whether an element, at `at` in the array and `own` in the box, is inside the
/// tile and, if the copy is guarded, inside the array; null for always.
Value ElementCopy::isInside(ArrayRef<Value> at, ArrayRef<Value> own,
                            bool isGuarded) {
  Value inside;
  for (auto [dim, size] : llvm::enumerate(box.sizes)) {
    if (!isGuarded)
      break;
    inside = index.both(inside, index.atMost(index.constant(0), at[dim]));
    inside = index.both(inside, index.less(at[dim], size));
  }
  for (auto [dim, extent] : llvm::enumerate(box.getTileShape()))
    if (box.address.getBox()[dim] > extent)
      inside = index.both(inside, index.less(own[dim], index.constant(extent)));
  return inside;
}

/// Copies one element through a register; zero if it is not inside.
void ElementCopy::emitElement(ThreadCoordinates &coordinates, int64_t value,
                              bool isGuarded) {
  OpBuilder &builder = index.builder;
  Location loc = index.loc;
  OpBuilder::InsertionGuard guard(builder);
  // The plan may have elements outside the box.
  index.enterIf(coordinates.isInside(value, box.address.getBox()));
  SmallVector<Value> at(box.offsets), own;
  for (int64_t dim = 0; dim < box.getRank(); ++dim) {
    own.push_back(index.add(coordinates.get(value, dim), 0));
    at[box.leading + dim] = index.add(at[box.leading + dim], own[dim]);
  }
  Value element = box.address.getElement(coordinates, value);
  Value loaded;
  if (Value inside = isInside(at, own, isGuarded)) {
    auto branch =
        scf::IfOp::create(builder, loc, TypeRange(box.getElementType()), inside,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value read = memref::LoadOp::create(builder, loc, box.array, at);
    scf::YieldOp::create(builder, loc, read);
    builder.setInsertionPointToStart(branch.elseBlock());
    Value zero = createZero(builder, loc, box.getElementType());
    scf::YieldOp::create(builder, loc, zero);
    loaded = branch.getResult(0);
  } else {
    loaded = memref::LoadOp::create(builder, loc, box.array, at);
  }
  memref::StoreOp::create(builder, loc, loaded, box.address.getMemory(),
                          element);
}

void ElementCopy::emitElements(bool isGuarded) {
  box.forValues(box.plan, box.address, coordinates,
                isGuarded ? kMaxUnrolledGuarded : kMaxUnrolled,
                [&](ThreadCoordinates &moved, ArrayRef<int64_t> values,
                    const CopyBox::Move &) {
                  for (int64_t value : values)
                    emitElement(moved, value, isGuarded);
                });
}

void ElementCopy::emit() {
  // Values that all branches use are computed before the branches.
  box.address.getElement(coordinates, 0);
  // Threads that have the same elements would all copy them.
  OpBuilder::InsertionGuard whole(index.builder);
  index.enterIf(index.both(box.condition, coordinates.isOwner()));
  if (AccessGuard guard = box.access.getGuard(); guard != AccessGuard::box)
    return emitElements(/*isGuarded=*/guard == AccessGuard::element);
  auto branch = scf::IfOp::create(index.builder, index.loc, box.isBoxInside(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(index.builder);
  index.builder.setInsertionPointToStart(branch.thenBlock());
  emitElements(/*isGuarded=*/false);
  index.builder.setInsertionPointToStart(branch.elseBlock());
  emitElements(/*isGuarded=*/true);
}

void tile::copyElements(CopyBox &box) { ElementCopy(box).emit(); }
