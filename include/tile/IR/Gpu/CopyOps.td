// Asynchronous copies from arrays to buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_COPYOPS
#define TILE_IR_GPU_COPYOPS

include "tile/IR/Gpu/CopyMechanismAttrs.td"

def TileGpu_CopyGroup : OpDocGroup {
  let summary = "Asynchronous copies";
  let description = [{
    Copies of boxes of arrays to buffers in shared memory, which threads start and wait
    for later.
  }];
}

let opDocGroup = TileGpu_CopyGroup in {

def TileGpu_CopyAsyncOp : TileGpu_Op<"copy_async", [
    DeclareOpInterfaceMethods<Tile_CostOpInterface, ["getInstructions"]>,
    Tile_AsyncCopy, Tile_MadeBy<"kExpandPipeline">, AttrSizedOperandSegments]> {
  let summary = "start copying a box of an array to shared memory";
  let description = [{
    Copies the box of `$source` that starts at `$offsets` and has the shape of the
    buffer `$dest` to this buffer, by `$copy_mechanism`, which is `#tile_gpu.cp_async` if
    it is absent. Elements outside the array, and the buffer's padding, become zero.
    The copy may write the buffer at any time until a wait for the group to which it was
    committed (`nvvm.cp.async.commit.group`); after the wait it is complete for the
    thread that issued it (PTX ISA, "cp.async"). If the alignment allows no asynchronous
    instruction, the copy is made by loads and stores at the operation. If `$condition`
    is given and false, nothing is read, and the buffer's contents are undefined.

    If the mechanism covers rows (`#tile_gpu.cover_rows`), a row of the box may start at
    any byte of the array, but the offset along the rows must not be negative. Each row
    is copied as the aligned chunks of 16 bytes that cover it, including the bytes of
    the first chunk before the row. As many chunks as a row of `$dest` can hold are
    copied there. One more chunk, with the end of an unaligned row, is copied to
    `$extra`, if given. A row whose address is b bytes above a multiple of 16 then
    starts b bytes after its position in `$dest`, until `tile_gpu.align_rows` shifts it.

    Constraints:
    - (C1) there is one offset for each dimension of the array.
    - (C2) array and buffers have the same element type; the buffer's rank is at most
      the array's.
    - (C3) the mechanism's copies arrive as groups of asynchronous copies, and it has a
      further buffer if `$extra` is given.
    - (C4) if the mechanism covers rows, constraints (C3) and (C4) of
      `tile_gpu.align_rows` hold; `-convert-tile-to-nvgpu` verifies them.

    Example: see test/Transforms/bufferize.mlir.
  }];
  let arguments = (ins
    Arg<Tile_Array, "", [MemRead]>:$source,
    Variadic<Index>:$offsets,
    Arg<Tile_SharedBuffer, "", [MemWrite]>:$dest,
    Arg<Optional<Tile_SharedBuffer>, "", [MemWrite]>:$extra,
    Optional<I1>:$condition,
    TileGpu_CopyMechanismAttr:$copy_mechanism,
    UnitAttr:$in_bounds);
  let assemblyFormat = [{
    $source `[` $offsets `]` `to` $dest (`if` $condition^)?
    `` custom<CopyMechanism>($copy_mechanism, $extra, type($extra))
    (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def TileGpu_AlignRowsOp : TileGpu_Op<"align_rows", [
    Tile_MadeBy<"kExpandPipeline">, AttrSizedOperandSegments]> {
  let summary = "shift rows that were copied by aligned chunks to their positions";
  let description = [{
    Shifts each row of `$dest` to its position in the buffer's layout. `$dest` contains
    the chunks that a `tile_gpu.copy_async` of the box of `$source` at `$offsets`, which
    covers rows, wrote, after a wait for this copy. The chunk with the end of a row is the
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

} // opDocGroup

#endif // TILE_IR_GPU_COPYOPS
