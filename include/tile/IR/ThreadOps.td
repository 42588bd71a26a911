// Threads: regions that each thread runs by itself, and stacks that a block shares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_THREADOPS
#define TILE_IR_THREADOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ThreadGroup : OpDocGroup {
  let summary = "Threads";
  let description = [{
    Regions that each thread runs by itself, and stacks that the block's threads share.
    All other operations are uniform over the block.
  }];
}

/// The constraint that a tile has the shape of `values`, and integers of `width` bits.
class Tile_IntegersOfShape<string operand, int width>
    : TypesMatchWith<operand # " has the values' shape and elements of i" # width,
          "values", operand,
          "::tile::TileType::get(::llvm::cast<::tile::TileType>($_self)"
          ".getShape(), ::mlir::IntegerType::get($_self.getContext(), "
          # width # "))">;

let opDocGroup = Tile_ThreadGroup in {

def Tile_PerThreadOp : Tile_Op<"per_thread", [
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getRequiredLayout"]>,
    Tile_CostOpInterface, Tile_ThreadRegion,
    SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a region that every thread of the block runs";
  let description = [{
    Each of the `block` threads that the kernel requests runs the region once, also if
    the block is not a multiple of 32 threads. The region's first argument is the
    thread's index in the block. The other arguments are the thread's part of each of
    `$inputs`: the element at the thread's index, or, for a tile of more dimensions, the
    vector of all elements at this index along the first dimension. The region yields
    the thread's part of each result.

    The region may have operations of `arith`, `math`, `scf` and `memref` on scalars,
    vectors and the kernel's arrays; operations of `vector` that have a counterpart in
    LLVM (`vector.extract`, `insert`, `broadcast`, `shuffle`, `fma`, `reduction`,
    `bitcast`, `load`, `store`, ...); and inline PTX (`nvvm.inline_ptx`,
    `llvm.inline_asm`), which only the GPU path can run.

    Accesses of the region to arrays are ordered with the accesses of other operations,
    as those of `tile.load` and `tile.store` are. Within the region, accesses of
    different threads are not ordered: it is undefined behaviour if two threads access
    the same element and one of them writes it.

    Cost: that of the region, and of layout conversions of inputs and results. If the
    block is not a multiple of 32 threads, also a test, and a shuffle for each register
    of the results.

    Constraints:
    - (C1) the kernel has a `block`, since the result depends on the number of threads.
    - (C2) inputs and results have at least one dimension, and the first extent is the
      number of threads. With more dimensions, the elements are not complex.
    - (C3) the region's arguments are an index and a thread's part of each input; it
      yields a thread's part of each result.
    - (C4) except for `tile.yield` and `nvvm.inline_ptx`, the region has no operation on
      tiles, of the tile dialect, or of a GPU dialect (gpu, nvgpu, nvvm). No operation
      of the region allocates memory or calls a function.

    Example: each thread doubles its element.

    ```mlir
    %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<64xf32> {
    ^bb0(%thread: index, %x: f32):
      %y = arith.addf %x, %x : f32
      tile.yield %y : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^ `:` qualified(type($inputs)))?
    (`to` qualified(type($results))^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 2; }
    int64_t getRegionRuns(int64_t) { return 1; }
  }];
}

def Tile_PushOp : Tile_Op<"push", [Pure, Tile_Composite,
    AllTypesMatch<["stack", "result"]>,
    Tile_IntegersOfShape<"mask", 1>, Tile_IntegersOfShape<"places", 32>]> {
  let summary = "push elements onto a stack";
  let description = [{
    A stack consists of a tile, whose extent is its capacity, and of the number of its
    elements, `$count`, which are the first elements of the tile. The elements of
    `$values` for which `$mask` is true are pushed in row-major order, as long as the
    stack is not full. `$result` is the new tile and `$new_count` the new number of
    elements. `$places` has the index of each pushed element in the stack, and -1 for
    the others. The operation is composite: a `tile.scan` and a `tile.put`.

    Cost: that of a scan of the mask, and one trip through shared memory.

    Constraints:
    - (C1) the stack has one dimension.
    - (C2) `$values` has at least one dimension, and the stack's element type.
    - (C3) `$mask` and `$places` have the shape of `$values`; `$mask` has elements of
      i1, `$places` of i32.

    Example:

    ```mlir
    %s, %n, %places = tile.push %v mask %m onto %stack, %count
        : !tile.tile<256xf32> onto !tile.tile<1000xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$values, Tile_Tile:$mask, Tile_Tile:$stack,
                       I32:$count);
  let results = (outs Tile_Tile:$result, I32:$new_count, Tile_Tile:$places);
  let assemblyFormat = [{
    $values `mask` $mask `onto` $stack `,` $count attr-dict
    `:` qualified(type($values)) `onto` qualified(type($stack))
  }];
  let hasVerifier = 1;
}

def Tile_PopOp : Tile_Op<"pop", [Pure, Tile_Composite,
    Tile_IntegersOfShape<"mask", 1>,
    Tile_IntegersOfShape<"places", 32>]> {
  let summary = "pop elements from a stack";
  let description = [{
    Pops elements from a stack (see `tile.push`). In row-major order, each element of
    `$values` for which `$mask` is true is the next element from the top, as long as the
    stack is not empty; all other elements are zero. `$places` has the index in the
    stack from which each element was popped, and -1 for the others. `$new_count` is the
    number of elements left; the stack's tile does not change. The operation is
    composite: a `tile.scan` and a `tile.take`.

    Cost: that of a scan of the mask, and one trip through shared memory.

    Constraints:
    - (C1) the stack has one dimension.
    - (C2) `$values` has at least one dimension, and the stack's element type.
    - (C3) `$mask` and `$places` have the shape of `$values`; `$mask` has elements of
      i1, `$places` of i32.

    Example:

    ```mlir
    %v, %n, %places = tile.pop %stack, %count mask %m
        : !tile.tile<1000xf32> to !tile.tile<256xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$stack, I32:$count, Tile_Tile:$mask);
  let results = (outs Tile_Tile:$values, I32:$new_count, Tile_Tile:$places);
  let assemblyFormat = [{
    $stack `,` $count `mask` $mask attr-dict
    `:` qualified(type($stack)) `to` qualified(type($values))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_THREADOPS
