// ChannelPositions.h - the positions of counters relative to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counters of a channel (tile_gpu.counter) are known only relative to each
// other: in the loop
//
//   scf.for ... iter_args(%put = 3, %get = 0) {
//     tile_gpu.wait %channel[%get]
//     ...
//     tile_gpu.commit %channel[%put]
//     scf.yield next(%put), next(%get)
//   }
//
// %put is always three fills ahead of %get. Positions are relative to a fill
// that changes with the program's progress, the channel's base: at first it is
// fill 0, and each iteration of this loop moves it to the next fill. So %put is
// at position 3 and %get at position 0 in all iterations, and a fill that was
// at position 3 in one iteration is at position 2 in the next. A loop around
// this one may carry the counters as well; if it yields the results of this
// loop, its own iterations do not move the base further.

#ifndef TILE_ANALYSIS_CHANNELPOSITIONS_H
#define TILE_ANALYSIS_CHANNELPOSITIONS_H

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace tile {

/// Verifies what analyses of a kernel's channels rely on: control flow is
/// structured; only drains and operations on fills use a channel; its buffers
/// are allocations, which belong to no other channel and are only accessed, in
/// themselves or as views; stages are of allocations.
mlir::LogicalResult verifyChannels(KernelOp kernel);

/// Returns the channel of a drain or of an operation on a fill.
/// @pre verifyChannels
template <typename OpTy>
tile_gpu::ChannelOp getChannelOf(OpTy op) {
  return op.getChannel().template getDefiningOp<tile_gpu::ChannelOp>();
}

/// Returns the number of stages of a channel.
int64_t getNumStages(tile_gpu::ChannelOp channel);

/// The positions of the counters of a kernel's channels. They are known for a
/// channel if scf.for carries its counters, all loops that carry them advance
/// all of them equally, and no counter is used after a loop has moved the base,
/// unless that loop carries it.
class ChannelPositions {
public:
  /// @pre verifyChannels
  explicit ChannelPositions(KernelOp kernel);

  /// Returns the channel to which a buffer belongs; null if there is none.
  tile_gpu::ChannelOp getChannel(mlir::Value buffer) const;

  /// Whether the positions of the channel's counters are known.
  bool isKnown(tile_gpu::ChannelOp channel) const {
    return advances.contains(channel);
  }
  /// Returns the use of a counter because of which the positions of the
  /// channel's counters are not known.
  mlir::Operation *getUnknownUse(tile_gpu::ChannelOp channel) const {
    return unknownUses.lookup(channel);
  }

  /// Returns the position of a counter; none if it is not known.
  std::optional<int64_t> getPosition(tile_gpu::ChannelOp channel,
                                     mlir::Value counter) const;
  /// Returns the position of the stage that a buffer is a view of, and zero for
  /// a buffer without stages; none if the position is not known.
  std::optional<int64_t> getPosition(mlir::Value buffer) const;

  /// Returns the fills by which an iteration of `loop` moves the base.
  int64_t getAdvance(tile_gpu::ChannelOp channel, mlir::scf::ForOp loop) const;

private:
  /// The loops that carry the counters of a channel, and the fills by which an
  /// iteration of each moves the base.
  using Advances = llvm::MapVector<mlir::scf::ForOp, int64_t>;

  class Tracer;
  std::optional<int64_t> getOffset(mlir::Value counter) const;
  std::optional<int64_t> computeOffset(mlir::Value counter) const;

  llvm::DenseMap<mlir::Value, tile_gpu::ChannelOp> channels; ///< by allocation
  /// The channels whose positions are known.
  llvm::DenseMap<tile_gpu::ChannelOp, Advances> advances;
  llvm::DenseMap<tile_gpu::ChannelOp, mlir::Operation *> unknownUses;
  mutable llvm::DenseMap<mlir::Value, std::optional<int64_t>> offsets;
};

} // namespace tile

#endif // TILE_ANALYSIS_CHANNELPOSITIONS_H
