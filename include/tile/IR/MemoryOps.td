// Memory: boxes of arrays in and out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_MEMORYOPS
#define TILE_IR_MEMORYOPS

include "tile/IR/TileOpBase.td"

def Tile_MemoryGroup : OpDocGroup {
  let summary = "Memory";
  let description = [{
    Boxes of arrays in global memory, read and written. Offsets are run-time
    values of any sign, in elements of the array.
  }];
}

let opDocGroup = Tile_MemoryGroup in {

def Tile_LoadOp : Tile_Op<"load", [
    OptionalTypesMatchWith<"pad has the tile's element type", "result", "pad",
      "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "read a box of an array";
  let description = [{
    The result is the box of `$source` that begins at `$offsets` and has the
    tile's shape. The tile's dimensions are the array's last ones; the box has
    extent one along the array's others. An element outside the array, on
    either side of any dimension, reads `$pad`, zero when absent. `in_bounds`
    promises that the whole box lies inside the array and removes the test.

    Cost: the box's bytes from global memory; 16 bytes an access where base,
    strides and offsets are proved aligned.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array, tile and pad have the same element type.

    Example: `%t = tile.load %a[%i, %j] : memref<?x?xf16> -> !tile.tile<128x64xf16>`
  }];
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead]>:$source,
    Variadic<Index>:$offsets,
    Optional<Tile_Scalar>:$pad,
    UnitAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`pad` $pad^)? (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "write a box of an array";
  let description = [{
    Writes `$value` to the box of `$dest` that begins at `$offsets`. The
    tile's dimensions are the array's last ones. Elements outside the array, on
    either side of any dimension, are dropped; `in_bounds` promises that there
    are none and removes the test.

    Cost: the box's bytes to global memory.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.

    Example: `tile.store %t, %c[%i, %j] : !tile.tile<128x128xf32>, memref<?x?xf32>`
  }];
  let arguments = (ins
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_MEMORYOPS
