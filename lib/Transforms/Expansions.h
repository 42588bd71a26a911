// Expansions.h - operations that are others put together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -tile-canonical-form calls these; each replaces the operation that it is
// given.

#ifndef TILE_TRANSFORMS_EXPANSIONS_H
#define TILE_TRANSFORMS_EXPANSIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// tile.arg_reduce: a reduction of pairs of elements and places.
void expandArgReduce(ArgReduceOp op);
/// tile.extract: a view of one element, of rank 0.
void expandExtract(ExtractOp op);
/// tile.histogram: ones put into zeros.
void expandHistogram(HistogramOp op);
/// tile.iota from a start: arithmetic on one without.
void expandIota(IotaOp op);
/// A tile.load or tile.store with a mask: a tile.gather or tile.scatter.
void expandMaskedLoad(LoadOp op);
void expandMaskedStore(StoreOp op);
/// A tile.atomic_rmw in the order of blocks: one behind a wait. Fails at one in
/// a loop or branch.
llvm::LogicalResult expandOrdered(AtomicRMWOp op);
/// tile.pop: a tile.take where a tile.scan of the mask says.
void expandPop(PopOp op);
/// tile.push: a tile.put where a tile.scan of the mask says.
void expandPush(PushOp op);
/// tile.random: Philox4x32-10 on tiles.
void expandRandom(RandomOp op);
/// tile.top_k: views of a tile.sort.
void expandTopK(TopKOp op);
/// A tile.view of other steps than one, or of another rank: a tile.take a step,
/// a tile.reshape.
void expandView(ViewOp op);

} // namespace tile

#endif // TILE_TRANSFORMS_EXPANSIONS_H
