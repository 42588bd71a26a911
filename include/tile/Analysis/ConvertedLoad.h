// ConvertedLoad.h - loaded tiles that are converted on their way to memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that elementwise operations compute from one loaded tile can be
// computed in registers, on its way from the array to shared memory, an
// iteration before it is read:
//
//   %i = tile.load %B[%k, %n]                             registers
//   %f = tile.cast %i : i8 to f16                         registers
//   %s = tile.broadcast %scale                            registers
//   %b = arith.mulf %f, %s                                registers
//   %y = tile.convert_layout %b                           shared
//   %d = tile.matmul %a, %y, %c

#ifndef TILE_ANALYSIS_CONVERTEDLOAD_H
#define TILE_ANALYSIS_CONVERTEDLOAD_H

#include "tile/IR/Tile.h"

namespace tile {

/// A load, and the operations of its block that compute a tile from it.
struct ConvertedLoad {
  CopyableOpInterface load;
  /// Loads of tiles that are repeated and combined with the loaded tile, such
  /// as scales.
  llvm::SmallVector<CopyableOpInterface> repeated;
  /// The operations in program order, without the loads: on tiles, and on the
  /// scalars that these use.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Returns the load from which elementwise operations compute `tile`, in the
/// load's block. Other values that they use are computed from values of outside
/// the block and from the induction variable, by operations without effects or
/// undefined behaviour, or are loaded in the block and broadcast. The loaded
/// tiles, and those computed from the load's, have no other use, and the loads
/// have neither masks nor pad values. Returns nothing if there is no such load.
std::optional<ConvertedLoad> findConvertedLoad(mlir::Value tile);

/// Returns the conversion that stores to shared memory what elementwise
/// operations compute from a loaded tile (findConvertedLoad); null if the load
/// is used in another way.
ConvertLayoutOp getStoredCopy(CopyableOpInterface load);

/// Returns the converted load of which `tile`, in shared memory, is the stored
/// copy (getStoredCopy); nothing if it is no such copy.
std::optional<ConvertedLoad> findStoredLoad(mlir::Value tile);

} // namespace tile

#endif // TILE_ANALYSIS_CONVERTEDLOAD_H
