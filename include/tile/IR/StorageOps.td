// Storage: what the compiler's phases make visible.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_STORAGEOPS
#define TILE_IR_STORAGEOPS

include "tile/IR/TileOpBase.td"

def Tile_StorageGroup : OpDocGroup {
  let summary = "Storage";
  let description = [{
    Changes of storage and layout, and the traffic with shared memory. Programs
    may use `convert_layout`; the others are what the phases leave behind.
  }];
}

let opDocGroup = Tile_StorageGroup in {

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
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
}

def Tile_FromBufferOp : Tile_Op<"from_buffer"> {
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

def Tile_PartialReduceOp : Tile_Op<"partial_reduce", [Pure]> {
  let summary = "combine the elements of each warp along an axis";
  let description = [{
    Each warp combines the elements that it holds along `axis`, in its threads
    and then by shuffles. The result keeps the axis, with one element for each
    warp along it. A `tile.reduce` of the result along the axis gives that of
    the source. Made by `-tile-assign-layouts`.

    Constraints:
    - (C1) both tiles have resolved register storage.
    - (C2) the result's shape is the source's, with the number of warps along
      `axis` as its extent; same element type.
    - (C3) the element type is one that `tile.reduce` takes for the kind.

    Example: see test/Transforms/assign-layouts.mlir.
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tile:$source,
                       I64Attr:$axis);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $kind $source `axis` $axis attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [AttrSizedOperandSegments]> {
  let summary = "start copying a box of an array to shared memory";
  let description = [{
    Copies the box of `$source` at `$offsets`, of the buffer's tile, to
    `$dest`. Elements outside the array, and the buffer's padding, become zero.
    The copy is complete for the copying thread after the group it was
    committed to (`nvvm.cp.async.commit.group`) was waited for; it may land at
    any time before (PTX ISA, "cp.async"). Where no asynchronous instruction
    fits the alignment, the copy is done at once. Where `$condition` is given
    and false, nothing is read, and the buffer's contents are undefined.

    With `covering`, rows of the box may begin at any byte of the array, and do
    not begin before it: the offset along them is not negative. Each is
    copied as the aligned chunks of 16 bytes that cover it: as many as it has to
    its place in `$dest`, so that it begins there as many bytes late as it does
    behind a multiple of 16 bytes in the array, and the one that it ends in to
    `$ends`, if that is given. Bytes of its first chunk that are before the row
    are read, too. `tile.align_rows` brings it to its place.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) same element type; the buffer's rank is at most the array's.
    - (C3) `$ends` with `covering` only; with `covering`, what
      `tile.align_rows` asks for.

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

def Tile_AlignRowsOp : Tile_Op<"align_rows", [AttrSizedOperandSegments]> {
  let summary = "bring rows that were copied by aligned chunks to their places";
  let description = [{
    `$dest` holds what `tile.copy_async ... covering` of the box of `$source` at
    `$offsets` left there, and the copy was waited for. Each row is shifted to
    where the buffer's layout has it. The chunk that it ends in is the first of
    its row of `$ends`: what the copy left there, or a buffer with a covering
    copy of the box behind this one. Of the array only the address is used.
    Where `$condition` is given and false, nothing is done.
    Cost: for each 16 bytes five words read and one vector written.

    Constraints:
    - (C1) one offset for each dimension of the array.
    - (C2) same element type; the buffer's rank is at most the array's.
    - (C3) elements of 1 or 2 bytes; at least two dimensions; a row, along the
      array's contiguous dimension, is up to 32 chunks of 16 bytes.
    - (C4) the buffer is no larger than its tile, begins where an allocation or a
      slot does, and its layout keeps chunks together; `$ends` has the buffer's
      rows, of a chunk or more.

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

def Tile_StoreSharedOp : Tile_Op<"store_shared"> {
  let summary = "write a tile to a buffer in shared memory";
  let description = [{
    Every element is written by its owner. Padding of the buffer becomes zero
    when `zero_padding` is set, and stays undefined otherwise. A buffer of
    another shape takes the elements in row-major order.

    Constraints:
    - (C1) same shape, or as many elements; same element type; the tile is in
      registers.
    - (C2) a buffer of another shape is compact and in row-major order: no view,
      no swizzle, no padding.

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
}

def Tile_LoadSharedOp : Tile_Op<"load_shared"> {
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
}

} // opDocGroup

#endif // TILE_IR_STORAGEOPS
