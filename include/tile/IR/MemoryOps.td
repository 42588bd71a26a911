// Memory: reads, writes and atomic updates of boxes of arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_MEMORYOPS
#define TILE_IR_MEMORYOPS

include "tile/IR/TileOpBase.td"

def Tile_MemoryGroup : OpDocGroup {
  let summary = "Memory";
  let description = [{
    Reads, writes and atomic updates of boxes of arrays in global memory. Offsets are
    run-time values of any sign, in elements of the array.
  }];
}

let opDocGroup = Tile_MemoryGroup in {

def Tile_LoadOp : Tile_Op<"load", [
    Tile_Composite,
    Tile_CopyableOpInterface, Tile_CostOpInterface, Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getResultPlacement"]>,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    OptionalTypesMatchWith<"pad has the tile's element type", "result", "pad",
      "::llvm::cast<::tile::TileType>($_self).getElementType()",
      "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "read a box of an array";
  let description = [{
    Reads the box of `$source` that starts at `$offsets` and has the shape of the
    result, a tile. The tile's dimensions correspond to the array's last ones; along
    the array's other dimensions the box has extent one. An element reads `$pad`, or
    zero without `$pad`, if it is outside the array in any dimension, or if `$mask` is
    false for it. `in_bounds` promises that all elements for which the mask is true are
    inside the array, and removes the bounds test. A load with a mask is composite: a
    `tile.gather`.

    With `dims`, dimension i of the tile corresponds to the array's dimension
    `dims[i]`, instead of one of the last ones. For example, a tile of 64x64 can be
    loaded from dimensions 0 and 2 of an array of tokens, heads and columns. In this
    form the operation is composite: a load from the array with permuted dimensions.

    Cost: the box's bytes from global memory, by accesses of 16 bytes if base address,
    strides and offsets are known to be aligned, and of one element with a mask.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array, tile and `$pad` have the same element type.
    - (C4) the mask has the tile's shape and element type i1.
    - (C5) `dims` has one dimension of the array for each dimension of the tile, and
      none twice.

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
    // The mask comes after the operands of version 2 of the dialect, so that segment
    // sizes of bytecode of that version stay valid.
    Optional<Tile_Tile>:$mask,
    UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`dims` $dims^)? (`mask` $mask^ `:` qualified(type($mask)))?
    (`pad` $pad^)? (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  // Up to version 3 of the dialect a load had no `dims`.
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
    DeclareOpInterfaceMethods<Tile_PartsOpInterface>,
    Tile_ArrayAccessOpInterface, Tile_CostOpInterface, Tile_LayoutOpInterface,
    Tile_StorageOpInterface,
    AttrSizedOperandSegments]> {
  let summary = "write a box of an array";
  let description = [{
    Writes the tile `$value` to the box of `$dest` that starts at `$offsets`. The
    tile's dimensions correspond to the array's last ones. An element is not written if
    it is outside the array in any dimension, or if `$mask` is false for it.
    `in_bounds` promises that all elements for which the mask is true are inside the
    array, and removes the bounds test. A store with a mask is composite: a
    `tile.scatter`. `dims` is that of `tile.load`, and makes the operation composite,
    too.

    Cost: the box's bytes to global memory, by accesses as in `tile.load`.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the mask has the tile's shape and element type i1.
    - (C5) `dims` has one dimension of the array for each dimension of the tile, and
      none twice.

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
  // Up to version 2 of the dialect a store had no mask, up to version 3 no `dims`.
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
    Reads a box as `tile.load` does, except that along dimension `axis` of the tile
    each element comes from coordinate `offset + index` of the array, where `index` is
    the element of `$indices` with the element's coordinates. `$indices` has the tile's
    shape, or extent one along dimensions in which all indices are the same: with
    indices of 64x1 and axis 0, a tile of 64x128 consists of 64 rows of the array.
    Indices are signed. `$pad`, `$mask`, `in_bounds` and `dims` are those of
    `tile.load`; with `dims` the operation is composite.

    With `axes` there are several tiles of indices. Tile i has the indices along the
    array's dimension `axes[i]`, which need not correspond to a dimension of the tile.
    For example, a tile of HxW samples an array at a row and a column for each element.
    A tile of tokens can be read from an array of blocks: the index along dimension 0 is
    the block, and the index along dimension 1 is the position in the block.

    Cost: the elements' bytes from global memory, in sectors of 32 bytes. An access has
    16 bytes if adjacent elements of the array share their indices, there is no mask,
    and base address, strides and offsets are known to be aligned; otherwise it has one
    element.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array, tile and `$pad` have the same element type.
    - (C4) there is either `axis`, a dimension of the tile, and one tile of indices, or
      `axes`, with one dimension of the array for each tile of indices and none twice.
    - (C5) each tile of indices has the tile's rank, along each dimension the tile's
      extent or one, and element type i8, i16, i32, i64 or index.
    - (C6) the mask has the tile's shape and element type i1.
    - (C7) `dims` has one dimension of the array for each dimension of the tile, and
      none twice.

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
  // Up to version 3 of the dialect a gather had one axis, and no `dims`.
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
    /// Returns, for each tile of indices, the array's dimension along which it indexes.
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
    Writes each element of the tile `$value` to the element of the array that a
    `tile.gather` with the same operands would read. `$mask`, `in_bounds` and `dims`
    are those of `tile.store`. If several elements go to one element of the array, it
    is not specified which of them remains.

    With `atomic`, each element instead updates the element of the array, as a relaxed
    `tile.atomic_rmw` of this kind with scope `gpu` does. `$old`, if requested, has the
    values before the updates, and zero for elements that update nothing.

    Cost: the elements' bytes to global memory; with `atomic`, the cost of
    `tile.atomic_rmw`.

    Constraints:
    - (C1) to (C7) are those of `tile.gather`.
    - (C8) an atomic kind is one that `tile.atomic_rmw` accepts for the element type,
      except `compare_exchange`.
    - (C9) `$old` requires an atomic kind, and has the type of `$value`.

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
  // Up to version 3 of the dialect a scatter had one axis, and no `dims`.
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
    /// Returns, for each tile of indices, the array's dimension along which it indexes.
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
    Tile_OrderedAccessOpInterface,
    AllTypesMatch<["value", "result"]>,
    OptionalTypesMatchWith<"expected has the value's type", "value", "expected",
      "$_self", "::std::equal_to<>()">,
    AttrSizedOperandSegments]> {
  let summary = "update each element of a box of an array atomically";
  let description = [{
    Updates each element x of the box of `$dest` that starts at `$offsets`, with the
    element v of `$value` at the same coordinates. Each update is atomic:

    | kind | new value of x | element types |
    | --- | --- | --- |
    | `add` | x + v | integers (modulo 2^n), floating point |
    | `min`, `max` | the lesser, greater one; integers are signed; NaN if one is NaN | integers, floating point |
    | `umin`, `umax` | the lesser, greater one as unsigned integers | integers |
    | `and`, `or`, `xor` | the bitwise operation of x and v | integers |
    | `exchange` | v | all |
    | `compare_exchange` | v if x has the bits of the element of `$expected`, otherwise x | all |

    The result has the values of x before the updates, and zero for elements that are
    not updated. The tile's dimensions correspond to the array's last ones. An element
    is not updated if it is outside the array in any dimension, or if `$mask` is false
    for it. `in_bounds` promises that all elements for which the mask is true are
    inside the array. `dims` is that of `tile.load`, and makes the operation composite.

    The order of several updates of one element is not specified, so that a
    floating-point sum may differ from run to run. With `ordered`, the blocks update one
    after the other in the order in which they start, from the last program of the grid
    to the first, so that the result has the same bits in each run. An ordered update
    must be outside of loops and branches. It is composite: a wait for the block before,
    by a counter that is a hidden argument of the kernel, the update, and a signal to
    the next block.

    `scope` specifies the threads for which the update is atomic: those of the `block`,
    of the `gpu` (the default) or of the `system`. `order` specifies how the update
    orders the block's other accesses. `relaxed`, the default, does not order them. With
    `release`, whoever sees the update also sees all earlier writes of the block. With
    `acquire`, later reads of the block see all writes that were released together with
    the value that the update reads. `acq_rel` is both.

    Cost: for each element one instruction for `compare_exchange` of 32 and 64 bits and,
    except at `system` scope, for `exchange` of 32 and 64 bits, for all other kinds on
    integers of 32 and 64 bits, and for `add` of f64, f32, f16 and, from sm_90 on, bf16;
    otherwise a loop of compare-exchange. `acquire` and `release` each cost a barrier and
    a fence; `ordered` costs both, and a wait.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64, and one
      that the table has for the kind.
    - (C5) `$expected` is given for `compare_exchange`, and for no other kind.
    - (C6) the mask has the tile's shape and element type i1.
    - (C7) `dims` has one dimension of the array for each dimension of the tile, and
      none twice.

    Example: `%old = tile.atomic_rmw add %sum, %total[%i] : !tile.tile<64xf32>, memref<?xf32>`
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind,
    Tile_Tile:$value,
    Arg<Tile_Array, "", [MemRead, MemWrite]>:$dest,
    Variadic<Index>:$offsets,
    Optional<Tile_Tile>:$expected,
    // The mask comes after the operands of version 3 of the dialect, so that segment
    // sizes of bytecode of that version stay valid.
    Optional<Tile_Tile>:$mask,
    DefaultValuedAttr<Tile_AtomicOrderAttr, "::tile::AtomicOrder::relaxed">:$order,
    DefaultValuedAttr<Tile_AtomicScopeAttr, "::tile::AtomicScope::gpu">:$scope,
    UnitAttr:$ordered, UnitAttr:$in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Tile_Tile:$result);
  // Up to version 2 of the dialect an update had no `ordered`, up to version 3 no
  // `dims`.
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
    Tile_ArrayAccessOpInterface,
    Tile_OrderedAccessOpInterface]> {
  let summary = "read each element of a box of an array atomically";
  let description = [{
    Reads a box as `tile.load` does, but each element by an atomic load, so that other
    blocks may write the elements by atomic operations at the same time. An element
    outside the array reads zero; `in_bounds` promises that there is none. `scope` and
    `order` are those of `tile.atomic_rmw`; `order` is `relaxed` (the default) or
    `acquire`. A loop around a load of one element can wait for another block: one
    thread reads the element, and all threads get its value.

    Cost: an access for each element, not served by the L1 cache. `acquire` costs a
    fence and a barrier.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) the tile's rank is at most the array's.
    - (C3) array and tile have the same element type.
    - (C4) the element type is i8, i16, i32, i64, index, f16, bf16, f32 or f64.
    - (C5) the order is `relaxed` or `acquire`.

    Example: `%t = tile.atomic_load %a[%i] order acquire : memref<?xi32> -> !tile.tile<1xi32>`
  }];
  // A second load may return another value, so the effects include a write, which
  // keeps the load from being merged or moved.
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
    Tile_ArrayAccessOpInterface,
    Tile_OrderedAccessOpInterface]> {
  let summary = "write each element of a box of an array atomically";
  let description = [{
    Writes a box as `tile.store` does, but each element by an atomic store, so that
    other blocks may access the elements by atomic operations at the same time. `scope`
    and `order` are those of `tile.atomic_rmw`; `order` is `relaxed` (the default) or
    `release`, with which all earlier writes of the block are visible to a block that
    acquires one of the elements.

    Cost: an access for each element. `release` costs a barrier and a fence.

    Constraints:
    - (C1) to (C4) are those of `tile.atomic_load`.
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
    Tile_OrderedAccessOpInterface,
    MemoryEffects<[MemRead<DefaultResource>, MemWrite<DefaultResource>]>]> {
  let summary = "order the block's accesses before and after it";
  let description = [{
    Makes the block's writes to arrays before the fence visible to every thread of
    `scope` (the default is `gpu`) before its writes after the fence. Reads after the
    fence return values that are no older than those of reads before it. A fence and a
    relaxed atomic access after it are a release of the whole block; a relaxed atomic
    access and a fence after it are an acquire of the whole block. For a release all
    threads wait for each other before the fence, for an acquire after it. `order` is
    `acquire`, `release` or `acq_rel` (the default).

    Cost: a barrier for each of acquire and release, and a fence (PTX ISA,
    "fence.acq_rel").

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

def Tile_ArrayAtOp : Tile_Op<"array_at", [Pure, AttrSizedOperandSegments]> {
  let summary = "array at an address";
  let description = [{
    Returns the array whose first element is at `$address`, such as one that a table of
    addresses in global memory contains. `$sizes` and `$strides` are the extents, and
    the strides in elements, that the type leaves open. The address is a multiple of
    the element's bytes. Nothing is known of it beyond that, so that each element is
    accessed by itself. The memory must not overlap an array of the launch if either is
    written, unless the kernel computes the address from that array's.

    Cost: none. An access to the array costs a transfer for each element.

    Constraints:
    - (C1) the result is an array as a kernel's argument may be, of offset 0.
    - (C2) there is one size for each extent that is `?`, and one stride for each
      stride that is `?`.

    Examples:

    ```mlir
    %a = tile.array_at %address [%m, %n] strides [%s] : memref<?x?xf32, strided<[?, 1]>>
    %b = tile.array_at %address [%n] : memref<?xf32>
    ```
  }];
  let arguments = (ins
    I64:$address, Variadic<Index>:$sizes, Variadic<Index>:$strides);
  let results = (outs Tile_Array:$result);
  let assemblyFormat = [{
    $address (`[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)? attr-dict
    `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_MEMORYOPS
