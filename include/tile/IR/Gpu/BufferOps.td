// Buffers: tiles that buffers in shared memory hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_BUFFEROPS
#define TILE_IR_GPU_BUFFEROPS

include "tile/IR/Gpu/TileGpuDialect.td"

def TileGpu_BufferGroup : OpDocGroup {
  let summary = "Buffers";
  let description = [{
    Transfers of tiles between registers and buffers in shared memory.
  }];
}

let opDocGroup = TileGpu_BufferGroup in {

def TileGpu_FromBufferOp : TileGpu_Op<"from_buffer", [
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

def TileGpu_StoreSharedOp : TileGpu_Op<"store_shared", [
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

def TileGpu_LoadSharedOp : TileGpu_Op<"load_shared", [
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

def TileGpu_PutSharedOp : TileGpu_Op<"put_shared", [
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

} // opDocGroup

#endif // TILE_IR_GPU_BUFFEROPS
