// Storage: operations that the phases create for storage and layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_STORAGEOPS
#define TILE_IR_STORAGEOPS

include "tile/IR/ComputeOps.td"

def Tile_StorageGroup : OpDocGroup {
  let summary = "Storage";
  let description = [{
    Changes of storage and layout, and transfers to and from shared memory. Programs
    may use `tile.convert_layout`; phases create the other operations.
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

def Tile_FromBufferOp : Tile_Op<"from_buffer", [
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getResultPlacement"]>,
    Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface, ["bufferize"]>,
    Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "the tile that a buffer holds";
  let description = [{
    Returns the contents of the buffer `$source` as a tile, so that operations on tiles
    can read it between `-tile-expand-pipeline` and `-tile-bufferize`. The tile is valid
    until the buffer is written again.

    Constraints:
    - (C1) buffer and tile have the same shape and element type; the tile is in shared
      memory.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins Arg<Tile_SharedBuffer, "", [MemRead]>:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
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

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [
    DeclareOpInterfaceMethods<Tile_CostOpInterface, ["getInstructions"]>,
    Tile_AsyncCopy, Tile_MadeBy<"kExpandPipeline">, AttrSizedOperandSegments]> {
  let summary = "start copying a box of an array to shared memory";
  let description = [{
    Copies the box of `$source` that starts at `$offsets` and has the shape of the
    buffer `$dest` to this buffer. Elements outside the array, and the buffer's
    padding, become zero. The copy may write the buffer at any time until a wait for
    the group to which it was committed (`nvvm.cp.async.commit.group`); after the wait
    it is complete for the thread that issued it (PTX ISA, "cp.async"). If the
    alignment allows no asynchronous instruction, the copy is made by loads and stores
    at the operation. If `$condition` is given and false, nothing is read, and the
    buffer's contents are undefined.

    With `covering`, a row of the box may start at any byte of the array, but the
    offset along the rows must not be negative. Each row is copied as the aligned
    chunks of 16 bytes that cover it, including the bytes of the first chunk before the
    row. As many chunks as a row of `$dest` can hold are copied there. One more chunk,
    with the end of an unaligned row, is copied to `$ends`, if given. A row whose
    address is b bytes above a multiple of 16 then starts b bytes after its position in
    `$dest`, until `tile.align_rows` shifts it.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) array and buffers have the same element type; the buffer's rank is at most
      the array's.
    - (C3) `$ends` requires `covering`; with `covering`, constraints (C3) and (C4) of
      `tile.align_rows` hold.

    Example: see test/Transforms/bufferize.mlir.
  }];
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead]>:$source,
    Variadic<Index>:$offsets,
    Arg<Tile_SharedBuffer, "", [MemWrite]>:$dest,
    Arg<Optional<Tile_SharedBuffer>, "", [MemWrite]>:$ends,
    Optional<I1>:$condition,
    UnitAttr:$covering,
    UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $source `[` $offsets `]` `to` $dest (`if` $condition^)?
    (`covering` $covering^)? (`ends` $ends^ `:` qualified(type($ends)))?
    (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def Tile_AlignRowsOp : Tile_Op<"align_rows", [
    Tile_MadeBy<"kExpandPipeline">, AttrSizedOperandSegments]> {
  let summary = "shift rows that were copied by aligned chunks to their positions";
  let description = [{
    Shifts each row of `$dest` to its position in the buffer's layout. `$dest` contains
    the chunks that a `tile.copy_async ... covering` of the box of `$source` at
    `$offsets` wrote, after a wait for this copy. The chunk with the end of a row is the
    first chunk of the same row of `$ends`. `$ends` is either that of the copy, or the
    destination of a covering copy of the box in which the rows continue. Only the
    address of `$source` is used. If `$condition` is given and false, nothing is done.

    Cost: for each 16 bytes, five words are read, one by one, and one vector is written.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) array and buffers have the same element type; the buffer's rank is at most
      the array's.
    - (C3) elements have 1 or 2 bytes; the buffer has at least two dimensions; a row,
      along the array's contiguous dimension, consists of 1 to 32 chunks of 16 bytes.
    - (C4) the buffer has no padding, starts at the start of an allocation or of a
      stage, and its layout keeps each chunk contiguous and aligned; `$ends` has as many
      rows as the buffer, and each has at least one chunk.

    `-convert-tile-to-nvgpu` verifies (C3) and (C4).

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins
    Arg<Tile_SharedBuffer, "", [MemRead, MemWrite]>:$dest,
    Arg<Tile_SharedBuffer, "", [MemRead]>:$ends,
    Tile_Array:$source,
    Variadic<Index>:$offsets,
    Optional<I1>:$condition);
  let assemblyFormat = [{
    $dest `,` $ends `of` $source `[` $offsets `]` (`if` $condition^)? attr-dict
    `:` qualified(type($dest)) `,` qualified(type($ends)) `of`
    qualified(type($source))
  }];
  let hasVerifier = 1;
}

def Tile_StoreSharedOp : Tile_Op<"store_shared", [
    Tile_CostOpInterface, Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "write a tile to a buffer in shared memory";
  let description = [{
    Writes the tile `$value` to the buffer `$dest`. The owner of each element writes it.
    With `zero_padding`, padding of the buffer becomes zero; otherwise it is undefined.
    If the buffer has another shape than the tile, the elements are stored in the
    tile's row-major order, with the same number of unused elements after each row but
    the last.

    Constraints:
    - (C1) tile and buffer have the same element type and the same number of elements;
      the tile is in registers with a layout.
    - (C2) a buffer of another shape is not a view, has no swizzle and no padding, and
      has gaps only between the rows of the tile; it excludes `zero_padding`.

    Example: see test/Transforms/bufferize.mlir.
  }];
  let arguments = (ins Tile_Tile:$value,
                       Arg<Tile_SharedBuffer, "", [MemWrite]>:$dest,
                       UnitAttr:$zero_padding);
  let assemblyFormat = [{
    $value `,` $dest (`zero_padding` $zero_padding^)? attr-dict
    `:` qualified(type($value)) `,` qualified(type($dest))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 3; }
  }];
}

def Tile_LoadSharedOp : Tile_Op<"load_shared", [
    Tile_CostOpInterface, Tile_MadeBy<"kBufferize">]> {
  let summary = "read a tile from a buffer in shared memory";
  let description = [{
    Reads the tile that the buffer `$source` contains to registers.

    Constraints:
    - (C1) buffer and tile have the same shape and element type; the tile is in
      registers with a layout.

    Example: see test/Transforms/bufferize.mlir.
  }];
  let arguments = (ins Arg<Tile_SharedBuffer, "", [MemRead]>:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 3; }
  }];
}

def Tile_PutSharedOp : Tile_Op<"put_shared", [
    Tile_CostOpInterface, Tile_MadeBy<"kBufferize">]> {
  let summary = "a tile.put into a buffer in shared memory";
  let description = [{
    Replaces or updates elements of the buffer `$dest` as `tile.put` does in a tile.
    `-tile-bufferize` creates the operation.

    Constraints:
    - (C1) to (C5) are those of `tile.put`, with the buffer in the role of its `$dest`.
    - (C6) the tiles are in registers with a layout.

    Example: see test/Transforms/bufferize.mlir.
  }];
  let arguments = (ins Tile_Tile:$values,
                       Arg<Tile_SharedBuffer, "", [MemRead, MemWrite]>:$dest,
                       Tile_Tile:$indices, I64Attr:$axis,
                       Optional<Tile_Tile>:$mask,
                       OptionalAttr<Tile_AtomicKindAttr>:$kind);
  let assemblyFormat = [{
    custom<Update>($kind, $values) `into` $dest `at` $indices `axis` $axis
    (`mask` $mask^ `:` qualified(type($mask)))? attr-dict
    `:` qualified(type($values)) `,` qualified(type($indices))
    `into` qualified(type($dest))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 12; }
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
