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

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    AllTypesMatch<["value", "result"]>,
    OptionalTypesMatchWith<"expected has the value's type", "value", "expected",
      "$_self", "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "update each element of a box of an array atomically";
  let description = [{
    For each element x of the box of `$dest` that begins at `$offsets`, and the
    element v of `$value` at its place, x becomes at once

    | kind | x becomes | element types |
    | --- | --- | --- |
    | `add` | x + v | integers modulo 2^n, floating point |
    | `min`, `max` | the signed smaller, larger one; NaN if one is NaN | integers, floating point |
    | `umin`, `umax` | the unsigned smaller, larger one | integers |
    | `and`, `or`, `xor` | of the bits | integers |
    | `exchange` | v | all |
    | `compare_exchange` | v where the bits of x are those of `$expected` | all |

    and the result has what x was before. The tile's dimensions are the array's
    last ones. Elements outside the array, on either side of any dimension, are
    dropped, and zero in the result; `in_bounds` promises that there are none.
    Which of several updates of an element comes first is not specified, so a
    floating-point sum may differ from run to run.

    `scope` names the threads for which the update is one: of the `block`, the
    `gpu` (the default), or the `system`. `order` is what it orders of the
    block's other accesses: nothing if `relaxed` (the default); with `release`
    those before are seen by whoever sees the update, with `acquire` those after
    see what was released to the value read; `acq_rel` is both.

    Cost: one instruction an element for `add` of f64, f32, f16 and, from sm_90
    on, bf16, and for all kinds on integers of 32 and 64 bits; else a loop of
    compare-exchange, as for all kinds at `system` scope. `acquire` and `release`
    cost a barrier and a fence.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64,
      and one that the kind is for.
    - (C5) `expected` is given for `compare_exchange`, and for it alone.

    Example: `%old = tile.atomic_rmw add %sum, %total[%i] : !tile.tile<64xf32>, memref<?xf32>`
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind,
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemRead, MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    Optional<Tile_Tile>:$expected,
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::relaxed">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope,
    UnitAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $kind $value `,` $dest `[` $offsets `]` (`expected` $expected^)?
    (`order` $order^)? (`scope` $scope^)? (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_MEMORYOPS
