// Shape.cpp - views, insertions, joins and other rearrangements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// Evaluates operations that only rearrange elements of the source.
void Interpreter::rearrange(Operation *op) {
  const Elements source = get(op->getOperand(0));
  ArrayRef<int64_t> from = getShape(op->getOperand(0));
  Elements result;
  size_t next = 0;
  forEach(getShape(op->getResult(0)), [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at(from.size(), 0);
    if (isa<ReshapeOp>(op)) {
      result.push_back(source[next++]);
      return;
    }
    if (auto view = dyn_cast<ViewOp>(op)) {
      size_t leading = from.size() - coordinate.size();
      for (auto [dim, offset] :
           llvm::enumerate(getIndices(view.getOffsets()))) {
        int64_t own = dim < leading ? 0 : coordinate[dim - leading];
        at[dim] =
            offset + (view.getSteps() ? (*view.getSteps())[dim] : 1) * own;
      }
    }
    if (auto transpose = dyn_cast<TransposeOp>(op))
      for (auto [dim, of] : llvm::enumerate(transpose.getPermutation()))
        at[of] = coordinate[dim];
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      std::optional<ArrayRef<int64_t>> dims = broadcast.getDims();
      for (size_t dim = 0; dim < from.size(); ++dim)
        at[dim] =
            from[dim] == 1
                ? 0
                : coordinate[dims ? (*dims)[dim]
                                  : coordinate.size() - from.size() + dim];
    }
    bool isInside = llvm::all_of(llvm::zip(at, from), [](auto pair) {
      return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair);
    });
    result.push_back(isInside ? source[getRowMajorIndex(from, at)]
                              : Element::unknown());
  });
  set(op->getResult(0), std::move(result));
}

/// Writes the tile `part` into a box of the tile `whole`.
static void insertBox(MutableArrayRef<Element> whole, ArrayRef<int64_t> shape,
                      ArrayRef<Element> part, ArrayRef<int64_t> box,
                      ArrayRef<int64_t> offsets) {
  size_t next = 0;
  forEach(box, [&](ArrayRef<int64_t> coordinate) {
    whole[getRowMajorIndex(shape, shiftCoordinate(offsets, coordinate))] =
        part[next++];
  });
}

void Interpreter::insert(InsertOp op) {
  Elements result = get(op.getDest());
  // A scalar part is a box with extents of one.
  SmallVector<int64_t> box(getShape(op.getPart()));
  box.resize(getShape(op.getDest()).size(), 1);
  insertBox(result, getShape(op.getDest()), get(op.getPart()), box,
            getIndices(op.getOffsets()));
  set(op.getResult(), std::move(result));
}

void Interpreter::join(JoinOp op) {
  ArrayRef<int64_t> shape = getShape(op.getResult());
  Elements result(op.getType().getNumElements());
  SmallVector<int64_t> offsets(shape.size(), 0);
  for (Value part : op.getParts()) {
    insertBox(result, shape, get(part), getShape(part), offsets);
    offsets[op.getAxis()] += getShape(part)[op.getAxis()];
  }
  set(op.getResult(), std::move(result));
}

void Interpreter::extract(ExtractOp op) {
  SmallVector<int64_t> at = getIndices(op.getIndices());
  Element element =
      get(op.getSource())[getRowMajorIndex(getShape(op.getSource()), at)];
  set(op.getResult(), {element});
}
