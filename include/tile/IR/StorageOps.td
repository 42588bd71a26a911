// Storage: what the compiler's phases make visible.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_STORAGEOPS
#define TILE_IR_STORAGEOPS

include "tile/IR/ComputeOps.td"

def Tile_StorageGroup : OpDocGroup {
  let summary = "Storage";
  let description = [{
    Changes of storage and layout, and the traffic with shared memory. Programs
    may use `convert_layout`; the other operations are results of the phases.
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
    The elements of `$source` in the storage of the result's type.
    Cost: none where the layouts agree up to names, else one trip through
    shared memory.

    Constraints:
    - (C1) same shape and element type.

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
    Computes the f32 nearest to each element that has 10 bits of mantissa, ties to
    even. `-tile-assign-storage` applies it to the operands of matmuls whose
    instruction cuts off the other bits (`wgmma` of tf32).

    Cost: one instruction an element, from sm_90 on.

    Constraints:
    - (C1) elements of f32.

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
    The tile in `$source`, for operations that take tiles, from
    `-tile-expand-pipeline` to `-tile-bufferize`. It is valid until the buffer
    is written again.

    Constraints:
    - (C1) same shape and element type; the tile is in shared memory.

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
    Each warp combines the elements that it holds along `axis`, in its threads
    and then by shuffles. The results keep the axis, with one element for each
    warp along it, or for each warp and each chunk, where the layout repeats
    along the axis. A `tile.reduce` of the results along the axis gives that of
    the sources. Made by `-tile-assign-layouts`.

    Constraints:
    - (C1) all tiles have resolved register storage, the sources one layout.
    - (C2) a result for each source; its shape is the source's, except that its
      extent along `axis` is the number of warps, or that times the number of
      chunks; same element type.
    - (C3) to (C6) those of `tile.reduce`.

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
    A `tile.scan` of `$sources` whose elements several warps hold along `axis`,
    or a thread in several chunks. `$totals` has the combination of the elements of
    each of these warps, or of each chunk, as `tile.partial_reduce` leaves it, in
    every thread for its rows. Made by `-tile-assign-layouts`.

    Constraints:
    - (C1) all tiles have resolved register storage, the sources one layout, in
      which elements are in order along the axis: those of a thread, of its
      lanes, of warps, and so in each chunk.
    - (C2) the results have the sources' types; a total for each source, of its
      shape with the number of warps along `axis`, times that of chunks, as its
      extent.
    - (C3) to (C6) those of `tile.reduce`.

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
    Copies the box of `$source` at `$offsets`, of the buffer's tile, to
    `$dest`. Elements outside the array, and the buffer's padding, become zero.
    The copy is complete for the copying thread after the group it was
    committed to (`nvvm.cp.async.commit.group`) was waited for; it may land at
    any time before (PTX ISA, "cp.async"). Where no asynchronous instruction
    fits the alignment, the copy is done at once. Where `$condition` is given
    and false, nothing is read, and the buffer's contents are undefined.

    With `covering`, a row of the box may start at any byte of the array, but not
    before the array: the offset along the rows is not negative. Each row is copied
    as the aligned chunks of 16 bytes that cover it, including the bytes of its
    first chunk before the row. As many chunks as `$dest` has space for in a row
    are copied there; the chunk after them, in which an unaligned row ends, is
    copied to `$ends`, if that is given. A row whose address is b bytes above a
    multiple of 16 then starts b bytes after its position in `$dest`, until
    `tile.align_rows` shifts it.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) same element type; the buffer's rank is at most the array's.
    - (C3) `$ends` with `covering` only; with `covering`, the constraints of
      `tile.align_rows`.

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
    Shifts each row of `$dest` to the position that the buffer's layout gives it.
    `$dest` contains the chunks that a `tile.copy_async ... covering` of the box of
    `$source` at `$offsets` wrote, and that copy was waited for. The chunk with the
    end of a row is the first one of the same row of `$ends`, which is either the
    `$ends` of the copy, or the destination of another covering copy, of the box
    that continues the rows. Only the address of `$source` is used. Where
    `$condition` is given and false, nothing is done.

    Cost: for each 16 bytes, five words read and one vector written.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) same element type; the buffer's rank is at most the array's.
    - (C3) elements of 1 or 2 bytes; at least two dimensions; a row, along the
      array's contiguous dimension, is up to 32 chunks of 16 bytes.
    - (C4) the buffer is no larger than its tile, starts at the start of an
      allocation or of a stage, and its layout keeps chunks contiguous; `$ends` has
      as many rows as the buffer, each of a chunk or more.

    C3 and C4 are verified by `-convert-tile-to-nvgpu`.

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
    Every element is written by its owner. Padding of the buffer becomes zero
    when `zero_padding` is set, and stays undefined otherwise. A buffer of
    another shape takes the elements one after the other, in the tile's row-major
    order, with the same number of unused ones after each row but the last.

    Constraints:
    - (C1) same shape, or as many elements; same element type; the tile is in
      registers.
    - (C2) a buffer of another shape is dense: no view, no swizzle, no padding,
      no gaps but those between the rows of the tile.

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
    Constraints:
    - (C1) same shape and element type; the tile is in registers.

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
    Updates a buffer as `tile.put` updates its tile. Made by `-tile-bufferize`.

    Constraints:
    - (C1) to (C5) those of `tile.put`, of the buffer.
    - (C6) the tiles are in registers, with a layout.

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
    For each pair [k, j] of `steps`, in order: of the elements at positions i and
    i + 2^j along `axis`, where bit j of i is zero, the lesser one comes first if
    bit k of i is zero, else the greater one. Elements are compared as unsigned
    integers; of several tiles the first one in which they differ decides, and
    all are moved. Made by `-tile-assign-layouts`.

    Constraints:
    - (C1) the tiles have one shape, of an extent along `axis` that is a power of
      two, and integer elements.
    - (C2) they have one layout, of the same extent along `axis`, in which one
      warp holds what the steps compare.
    - (C3) j is less than k, k is below 32; 2^j is below the extent.

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
