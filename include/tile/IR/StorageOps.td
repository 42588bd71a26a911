// Storage: operations that the phases create for storage and layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_STORAGEOPS
#define TILE_IR_STORAGEOPS

include "tile/IR/ComputeOps.td"

def Tile_StorageGroup : OpDocGroup {
  let summary = "Storage";
  let description = [{
    Changes of storage and layout. Programs may use `tile.convert_layout`; phases create
    the other operations.
  }];
}

let opDocGroup = Tile_StorageGroup in {

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, [
        "getOperandPlacement", "getResultPlacement"]>,
    Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, [
        "addDemand", "bufferize"]>,
    Pure]> {
  let summary = "same tile in another storage or layout";
  let description = [{
    Returns the tile `$source` in the storage and layout of the result's type.

    Cost: none from registers to registers if each thread already holds its elements;
    shuffles if lanes of the same warp hold them, and these are cheaper; otherwise one
    trip through shared memory.

    Constraints:
    - (C1) source and result have the same shape and element type.

    Example: `%s = tile.convert_layout %t : !tile.tile<8x8xf32> to !tile.tile<8x8xf32, #tile.shared>`
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 0; }
  }];
}

def Tile_RoundTF32Op : Tile_Op<"round_tf32", [
    Pure, Elementwise, SameOperandsAndResultType,
    Tile_MadeBy<"kAssignStorage">]> {
  let summary = "round every element to tf32";
  let description = [{
    Rounds each element to the nearest value with 10 bits of mantissa, ties to even.
    `-tile-assign-storage` applies it to the operands of matmuls whose instruction
    truncates the lower bits of the mantissa (`wgmma` of tf32).

    Cost: one instruction for each element. The instruction requires sm_90.

    Constraints:
    - (C1) the elements are f32.

    Example: see test/Transforms/assign-storage-tf32.mlir.
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def Tile_PartialReduceOp : Tile_CombiningOp<"partial_reduce", [
    Tile_MadeBy<"kAssignLayouts">]> {
  let summary = "combine the elements of each warp along an axis";
  let description = [{
    Each warp combines the elements that it holds along `axis`, first in its threads
    and then by shuffles. The results keep the axis. Along it they have one element for
    each warp; or, for the totals of a `tile.partial_scan`, one element for each warp
    and each chunk, a part of a row that `tile.partial_scan` describes. A `tile.reduce`
    of the results along the axis gives the `tile.reduce` of the sources.
    `-tile-assign-layouts` creates the operation.

    Constraints:
    - (C1) all tiles are in registers with a layout; all sources have the same layout.
    - (C2) there is one result for each source, with its element type and shape, except
      that the extent along `axis` is the number of warps along it, or the number of
      warps times the number of chunks.
    - (C3) to (C6) are those of `tile.reduce`.

    Example: see test/Transforms/assign-layouts.mlir.
  }];
  let arguments = (ins OptionalAttr<Tile_ReduceKindAttr>:$kind,
                       Variadic<Tile_Tile>:$sources,
                       OptionalAttr<ArrayAttr>:$identities, I64Attr:$axis,
                       UnitAttr:$commutative);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    custom<Combination>($kind, $sources) (`identity` $identities^)?
    `axis` $axis (`commutative` $commutative^)? attr-dict
    `:` custom<Reduction>(type($sources), type($results), $body)
  }];
}

def Tile_PartialScanOp : Tile_CombiningOp<"partial_scan",
    [
    Tile_MadeBy<"kAssignLayouts">, SameVariadicOperandSize]> {
  let summary = "scan along an axis, continuing from other warps";
  let description = [{
    A `tile.scan` of `$sources` along `axis`, for a layout that distributes a row along
    the axis over several warps, or in several chunks. A chunk is a part of the row of
    which each thread holds one run of contiguous elements. For example, if 128 threads
    hold a row of 1024 elements in runs of 4, the row has two chunks of 512 elements.

    `$totals` are the results of a `tile.partial_reduce` of the sources: for each warp
    and each chunk, the elements that the warp holds of the chunk, combined. Each thread
    holds all totals of its rows. `-tile-assign-layouts` creates the operation.

    Constraints:
    - (C1) all tiles are in registers with a layout; all sources have the same layout.
      It has the elements of each chunk in order along the axis: first those of a
      thread, then those of the next lane, then those of the next warp.
    - (C2) the results have the sources' types. There is one total for each source,
      with its element type and shape, except that the extent along `axis` is the
      number of warps along it times the number of chunks.
    - (C3) to (C6) are those of `tile.reduce`.

    Example: see test/Transforms/assign-layouts.mlir.
  }];
  let arguments = (ins OptionalAttr<Tile_ReduceKindAttr>:$kind,
                       Variadic<Tile_Tile>:$sources,
                       Variadic<Tile_Tile>:$totals,
                       OptionalAttr<ArrayAttr>:$identities, I64Attr:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    custom<Combination>($kind, $sources) `after` $totals
    (`identity` $identities^)? `axis` $axis (`exclusive` $exclusive^)?
    (`reverse` $reverse^)? attr-dict
    `:` qualified(type($totals)) `before`
    custom<Scan>(type($sources), type($results), $body)
  }];
  let extraClassDeclaration = [{
    bool getCommutative() { return false; }
  }];
}

def Tile_PartialSortOp : Tile_Op<"partial_sort", [
    Tile_StorageOpInterface,
    Tile_Promises<Tile_LayoutOpInterface>, Tile_Promises<Tile_CostOpInterface>,
    Tile_MadeBy<"kAssignLayouts">, Pure]> {
  let summary = "steps of a bitonic sort";
  let description = [{
    Makes one step for each pair [k, j] of `steps`, in order. For each coordinate i
    along `axis` whose bit j is zero, the step compares the elements at i and i + 2^j,
    and exchanges them if necessary: the lesser one comes first if bit k of i is zero,
    the greater one otherwise. Elements are compared as unsigned integers. With several
    tiles, the tuples of their elements are compared, by the first element that
    differs, and moved. `-tile-assign-layouts` creates the operation.

    Constraints:
    - (C1) there is at least one tile; all have the same shape, and elements of integer
      types. The extent along `axis` is a power of two. Results have the sources' types.
    - (C2) all tiles have the same layout in registers, without padding along `axis`,
      in which the elements that a step compares belong to the same warp.
    - (C3) for each pair, 0 <= j < k < 32, and 2^j is less than the extent along `axis`.

    Example: see test/Transforms/assign-layouts.mlir.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$sources, I64Attr:$axis,
                       DenseI64ArrayAttr:$steps);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    $sources `axis` $axis `steps` $steps attr-dict
    `:` custom<Moved>(type($sources), type($results))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_STORAGEOPS
