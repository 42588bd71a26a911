// Debugging: output and assertions of a running program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_DEBUGOPS
#define TILE_IR_DEBUGOPS

include "tile/IR/TileOpBase.td"

def Tile_DebugGroup : OpDocGroup {
  let summary = "Debugging";
  let description = [{
    Output and assertions of a running program, on the GPU, on the emulator and on the
    CPU path.
  }];
}

let opDocGroup = Tile_DebugGroup in {

def Tile_PrintOp : Tile_Op<"print", [
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_StorageOpInterface, ["getOperandPlacement"]>,
    Tile_LayoutOpInterface,
    DeclareOpInterfaceMethods<Tile_BufferizeOpInterface>,
    MemoryEffects<[MemWrite<DefaultResource>]>]> {
  let summary = "print a tile or a scalar, once a block";
  let description = [{
    Prints `$text`, the block's coordinates in the grid, and the value. For a tile it
    prints the shape, element type and storage, and then the elements, with one line for
    each row. Each block prints its lines together; the order of blocks is not
    specified. Floating-point elements have 6 digits, complex elements are in
    parentheses, and elements of i1 are 0 or 1.

    ```
    sums (0, 2, 0): 2x3xf32, register
     1 -0.5 3
     2.25 1e+10 nan
    ```

    The printed storage is that of the kernel's `tile.storage`, or `memory` on the CPU
    path. `-tile-bufferize` copies a tile in registers to shared memory for the thread
    that prints it, and records the tile's own storage in `storage`.

    Cost: on the GPU, one thread prints all elements by `vprintf` (CUDA C++ Programming
    Guide, "Formatted Output"), one block at a time. This is meant for small tiles.

    Constraints:
    - (C1) `$text` contains no null character.

    Example: `tile.print "sums", %t : !tile.tile<4x4xf32>`
  }];
  let arguments = (ins
    StrAttr:$text,
    Arg<Optional<AnyTypeOf<[Tile_Scalar, Tile_Operand]>>, "", [MemRead]>:$value,
    OptionalAttr<StrAttr>:$storage);
  let assemblyFormat = [{
    $text (`,` $value^ `:` qualified(type($value)))? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 16; }
  }];
}

def Tile_AssertOp : Tile_Op<"assert", [
    Tile_CostOpInterface,
    Tile_StorageOpInterface,
    Tile_LayoutOpInterface,
    MemoryEffects<[MemWrite<DefaultResource>]>]> {
  let summary = "end the program if a condition does not hold";
  let description = [{
    If `$condition`, or an element of it, is false, the program ends with `$message` and
    the line of this operation. On the GPU it ends as by `assert` of CUDA C++: the
    launch fails with cudaErrorAssert. Each thread that holds a false element of a tile
    reports the failure. A false scalar is reported by each of the threads that the
    kernel's attribute `block` requests, but not by those that a launch adds to fill the
    last warp. On the emulator the block ends with a
    finding, one of the errors that the emulator lists after the run. On the CPU path
    the run ends with an error.

    Cost: a test for each element.

    Constraints:
    - (C1) the condition is an i1 or a tile of i1.
    - (C2) `$message` contains no null character.

    Example: `tile.assert %ok, "expected sorted rows" : !tile.tile<64xi1>`
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_Tile]>:$condition, StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $message attr-dict `:` qualified(type($condition))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 16; }
  }];
}

} // opDocGroup

#endif // TILE_IR_DEBUGOPS
