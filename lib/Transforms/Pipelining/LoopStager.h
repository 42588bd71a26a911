// LoopStager.h - loads of a loop go through circular buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PIPELINING_LOOPSTAGER_H
#define TILE_TRANSFORMS_PIPELINING_LOOPSTAGER_H

#include "CopyNest.h"

#include "tile/IR/Gpu/TileGpu.h"

#include <utility>
#include <vector>

namespace tile {

/// The minimum number of stages with which the copies come after the matmul.
constexpr int64_t kMinStagesBehind = 3;

/// A loop whose loads go through circular buffers, and the stage of each of its
/// operations, in the order in which the steady state runs them.
struct StagedLoop {
  mlir::scf::ForOp loop;
  std::vector<std::pair<mlir::Operation *, unsigned>> schedule;
  tile_gpu::ChannelOp channel; ///< of the copies; null if there are none
};

/// Whether a matmul of the loop may stay in flight.
bool hasMatmulInFlight(mlir::scf::ForOp loop);

/// Returns the operations that make lhs of the loop's matmul in registers from
/// a marked load; the load is last. Returns none for other loops.
llvm::SmallVector<mlir::Operation *> findPreparedLhs(mlir::scf::ForOp loop);

/// Rewrites the marked loads of a loop so that they go through circular buffers
/// of `numStages` stages. Copies run ahead over the iterations of `nest`, if it
/// is given. @pre in a nest, findPreparedLhs(loop) is empty.
StagedLoop stageLoads(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                      int64_t numStages, std::optional<CopyNest> nest);

} // namespace tile

#endif // TILE_TRANSFORMS_PIPELINING_LOOPSTAGER_H
