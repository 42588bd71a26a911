// EliminationLayouts.cpp - layouts, buffers and cost of eliminations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "EliminationLayout.h"
#include "MatrixThreads.h"

#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Returns the layout of `tile`; a status is in all lanes of its matrix.
static RegisterLayout getLayout(const Elimination &elimination, TileType matrix,
                                Value tile, Value status, int64_t numWarps) {
  if (tile != status)
    return elimination.getLayout(cast<TileType>(tile.getType()), numWarps);
  return getLayoutOfScalars(elimination.getLayout(matrix, numWarps));
}

static TileType getMatrix(LuOp op) { return op.getSource().getType(); }
static TileType getMatrix(SolveOp op) { return op.getMatrix().getType(); }
static TileType getMatrix(InverseOp op) { return op.getSource().getType(); }

namespace {
template <typename Op>
struct EliminationLayouts
    : LayoutOpInterface::ExternalModel<EliminationLayouts<Op>, Op> {
  /// An element of the permutation is in the lane of its row.
  std::optional<RegisterLayout>
  getRequiredLayout(Operation *operation, Value tile, int64_t numWarps) const {
    auto op = cast<Op>(operation);
    TileType matrix = getMatrix(op);
    if constexpr (std::is_same_v<Op, LuOp>)
      if (tile == op.getPermutation())
        return Elimination(op)
            .getLayout(matrix, numWarps)
            .dropDimension(matrix.getRank() - 1);
    return getLayout(Elimination(op), matrix, tile, op.getStatus(), numWarps);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {
template <typename Op>
struct EliminationBuffers
    : BufferizeOpInterface::ExternalModel<EliminationBuffers<Op>, Op> {
  void bufferize(Operation *operation, Bufferizer &bufferizer) const {
    auto op = cast<Op>(operation);
    addScratch(bufferizer, op,
               Elimination(op).getScratchType(getParticipants(op).numWarps));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

namespace {
template <typename Op>
struct EliminationCost
    : CostOpInterface::ExternalModel<EliminationCost<Op>, Op> {
  /// Counts, for each step, the search for a pivot, the distribution of its
  /// row, and a multiply-add for each element, or two in solutions
  /// and inverses. A loop's body, as for matrices of many rows, counts once,
  /// since this is the emitted code.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 60;
    constexpr int64_t kElement = std::is_same_v<Op, LuOp> ? 1 : 2;
    int64_t order = getMatrix(cast<Op>(op)).getShape().back();
    int64_t steps = llvm::divideCeil(order, order > 64 ? 4 : 1);
    return steps * (kStep + kElement * elements);
  }
};
} // namespace

template <typename Op>
static void attachElimination(MLIRContext &context) {
  Op::template attachInterface<EliminationLayouts<Op>, EliminationBuffers<Op>,
                               EliminationCost<Op>>(context);
}

void tile::addEliminations(MLIRContext &context) {
  attachElimination<LuOp>(context);
  attachElimination<SolveOp>(context);
  attachElimination<InverseOp>(context);
}
