// TileToNVVM.h - the way down to the LLVM dialect for a GPU, as lists of passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_PIPELINES_TILETONVVM_H
#define TILE_PIPELINES_TILETONVVM_H

#include "tile/IR/Tile.h"

#include <memory>

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace tile {

/// Phases 1 to 8 on a module of tile programs: kernels remain, with block
/// sizes, layouts, buffers with offsets, and barriers. Phase 2 is `warpTiling`,
/// with its options; null for one without. Kernels at level `from` are taken
/// from there on.
/// @pre `from` is buffered or a level before it
void buildTilePhases(mlir::OpPassManager &pm,
                     std::unique_ptr<mlir::Pass> warpTiling = nullptr,
                     Level from = Level::source);

/// Phase 9: what buildTilePhases leaves, to the LLVM and NVVM dialects.
void buildTileLowering(mlir::OpPassManager &pm);

/// `-tile-to-nvvm`: both.
void buildTileToNVVM(mlir::OpPassManager &pm);

/// Makes `-tile-phases`, `-tile-lowering` and `-tile-to-nvvm` known to command
/// lines.
void registerTileToNVVM();

} // namespace tile

#endif // TILE_PIPELINES_TILETONVVM_H
