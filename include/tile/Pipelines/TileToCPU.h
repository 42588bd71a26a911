// TileToCPU.h - pipeline that lowers tile programs for the host's processor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_PIPELINES_TILETOCPU_H
#define TILE_PIPELINES_TILETOCPU_H

namespace mlir {
class OpPassManager;
}

namespace tile {

/// `-tile-to-cpu`: lowers tile programs to the LLVM dialect for the host's
/// processor. A kernel NAME becomes the `llvm.func`s `NAME` and `_tile_NAME`
/// that `-convert-tile-to-cpu` describes.
void buildTileToCPU(mlir::OpPassManager &pm);

/// Lowers kernels that `-tile-canonical-form` or `-tile-decompose` has left, as
/// buildTileToCPU does.
void buildCanonicalToCPU(mlir::OpPassManager &pm);

/// Registers `-tile-to-cpu` for command lines.
void registerTileToCPU();

} // namespace tile

#endif // TILE_PIPELINES_TILETOCPU_H
