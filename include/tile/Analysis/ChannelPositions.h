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
// %put is always three fills ahead of %get. Each channel has a frame, which
// advances by one fill in each iteration of this loop. Relative to the frame,
// %put is at position 3 and %get at position 0 in all iterations, and a fill
// that was at position 3 in one iteration is at position 2 in the next. A loop
// around this one that carries the counters does not advance the frame itself.

#ifndef TILE_ANALYSIS_CHANNELPOSITIONS_H
#define TILE_ANALYSIS_CHANNELPOSITIONS_H

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace tile {

/// Verifies that the commits and waits of a kernel name their channels, so that
/// no loop or branch chooses the channel.
mlir::LogicalResult verifyChannels(KernelOp kernel);

/// Returns the channel of a commit or wait.
/// @pre verifyChannels
template <typename OpTy>
tile_gpu::ChannelOp getChannelOf(OpTy op) {
  return op.getChannel().template getDefiningOp<tile_gpu::ChannelOp>();
}

/// The positions of the counters of a kernel's channels. They are known for a
/// channel if its counters are carried by scf.for, all loops that carry them
/// advance all of them equally, and constants are used only before the first of
/// these loops that advances.
class ChannelPositions {
public:
  explicit ChannelPositions(KernelOp kernel);

  /// Returns the channel to which a buffer belongs; null if there is none, or
  /// more than one.
  tile_gpu::ChannelOp getChannel(mlir::Value buffer) const;

  /// Whether the positions of the channel's counters are known.
  bool isKnown(tile_gpu::ChannelOp channel) const {
    return known.contains(channel);
  }

  /// Returns the position of the stage of which a buffer is a view; none if it
  /// is not known, or the buffer consists of several stages.
  std::optional<int64_t> getPosition(mlir::Value buffer) const;

  /// Returns the position of a counter relative to the channel's frame, modulo
  /// the number of stages; none if it is not known.
  std::optional<int64_t> getPosition(tile_gpu::ChannelOp channel,
                                     mlir::Value counter) const;

  /// Returns the position at the start of the next iteration of `loop` of what
  /// is at `position` at the end of an iteration.
  int64_t getNextPosition(tile_gpu::ChannelOp channel, int64_t position,
                          mlir::scf::ForOp loop) const;

private:
  /// The loops that carry the counters of a channel, and the fills by which an
  /// iteration of each advances them.
  using Advances = llvm::MapVector<mlir::scf::ForOp, int64_t>;

  class Tracer;
  std::optional<int64_t> getOffset(mlir::Value counter) const;

  llvm::DenseMap<mlir::Value, tile_gpu::ChannelOp> channels; ///< by allocation
  /// The channels whose positions are known.
  llvm::DenseMap<tile_gpu::ChannelOp, Advances> known;
};

} // namespace tile

#endif // TILE_ANALYSIS_CHANNELPOSITIONS_H
