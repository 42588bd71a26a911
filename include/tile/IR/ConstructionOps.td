// Construction: tiles from scalars and indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_CONSTRUCTIONOPS
#define TILE_IR_CONSTRUCTIONOPS

include "tile/IR/TileOpBase.td"

def Tile_ConstructionGroup : OpDocGroup {
  let summary = "Construction";
  let description = "Tiles from scalars and from indices. Constants are `arith.constant dense<...>`.";
}

let opDocGroup = Tile_ConstructionGroup in {

def Tile_FillOp : Tile_Op<"fill", [Pure,
    TypesMatchWith<"value has the tile's element type", "result", "value",
      "::llvm::cast<::tile::TileType>($_self).getElementType()">]> {
  let summary = "tile of one value";
  let description = [{
    Every element of the result is `$value`. Cost: a move a register.

    Constraints:
    - (C1) the value has the tile's element type.

    Example: `%t = tile.fill %x : !tile.tile<16x16xf32>`
  }];
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "tile of its own indices along an axis";
  let description = [{
    Element (i0, ..., in) of the result is `i_axis`, converted to the element
    type. Cost: an addition a register.

    Constraints:
    - (C1) `axis` is a dimension of the tile.
    - (C2) the element type is an integer (not i1), index or floating point of
      at least 16 bits.

    Example: `%t = tile.iota axis 1 : !tile.tile<4x9xi32>`
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "`axis` $axis attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_CONSTRUCTIONOPS
