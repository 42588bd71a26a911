// TileToNVVM.h - the way down to the LLVM dialect for a GPU, as lists of passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_PIPELINES_TILETONVVM_H
#define TILE_PIPELINES_TILETONVVM_H

namespace mlir {
class OpPassManager;
}

namespace tile {

/// Phases 1 to 8 on a module of tile programs: kernels remain, with block
/// sizes, layouts, buffers with offsets, and barriers.
void buildTilePhases(mlir::OpPassManager &pm);

/// Phase 9: what buildTilePhases leaves, to the LLVM and NVVM dialects.
void buildTileLowering(mlir::OpPassManager &pm);

/// `-tile-to-nvvm`: both.
void buildTileToNVVM(mlir::OpPassManager &pm);

/// Makes `-tile-phases`, `-tile-lowering` and `-tile-to-nvvm` known to command
/// lines.
void registerTileToNVVM();

} // namespace tile

#endif // TILE_PIPELINES_TILETONVVM_H
