// Construction: tiles from scalars and indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_CONSTRUCTIONOPS
#define TILE_IR_CONSTRUCTIONOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ConstructionGroup : OpDocGroup {
  let summary = "Construction";
  let description = [{
    Tiles of scalars, of indices and of random elements. A constant tile is an
    `arith.constant dense<...>`.
  }];
}

let opDocGroup = Tile_ConstructionGroup in {

def Tile_FillOp : Tile_Op<"fill", [
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    Tile_CostOpInterface,
    Tile_Rematerializable,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    Pure,
    TypesMatchWith<"value has the tile's element type", "result", "value",
      "::llvm::cast<::tile::TileType>($_self).getElementType()">]> {
  let summary = "tile of one value";
  let description = [{
    Every element of the result is `$value`.

    Cost: a move for each register of the result.

    Constraints:
    - (C1) `$value` has the result's element type.

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
    Element (i0, ..., in) of the result is `i_axis`, converted to the element type,
    or, with `from` and `step`, `$start + i_axis * $step`, computed in the element
    type. In the latter form the operation is composite: a `tile.iota` without a
    start, a multiplication and an addition.

    Cost: an addition for each element, and with a start two more operations.

    Constraints:
    - (C1) `axis` is a dimension of the result.
    - (C2) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64.
    - (C3) `$start` and `$step` have the result's element type.

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
    Element n, in row-major order, depends only on `$seed` and `$counter + n`. It is
    computed from four words of 32 bits, w0 to w3, the result of Philox4x32-10
    (Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).
    The generator's key is the seed (low half, high half), its counter (low half of
    `$counter + n`, high half, 0, 0). (w1, w0) is the word of 64 bits whose high half
    is w1.

    | distribution | element | element types |
    | --- | --- | --- |
    | `bits` | the low bits of w0; (w1, w0) for i64 | i8, i16, i32, i64 |
    | `uniform` | the high p bits of w0, or of (w1, w0) for f64, divided by 2^p, where p is the precision of the type (f16: 11, bf16: 8, f32: 24, f64: 53); at least 0 and less than 1 | f16, bf16, f32, f64 |
    | `normal` | sqrt(-2 ln (1 - u)) cos(2 pi v), computed in f32 from the `uniform` elements u of w0 and v of w1, and rounded to the type; for f64 in f64, from u of (w1, w0) and v of (w3, w2) (Box, Muller, 1958) | f16, bf16, f32, f64 |

    Elements of `bits` and `uniform` are the same on every machine; elements of
    `normal` depend on the machine's ln and cos. Tiles of the same seed whose ranges
    of counters do not overlap have independent elements. The operation is composite:
    arithmetic on a `tile.iota`.

    Cost: for each element, 20 multiplications of 32 by 32 bits and about 60 other
    operations.

    Constraints:
    - (C1) the element type is one that the table has for the distribution.

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
