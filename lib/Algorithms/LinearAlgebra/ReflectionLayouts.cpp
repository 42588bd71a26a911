// ReflectionLayouts.cpp - layouts, buffers and cost of reflections
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "MatrixThreads.h"
#include "ReflectionLayout.h"

#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static TileType getReflections(HouseholderOp op) {
  return op.getSource().getType();
}
static TileType getReflections(ApplyHouseholderOp op) {
  return op.getReflections().getType();
}

namespace {
template <typename Op>
struct ReflectionLayouts
    : LayoutOpInterface::ExternalModel<ReflectionLayouts<Op>, Op> {
  /// The scale of a reflection is in all lanes of the reflection's column.
  std::optional<RegisterLayout>
  getRequiredLayout(Operation *operation, Value tile, int64_t numWarps) const {
    auto op = cast<Op>(operation);
    TileType reflections = getReflections(op);
    ReflectionLayout layout(reflections);
    if (tile != op.getScales())
      return layout.getLayout(cast<TileType>(tile.getType()), numWarps);
    return layout.getLayout(reflections, numWarps)
        .dropDimension(reflections.getRank() - 2);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {
template <typename Op>
struct ReflectionBuffers
    : BufferizeOpInterface::ExternalModel<ReflectionBuffers<Op>, Op> {
  void bufferize(Operation *operation, Bufferizer &bufferizer) const {
    auto op = cast<Op>(operation);
    addScratch(bufferizer, op,
               ReflectionLayout(getReflections(op))
                   .getScratchType(getParticipants(op).numWarps));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Counts the steps in the emitted code. For 17 to 128 rows, steps are in loops
/// of at least four iterations, whose bodies count once.
static int64_t countEmittedSteps(TileType reflections) {
  int64_t rows = reflections.getShape().drop_back().back();
  int64_t steps = rows > 16 && rows <= 128 ? 4 : 1;
  return llvm::divideCeil(reflections.getShape().back(), steps);
}

namespace {
struct HouseholderCost
    : CostOpInterface::ExternalModel<HouseholderCost, HouseholderOp> {
  /// Counts, for each step, a norm, a root and a division and, for each
  /// remaining element, two multiplications and a part of a sum or a shuffle.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 120, kElement = 4;
    return countEmittedSteps(getReflections(cast<HouseholderOp>(op))) *
           (kStep + kElement * elements / 2);
  }
};

struct ApplyHouseholderCost
    : CostOpInterface::ExternalModel<ApplyHouseholderCost, ApplyHouseholderOp> {
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 20, kElement = 2;
    return countEmittedSteps(getReflections(cast<ApplyHouseholderOp>(op))) *
           (kStep + kElement * elements);
  }
};
} // namespace

void tile::addReflections(MLIRContext &context) {
  HouseholderOp::attachInterface<ReflectionLayouts<HouseholderOp>,
                                 ReflectionBuffers<HouseholderOp>,
                                 HouseholderCost>(context);
  ApplyHouseholderOp::attachInterface<ReflectionLayouts<ApplyHouseholderOp>,
                                      ReflectionBuffers<ApplyHouseholderOp>,
                                      ApplyHouseholderCost>(context);
}
