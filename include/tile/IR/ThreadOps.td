// Threads: what each thread does by itself, and the block's stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_THREADOPS
#define TILE_IR_THREADOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_ThreadGroup : OpDocGroup {
  let summary = "Threads";
  let description = [{
    Operations of each thread by itself, and a stack that the block's threads share.
    Everything else is uniform over the block.
  }];
}

/// A tile of the shape of the values, of integers of some bits.
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
    Each thread that the kernel requests (`block`) runs the region once, whole
    warps or not. Its first argument is the thread's index in
    the block; then comes the thread's part of each of `$inputs`: the element at
    its index, or, of a tile of more dimensions, the vector of the elements at
    its index along the first one. It yields the thread's elements of the
    results. The region may have operations of `arith`, `math`, `scf` and
    `memref` on scalars, vectors and the kernel's arrays, of `vector` those that
    LLVM has (`vector.extract`, `insert`, `broadcast`, `shuffle`, `fma`,
    `reduction`, `bitcast`, `load`, `store`, ...), and inline PTX
    (`nvvm.inline_ptx`, `llvm.inline_asm`), which only the GPU path can run.
    Accesses of threads to arrays are ordered as those of `tile.load` and `tile.store`
    are; within the region they are not ordered between threads, and two threads that
    write one element, or one that reads an element that another one writes, are
    undefined behaviour.

    Cost: that of the region, and a change of layout of inputs and results; of a
    block that is no whole warps a test, and a shuffle a register of the results.

    Constraints:
    - (C1) the kernel has a `block`: the result depends on the number of threads.
    - (C2) inputs and results have at least one dimension, the first one of as
      many elements as the block has threads; with more dimensions, elements
      that are not complex.
    - (C3) the region's arguments are an index and a thread's part of each
      input; it yields a thread's part of each result.
    - (C4) no operation of the region is one of the tile dialect or, but for
      inline PTX, of a GPU's, allocates memory or calls a function.

    Example, each thread's element doubled, `tile` of a computed scalar, as Warp
    has it:

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
  let summary = "elements put on top of a stack";
  let description = [{
    A stack is a tile of its capacity and the number of its elements, which are
    the first ones of the tile. The elements of `$values` where `$mask` holds are
    put on top, in row-major order; `$places` has the index of each in the stack, and
    -1 for those that are not put there: where the mask is false, or the stack is
    full. `$count` becomes the number of elements on it. Composite: a
    `tile.scan` and a `tile.put`.

    Cost: that of a scan of the mask and of one trip through shared memory.

    Constraints:
    - (C1) the stack has one dimension.
    - (C2) the values have its element type, and at least one dimension.
    - (C3) `$mask` and `$places` have the values' shape, and elements of i1 and i32.

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
  let summary = "elements taken from the top of a stack";
  let description = [{
    Takes as many elements from the top of a stack (`tile.push`) as `$mask` holds
    for, or as there are: in row-major order, each element of `$values` where the
    mask holds is the next one from the top. `$places` has where each was, and -1
    for those that got none, which are zero. `$count` becomes the number of
    elements left; the tile stays as it is. Composite: a `tile.scan` and a
    `tile.take`.

    Cost: that of a scan of the mask and of one trip through shared memory.

    Constraints:
    - (C1) the stack has one dimension.
    - (C2) the values have its element type, and at least one dimension.
    - (C3) `$mask` and `$places` have the values' shape, and elements of i1 and i32.

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
