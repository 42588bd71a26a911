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
    Tile_Composite,
    Tile_CopyableOpInterface, Tile_CostOpInterface, Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getResultPlacement"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    OptionalTypesMatchWith<"pad has the tile's element type", "result", "pad",
      "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "read a box of an array";
  let description = [{
    The result is the box of `$source` that starts at `$offsets` and has the
    tile's shape. The tile's dimensions are the array's last ones; the box has
    extent one along the array's others. An element outside the array, on
    either side of any dimension, and one where `$mask` is false, reads `$pad`,
    zero when absent. `in_bounds` promises that no element where the mask holds
    lies outside the array, and removes the test. A masked load is composite: a
    `tile.gather`.

    With `dims`, dimension i of the tile is the array's dimension `dims[i]`, in any
    order, not one of the last ones: a tile of 64x64 is loaded of the dimensions 0
    and 2 of an array of tokens, heads and columns. In that form it is composite,
    an access to the array with its dimensions permuted.

    Cost: the box's bytes from global memory; 16 bytes an access where base,
    strides and offsets are proved aligned, an element an access with a mask.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array, tile and pad have the same element type.
    - (C4) the mask has the tile's shape and element type i1.
    - (C5) `dims` has a dimension of the array for each of the tile, none twice.

    Examples:

    ```mlir
    %t = tile.load %a[%i, %j] : memref<?x?xf16> -> !tile.tile<128x64xf16>
    %s = tile.load %q[%i, %h, %j] dims [0, 2] : memref<?x?x?xf16> -> !tile.tile<64x64xf16>
    %u = tile.load %a[%i, %j] mask %m : !tile.tile<9x5xi1> pad %p : memref<?x?xf16> -> !tile.tile<9x5xf16>
    ```
  }];
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead]>:$source,
    Variadic<Index>:$offsets,
    Optional<Tile_Scalar>:$pad,
    // Behind the operands of version 2 of the dialect: their segments are read.
    Optional<Tile_Tile>:$mask,
    UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`dims` $dims^)? (`mask` $mask^ `:` qualified(type($mask)))?
    (`pad` $pad^)? (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  // Up to version 3 of the dialect there were no dims.
  let useCustomPropertiesEncoding = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
                   "::mlir::ValueRange":$offsets, "::mlir::Value":$pad,
                   "bool":$inBounds)>];
  let extraClassDeclaration = [{
    ::mlir::Value getArray() { return getSource(); }
    ::mlir::Value getAccessedTile() { return getResult(); }
    int64_t getInstructionsPerElement() { return 3; }
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [
    Tile_Composite,
    Tile_ArrayAccessOpInterface, Tile_CostOpInterface, Tile_LayoutOpInterface,
    Tile_StorageOpInterface,
    AttrSizedOperandSegments]> {
  let summary = "write a box of an array";
  let description = [{
    Writes `$value` to the box of `$dest` that starts at `$offsets`. The
    tile's dimensions are the array's last ones. Elements outside the array, on
    either side of any dimension, are dropped, and so are those where `$mask` is
    false; `in_bounds` promises that none where it holds is outside, and removes
    the test. A masked store is composite: a `tile.scatter`. `dims` are those of
    `tile.load`.

    Cost: the box's bytes to global memory; an element an access with a mask.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the mask has the tile's shape and element type i1.
    - (C5) `dims` has a dimension of the array for each of the tile, none twice.

    Examples:

    ```mlir
    tile.store %t, %c[%i, %j] : !tile.tile<128x128xf32>, memref<?x?xf32>
    tile.store %u, %c[%i, %j] mask %m : !tile.tile<9x5xi1> : !tile.tile<9x5xf32>, memref<?x?xf32>
    ```
  }];
  let arguments = (ins
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    Optional<Tile_Tile>:$mask,
    UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` (`dims` $dims^)? (`mask` $mask^ `:` qualified(type($mask)))?
    (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  // Up to version 2 of the dialect there were no masks, up to version 3 no dims.
  let useCustomPropertiesEncoding = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getArray() { return getDest(); }
    ::mlir::Value getAccessedTile() { return getValue(); }
    int64_t getInstructionsPerElement() { return 3; }
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [
    Tile_Composite,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getLayoutGroups"]>,
    Tile_ArrayAccessOpInterface, Tile_IndexedOpInterface,
    OptionalTypesMatchWith<"pad has the tile's element type", "result", "pad",
      "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "read a box of an array with indices along axes";
  let description = [{
    As `tile.load`, but along dimension `axis` of the tile the element with index
    i comes from coordinate `offset + indices[i]` of the array, not
    `offset + i`. `$indices` has the tile's shape, or extent one along dimensions
    in which the index is the same: with indices of 64x1 and axis 0, a tile of
    64x128 is 64 rows of the array. Indices are signed. An element outside the
    array, on either side of any dimension, and one where `$mask` is false, reads
    `$pad`, zero when absent. `in_bounds` promises that none is outside.

    With `axes` there are several tiles of indices: tile i is along the array's
    dimension `axes[i]`, which may be one that the tile does not have. So a tile of
    HxW is sampled at a row and a column for each element, or a tile of tokens is
    read from blocks: the id of the block is an index along dimension 0, the
    position in the block one along dimension 1.

    `dims` are those of `tile.load`.

    Cost: the elements' bytes from global memory, in sectors of 32 bytes; 16
    bytes an access where the array's adjacent elements share their indices, none is
    masked, and base, strides and offsets are proved aligned; else an element.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array, tile and pad have the same element type.
    - (C4) `axis` is a dimension of the tile, for one tile of indices, or `axes` has
      a dimension of the array for each tile of indices, none twice.
    - (C5) indices have the tile's rank, each extent the tile's or one, and
      element type i8, i16, i32, i64 or index.
    - (C6) the mask has the tile's shape and element type i1.
    - (C7) `dims` has a dimension of the array for each of the tile, none twice.

    Examples:

    ```mlir
    %t = tile.gather %a[%i, %j] at %rows axis 0 : memref<?x?xf32>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf32>
    %k = tile.gather %cache[%i, %i, %j] at %blocks, %places axes [0, 1] : memref<?x16x?xf16>, !tile.tile<64x1xi32>, !tile.tile<64x1xi32> -> !tile.tile<64x128xf16>
    ```
  }];
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead]>:$source,
    Variadic<Index>:$offsets,
    Variadic<Tile_Tile>:$indices,
    OptionalAttr<I64Attr>:$axis,
    OptionalAttr<DenseI64ArrayAttr>:$axes,
    Optional<Tile_Tile>:$mask,
    Optional<Tile_Scalar>:$pad,
    UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  // Up to version 3 of the dialect there was one axis, and no dims.
  let useCustomPropertiesEncoding = 1;
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`dims` $dims^)? `at` $indices
    (`axis` $axis^)? (`axes` $axes^)?
    (`mask` $mask^ `:` qualified(type($mask)))? (`pad` $pad^)?
    (`in_bounds` $in_bounds^)? attr-dict `:` qualified(type($source)) `,`
    qualified(type($indices)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 12; }
    ::mlir::Value getArray() { return getSource(); }
    ::mlir::Value getAccessedTile() { return getResult(); }
    ::mlir::Value getIndexedTile() { return getResult(); }
    ::llvm::SmallVector<::mlir::OpOperand *> getIndexOperands();
    bool isIndexed(int64_t dim);
    /// The array's dimension that each tile of indices is along.
    ::llvm::SmallVector<int64_t> getArrayAxes();
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [
    Tile_Composite,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getLayoutGroups"]>,
    Tile_ArrayAccessOpInterface, Tile_IndexedOpInterface,
    AttrSizedOperandSegments]> {
  let summary = "write a box of an array with indices along axes";
  let description = [{
    Writes each element of `$value` to where `tile.gather` with the same
    operands would read it. Elements outside the array, on either side of any
    dimension, are dropped, and so are those where `$mask` is false; `in_bounds`
    promises that none is outside. If several elements go to one element of the
    array, it is not specified which stays; with `atomic` each updates it atomically,
    as `tile.atomic_rmw` of that kind does, relaxed and for the GPU's threads, and
    `$old`, if requested, has the value before; zero where nothing is updated.

    Cost: the elements' bytes to global memory; with `atomic` those of
    `tile.atomic_rmw`.

    Constraints:
    - (C1) to (C7) those of `tile.gather`.
    - (C8) an atomic kind is one that `tile.atomic_rmw` takes for the element
      type, and not `compare_exchange`.
    - (C9) `$old` is for an atomic kind, and has the value's type.

    Examples:

    ```mlir
    tile.scatter %t, %a[%i, %j] at %rows axis 0 atomic add : !tile.tile<64x128xf32>, memref<?x?xf32>, !tile.tile<64x1xi32>
    %old = tile.scatter %n, %counts[%i] at %bins axis 0 atomic add : !tile.tile<64xi32>, memref<?xi32>, !tile.tile<64xi32> -> !tile.tile<64xi32>
    ```
  }];
  let arguments = (ins
    Tile_Tile:$value,
    Tile_Array:$dest,
    Variadic<Index>:$offsets,
    Variadic<Tile_Tile>:$indices,
    OptionalAttr<I64Attr>:$axis,
    OptionalAttr<DenseI64ArrayAttr>:$axes,
    Optional<Tile_Tile>:$mask,
    OptionalAttr<Tile_AtomicKindAttr>:$kind,
    UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Optional<Tile_Tile>:$old);
  // Up to version 3 of the dialect there was one axis, and no dims.
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` (`dims` $dims^)? `at` $indices
    (`axis` $axis^)? (`axes` $axes^)?
    (`mask` $mask^ `:` qualified(type($mask)))? (`atomic` `` $kind^)?
    (`in_bounds` $in_bounds^)? attr-dict `:` qualified(type($value)) `,`
    qualified(type($dest)) `,` qualified(type($indices))
    (`->` qualified(type($old))^)?
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 12; }
    ::mlir::Value getArray() { return getDest(); }
    ::mlir::Value getAccessedTile() { return getValue(); }
    ::mlir::Value getIndexedTile() { return getValue(); }
    ::llvm::SmallVector<::mlir::OpOperand *> getIndexOperands();
    bool isIndexed(int64_t dim);
    /// The array's dimension that each tile of indices is along.
    ::llvm::SmallVector<int64_t> getArrayAxes();
    bool isPerElement() { return getKind().has_value(); }
  }];
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    Tile_Composite,
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getLayoutGroups"]>,
    Tile_ArrayAccessOpInterface,
    AllTypesMatch<["value", "result"]>,
    OptionalTypesMatchWith<"expected has the value's type", "value", "expected",
      "$_self", "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "update each element of a box of an array atomically";
  let description = [{
    For each element x of the box of `$dest` that starts at `$offsets`, and the
    element v of `$value` at the same coordinates, x becomes atomically

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
    dropped, and zero in the result, and so are those where `$mask` is false;
    `in_bounds` promises that none where it holds is outside. `dims` are those of
    `tile.load`.
    Which of several updates of an element comes first is not specified, so a
    floating-point sum may differ from run to run. With `ordered` the blocks
    update one after the other, in the order in which they start, from the
    grid's last program on: the bits are the same each time. An update that is
    ordered is outside of loops and branches. It is composite: a wait for the block
    before, by a count that is a hidden argument of the kernel, an update, and a
    signal to the next block.

    `scope` names the threads for which the update is atomic: those of the `block`,
    the `gpu` (the default), or the `system`. `order` specifies how it orders the
    block's other accesses: not at all if `relaxed` (the default); with `release`
    those before are seen by whoever sees the update, with `acquire` those after
    see the writes released to the value read; `acq_rel` is both.

    Cost: one instruction an element for `add` of f64, f32, f16 and, from sm_90
    on, bf16, and for all kinds on integers of 32 and 64 bits; else a loop of
    compare-exchange, as for all kinds at `system` scope. `acquire` and `release`
    cost a barrier and a fence, `ordered` both and a wait.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64,
      and one that the kind is for.
    - (C5) `expected` is given for `compare_exchange`, and only for it.
    - (C6) the mask has the tile's shape and element type i1.
    - (C7) `dims` has a dimension of the array for each of the tile, none twice.

    Example: `%old = tile.atomic_rmw add %sum, %total[%i] : !tile.tile<64xf32>, memref<?xf32>`
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind,
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemRead, MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    Optional<Tile_Tile>:$expected,
    // Behind the operands of version 3 of the dialect: their segments are read.
    Optional<Tile_Tile>:$mask,
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::relaxed">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope,
    UnitAttr:$ordered, UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  // Up to version 2 of the dialect no update was ordered, up to version 3 there
  // were no dims.
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    `` $kind $value `,` $dest `[` $offsets `]` (`dims` $dims^)?
    (`expected` $expected^)? (`mask` $mask^ `:` qualified(type($mask)))?
    (`order` `` $order^)? (`scope` `` $scope^)? (`ordered` $ordered^)?
    (`in_bounds` $in_bounds^)?
    attr-dict `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 16; }
    ::mlir::Value getArray() { return getDest(); }
    ::mlir::Value getAccessedTile() { return getValue(); }
    bool isPerElement() { return true; }
  }];
  let hasVerifier = 1;
}

def Tile_AtomicLoadOp : Tile_Op<"atomic_load", [
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    Tile_ArrayAccessOpInterface]> {
  let summary = "read each element of a box of an array atomically";
  let description = [{
    As `tile.load`, of what other blocks may be writing by atomic operations:
    each element is read at once, from where the threads of `scope` meet. An
    element outside the array reads zero; `in_bounds` promises that there is
    none. `scope` and `order` are those of `tile.atomic_rmw`: `relaxed` (the
    default) or `acquire`. A load of one element, in a loop, waits for another
    block; every thread gets the element that one thread read.

    Cost: an access an element, past the first-level cache. `acquire` costs a
    fence and a barrier.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64.
    - (C5) the order is `relaxed` or `acquire`.

    Example: `%t = tile.atomic_load %a[%i] order acquire : memref<?xi32> -> !tile.tile<1xi32>`
  }];
  // Reading it again may give another value: it is no read that can be moved.
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead, MemWrite]>:$source,
    Variadic<Index>:$offsets,
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::relaxed">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope,
    UnitAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`order` `` $order^)? (`scope` `` $scope^)?
    (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 16; }
    ::mlir::Value getArray() { return getSource(); }
    ::mlir::Value getAccessedTile() { return getResult(); }
    bool isPerElement() { return true; }
  }];
  let hasVerifier = 1;
}

def Tile_AtomicStoreOp : Tile_Op<"atomic_store", [
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    Tile_ArrayAccessOpInterface]> {
  let summary = "write each element of a box of an array atomically";
  let description = [{
    As `tile.store`, for other blocks that may be reading by atomic operations:
    each element is written at once, to where the threads of `scope` meet.
    `scope` and `order` are those of `tile.atomic_rmw`: `relaxed` (the default)
    or `release`, after which all that the block wrote before is seen by whoever
    acquires one of the elements.

    Cost: an access an element. `release` costs a barrier and a fence.

    Constraints:
    - (C1) to (C4) those of `tile.atomic_load`.
    - (C5) the order is `relaxed` or `release`.

    Example: `tile.atomic_store %t, %a[%i] order release : !tile.tile<1xi32>, memref<?xi32>`
  }];
  let arguments = (ins
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemRead, MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::relaxed">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope,
    UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` (`order` `` $order^)? (`scope` `` $scope^)?
    (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 16; }
    ::mlir::Value getArray() { return getDest(); }
    ::mlir::Value getAccessedTile() { return getValue(); }
    bool isPerElement() { return true; }
  }];
  let hasVerifier = 1;
}

def Tile_FenceOp : Tile_Op<"fence", [
    MemoryEffects<[MemRead<DefaultResource>, MemWrite<DefaultResource>]>]> {
  let summary = "order the block's accesses before and after it";
  let description = [{
    The block's writes to arrays before the fence become visible to every thread of
    `scope` (`gpu` if absent) before its writes after the fence; its reads after the
    fence return values no older than its reads before. Together with a relaxed
    atomic access after (before) it, the fence is a release (an acquire) of the whole
    block: all threads meet at it. `order` is `acquire`, `release` or `acq_rel`
    (the default).

    Cost: a barrier on the side of the accesses that it orders, and a fence (PTX
    ISA, "fence.acq_rel").

    Constraints:
    - (C1) the order is not `relaxed`.

    Example: `tile.fence release scope system`
  }];
  let arguments = (ins
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::acq_rel">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope);
  let assemblyFormat = [{
    `` custom<FenceOrder>($order) (`scope` `` $scope^)? attr-dict
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_MEMORYOPS
