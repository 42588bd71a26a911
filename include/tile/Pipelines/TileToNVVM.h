// TileToNVVM.h - pipelines from tile programs to the LLVM dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_PIPELINES_TILETONVVM_H
#define TILE_PIPELINES_TILETONVVM_H

#include "tile/IR/Tile.h"
#include "tile/Transforms/TilingOptions.h"

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
}

namespace tile {

/// Options of `-tile-phases`. Members are set like variables; tools read them
/// from text, "arch=sm_90a tiling={warps=2,4 stages=3}".
struct TilePhasesOptions : mlir::PassPipelineOptions<TilePhasesOptions> {
  Option<std::string> arch{
      *this, "arch",
      llvm::cl::desc("the architecture to compile for, such as sm_90a; without "
                     "it the module's tile.target, without that sm_80")};
  Option<WarpTilingOptions> tiling{
      *this, "tiling",
      llvm::cl::desc("options of -tile-warp-tiling in braces, for what a "
                     "product's own tiling leaves open")};
};

/// Options of `-tile-lowering`. The architecture is that of the module by then.
struct TileLoweringOptions : mlir::PassPipelineOptions<TileLoweringOptions> {
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("assert that run-time coordinates in tiles are inside "
                     "(-tile-check-bounds)"),
      llvm::cl::init(false)};
  /// The old name of `check-bounds`, until version 0.4.
  Option<bool> checkPlaces{
      *this, "check-places",
      llvm::cl::desc("old name of check-bounds, until version 0.4"),
      llvm::cl::callback([this](const bool &value) { checkBounds = value; })};
};

/// Options of `-tile-to-nvvm`: those of both pipelines. May be copied.
struct TileToNVVMOptions : TilePhasesOptions,
                           TileLoweringOptions,
                           mlir::PassPipelineOptions<TileToNVVMOptions> {
  using mlir::PassPipelineOptions<TileToNVVMOptions>::createFromString;

  TileToNVVMOptions() = default;
  TileToNVVMOptions(const TileToNVVMOptions &other)
      : mlir::detail::PassOptions() {
    copyOptionValuesFrom(other);
  }
  TileToNVVMOptions &operator=(const TileToNVVMOptions &other) {
    copyOptionValuesFrom(other);
    return *this;
  }
};

/// Runs phases 1 to 8 on a module of tile programs. Afterwards the module has
/// kernels with block sizes, layouts, buffers with offsets, and barriers.
/// Kernels at level `from` start at that level.
/// @pre `from` is buffered or a level before it
void buildTilePhases(mlir::OpPassManager &pm,
                     const TilePhasesOptions &options = {},
                     Level from = Level::source);

/// Runs phase 1, after which the module has the variants of its kernels.
/// @pre `from` is source or decomposed
void buildTileVariants(mlir::OpPassManager &pm,
                       const TilePhasesOptions &options = {},
                       Level from = Level::source);

/// Runs the phases after buildTileVariants until the decisions of phase 5.
/// Afterwards the plan of each kernel is known: its block, the instructions and
/// warps of matmuls, layouts, and the stages of loops.
void buildTilePlans(mlir::OpPassManager &pm,
                    const TilePhasesOptions &options = {});

/// Phase 9: lowers the output of buildTilePhases to the LLVM and NVVM dialects.
void buildTileLowering(mlir::OpPassManager &pm,
                       const TileLoweringOptions &options = {});

/// `-tile-to-nvvm`: buildTilePhases and buildTileLowering.
void buildTileToNVVM(mlir::OpPassManager &pm,
                     const TileToNVVMOptions &options = {});

/// Registers `-tile-phases`, `-tile-lowering` and `-tile-to-nvvm` for command
/// lines.
void registerTileToNVVM();

} // namespace tile

#endif // TILE_PIPELINES_TILETONVVM_H
