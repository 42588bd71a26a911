// The base class of the operations of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEOPBASE
#define TILE_IR_TILEOPBASE

include "tile/IR/TileTypes.td"
include "tile/IR/CooperativeOpInterface.td"
include "tile/IR/TileInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

/// The trait of a composite operation, whose decomposition is in lib/Algorithms.
defvar Tile_Composite = Tile_Promises<Tile_DecomposeOpInterface>;

#endif // TILE_IR_TILEOPBASE
