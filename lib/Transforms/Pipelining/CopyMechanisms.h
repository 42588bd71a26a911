// CopyMechanisms.h - choice of the mechanism that copies a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_COPYMECHANISMS_H
#define TILE_TRANSFORMS_COPYMECHANISMS_H

#include "tile/IR/Gpu/TileGpu.h"

namespace tile {

/// Returns the mechanism that copies the tile of a load to shared memory.
/// @pre the load fills shared memory (getStagedTile), with a layout.
tile_gpu::CopyMechanismAttrInterface
chooseCopyMechanism(CopyableOpInterface load);

/// Returns the bytes of the buffer that the chosen copy of a load needs besides
/// the tile's.
int64_t getExtraBytes(CopyableOpInterface load);

/// Returns what `mechanism` expects of a load that it cannot copy; an empty
/// text if it can.
llvm::StringRef whyNotCopied(tile_gpu::CopyMechanismAttrInterface mechanism,
                             CopyableOpInterface load);

} // namespace tile

#endif // TILE_TRANSFORMS_COPYMECHANISMS_H
