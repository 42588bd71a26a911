// Shape: parts and rearrangements of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAPEOPS
#define TILE_IR_SHAPEOPS

include "tile/IR/TileOpBase.td"

def Tile_ShapeGroup : OpDocGroup {
  let summary = "Shape";
  let description = "Parts and rearrangements of a tile. None computes anything.";
}

let opDocGroup = Tile_ShapeGroup in {

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "box of a tile";
  let description = [{
    The box of `$source` that begins at `$offsets` and has the result's shape.
    Offsets are run-time values. An offset that takes the box outside the
    source is undefined behaviour.

    Cost: none when the source is in shared memory, where the box is an alias;
    one trip through shared memory otherwise.

    Constraints:
    - (C1) one offset for each dimension of the source.
    - (C2) source and result have the same rank and element type.
    - (C3) no extent of the result exceeds the source's, and a box at constant
      offsets lies inside the source.

    Example: `%v = tile.view %t[%i, %j] : !tile.tile<64x64xf32> to !tile.tile<16x32xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$offsets);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "permute the dimensions of a tile";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the source.
    Cost: none, the elements stay where they are.

    Constraints:
    - (C1) the permutation has each dimension of the source once.
    - (C2) the result's extents are the source's, permuted; same element type.

    Example: `%u = tile.transpose %t [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xf32>`
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat a tile along dimensions of extent one";
  let description = [{
    The source's dimensions are the result's last ones. Where the source has
    extent one, or no dimension, its elements are repeated.
    Cost: none, or one change of layout of the source.

    Constraints:
    - (C1) the source's rank is at most the result's.
    - (C2) each extent of the source is one or the result's; same element type.

    Example: `%u = tile.broadcast %t : !tile.tile<1x64xf32> to !tile.tile<32x64xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "same elements in row-major order, another shape";
  let description = [{
    The element of row-major index `n` of the result is that of the source.
    Cost: none where the layouts agree, else one change of layout.

    Constraints:
    - (C1) as many elements; same element type.

    Example: `%u = tile.reshape %t : !tile.tile<32xf32> to !tile.tile<32x1xf32>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

} // opDocGroup

#endif // TILE_IR_SHAPEOPS
