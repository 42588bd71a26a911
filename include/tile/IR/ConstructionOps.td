// Construction: tiles from scalars and indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_CONSTRUCTIONOPS
#define TILE_IR_CONSTRUCTIONOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ConstructionGroup : OpDocGroup {
  let summary = "Construction";
  let description = "Tiles from scalars and from indices. Constants are `arith.constant dense<...>`.";
}

let opDocGroup = Tile_ConstructionGroup in {

def Tile_FillOp : Tile_Op<"fill", [
    Tile_CostOpInterface,
    Tile_Rematerializable,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    Pure,
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
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
  }];
}

def Tile_IotaOp : Tile_Op<"iota", [
    Tile_Composite,
    Tile_Rematerializable,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    Pure, SameVariadicOperandSize,
    OptionalTypesMatchWith<"start has the tile's element type", "result",
      "start", "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">,
    OptionalTypesMatchWith<"step has the tile's element type", "result", "step",
      "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">]> {
  let summary = "tile of its own indices along an axis";
  let description = [{
    Element (i0, ..., in) of the result is `i_axis`, converted to the element
    type, or `$start + i_axis * $step`, in the arithmetic of the element type.
    With a start it is composite: arithmetic on a `tile.iota` without.

    Cost: an addition a register, two operations with a start.

    Constraints:
    - (C1) `axis` is a dimension of the tile.
    - (C2) the element type is an integer (not i1), index or floating point of
      at least 16 bits.
    - (C3) start and step have the tile's element type.

    Examples:

    ```mlir
    %t = tile.iota axis 1 : !tile.tile<4x9xi32>
    %u = tile.iota axis 0 from %x step %h : !tile.tile<100xf32>
    ```
  }];
  let arguments = (ins I64Attr:$axis, Optional<Tile_Scalar>:$start,
                       Optional<Tile_Scalar>:$step);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `axis` $axis (`from` $start^ `step` $step)? attr-dict
    `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_RandomOp : Tile_Op<"random", [Pure, Tile_Composite]> {
  let summary = "tile of random numbers";
  let description = [{
    Element n in row-major order depends only on `$seed` and `$counter + n`: it
    is made of the four words w0 to w3 of 32 bits that Philox4x32-10 (Salmon,
    Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011) has
    for the key (low, high half of the seed) and the counter (low, high half of
    `$counter + n`, 0, 0).

    | distribution | element | element types |
    | --- | --- | --- |
    | `bits` | the low bits of w0, of 64 bits w1 and w0 | i8, i16, i32, i64 |
    | `uniform` | the high m bits of w0 over 2^m, where m is the width of the mantissa: from 0 to less than 1; f64: of w1 and w0 | f16, bf16, f32, f64 |
    | `normal` | sqrt(-2 ln (1 - u)) cos(2 pi v), in f32 at least, where u and v are uniform numbers of w0 and of w1, in f64 of (w1, w0) and (w3, w2) (Box, Muller, 1958) | f16, bf16, f32, f64 |

    Bits and uniform elements are the same on every machine; normal ones differ
    as ln and cos do. Programs that use counters from different ranges get
    independent elements. Composite: arithmetic on a `tile.iota`.

    Cost: 20 multiplications of 32 by 32 bits an element, and some 60 other
    operations.

    Constraints:
    - (C1) the element type is one of the distribution.

    Example: `%t = tile.random uniform %seed, %counter : !tile.tile<64x64xf32>`
  }];
  let arguments = (ins Tile_DistributionAttr:$distribution, I64:$seed,
                       I64:$counter);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $distribution $seed `,` $counter attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_CONSTRUCTIONOPS
