// Functions of linalg operations to kernels and their launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_LINALGTOTILE
#define TILE_CONVERSION_LINALGTOTILE

include "mlir/Pass/PassBase.td"

class LinalgPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::tile::TileDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LinalgFromBuffers : LinalgPass<"tile-linalg-from-buffers"> {
  let summary = "turn functions of linalg on buffers into functions of tensors";
  let description = [{
    Step 1 of `-convert-linalg-to-tile`. A function whose `linalg` operations write
    buffers becomes a function of tensors. Each array that it writes becomes a result,
    before the results that the function already has. The attribute `tile.result_array`
    of this result is the index of the argument whose array the result uses. Functions
    of tensors are not changed.

    ```mlir
    // before
    func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>) {
      linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
      return
    }

    // after
    func.func @scale(%x: tensor<?xf32>, %y: tensor<?xf32>)
        -> (tensor<?xf32> {tile.result_array = 1 : i64}) {
      %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    ```

    Preconditions: arrays of different arguments do not overlap. No function calls a
    converted function, since its types change. (After all steps it has arrays again, so
    that a module for `-convert-linalg-to-tile` may have such calls.)

    Postconditions: the converted functions have no operation on a buffer.
  }];
}

def LinalgNormalize : LinalgPass<"tile-linalg-normalize"> {
  let summary = "bring operations on tensors into the form that groups require";
  let description = [{
    Step 2 of `-convert-linalg-to-tile`. Operations of `linalg`, and operations of
    `arith` and `math` on tensors, become `linalg.generic`. Loops of extent one and
    unused results are removed, convolutions become matmuls of windows, and reshapes are
    moved after other operations where possible. Requirements of operations on sizes
    that are known only at run time become `cf.assert`s. A softmax that a matmul reads
    gets a `tile.online_softmax`:

    ```mlir
    // before
    %p = linalg.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> ...
    %o = linalg.matmul ins(%p, %v : ...) outs(%zero : ...) -> ...

    // after
    %max = linalg.generic ...
    ...
    %p = linalg.generic ...
    %w = tile.online_softmax %p of %s dim 1 : tensor<?x?xf32>, tensor<?x?xf32>
    %o = linalg.generic ... ins(%w, %v : ...) ...
    ```

    A function with a `tile.group` must already be in this form, and is not changed.

    Postconditions: the functions have only operations that docs/Linalg.md lists; any
    other operation is an error at its line.
  }];
}

def FormGroups : LinalgPass<"tile-form-groups"> {
  let summary = "group operations on tensors that become one kernel";
  let description = [{
    Step 3 of `-convert-linalg-to-tile`. Each group starts with a matmul or a reduction,
    and other operations join it (docs/Linalg.md). Operations that belong to no group,
    such as slices and elementwise operations on arguments, stay outside: each kernel
    that reads their results computes them. A `tile.group` that is in the program before
    the pass is not changed, and no operation joins it.

    ```mlir
    // before
    %s = linalg.generic ... ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) ...
    return %s : tensor<?xf32>

    // after
    %g = tile.group {
      %s = linalg.generic ... attrs = {tile.loops = array<i64: 0, 1>} ...
      tile.yield %s : tensor<?xf32>
    } : tensor<?xf32>
    return %g : tensor<?xf32>
    ```

    Preconditions: the postconditions of `-tile-linalg-normalize`.

    Postconditions: each result of the function is a different result of a group, or a
    reshape of one. A group reads arguments, constants, results of earlier groups,
    reshapes of these, and values that it can compute from them.
  }];
}

def TileGroups : LinalgPass<"tile-tile-groups"> {
  let summary = "choose the tiles of groups";
  let description = [{
    Step 4 of `-convert-linalg-to-tile`. For each group without `tiles`, chooses how
    many iterations of each loop one tile has. A group with a matmul gets the tile with
    the least estimated time on the architecture. Other groups get tiles of about 2048
    elements, 16 for each thread.

    ```mlir
    // before
    %g = tile.group { ... } : tensor<?xf32>

    // after
    %g = tile.group tiles [2, 1024] { ... } : tensor<?xf32>
    ```

    Postconditions: each group has `tiles`.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture for which tile sizes are chosen, such as sm_90a; by "
           "default the module's tile.target, or sm_80 if it has none">];
}

def OutlineGroups : LinalgPass<"tile-outline-groups"> {
  let summary = "make a kernel and a launch of each group";
  let description = [{
    Step 5 of `-convert-linalg-to-tile`. Each group becomes a `tile.kernel`, each block
    of which computes a tile of the group's results. The function becomes a function of
    the host, which launches the kernels on arrays:

    ```mlir
    // before
    func.func @sums(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %g = tile.group tiles [2, 1024] { ... } : tensor<?xf32>
      return %g : tensor<?xf32>
    }

    // after
    tile.kernel @sums_rows(%out: memref<?xf32>, %x: memref<?x?xf32>) attributes {grid = ...} {
      ...
    }
    func.func @sums(%x: memref<?x?xf32>, %out: memref<?xf32>) {
      tile.launch @sums_rows(%out, %x) : memref<?xf32>, memref<?x?xf32>
      return
    }
    ```

    Preconditions: the postconditions of `-tile-form-groups` and `-tile-tile-groups`.

    Postconditions: the functions have no operation of `linalg` or `tensor`.
  }];
}

def ConvertLinalgToTile : LinalgPass<"convert-linalg-to-tile"> {
  let summary = "turn functions of linalg into kernels and launches";
  let description = [{
    Converts programs of upstream's dialects to tile programs, in five steps:
    `-tile-linalg-from-buffers`, `-tile-linalg-normalize`, `-tile-form-groups`,
    `-tile-tile-groups` and `-tile-outline-groups`. Each function that has tensors,
    operations of `linalg` on buffers, or copies of arrays, becomes a function of the
    host on arrays. Its operations of `linalg` and `tensor` become `tile.kernel`s. Each
    kernel computes a group of operations, one tile of the results in each block: for
    example a matmul with computations on its operands and its result, the reductions of
    a row with the computations between them, attention, or a chain of elementwise
    operations. docs/Linalg.md lists the operations that can be converted, how they are
    grouped, and those that are refused.

    ```mlir
    // before
    func.func @main(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>) -> tensor<?x10xf32> {
      ...
      %s = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>)
                         outs(%zero : tensor<?x10xf32>) -> tensor<?x10xf32>
      return %s : tensor<?x10xf32>
    }

    // after
    tile.kernel @main_matmul(%a: memref<?x64xf32>, %b: memref<64x10xf32>,
                             %out: memref<?x10xf32>) attributes {grid = ...} {
      ...
    }
    func.func @main(%a: memref<?x64xf32>, %b: memref<64x10xf32>, %out: memref<?x10xf32>) {
      tile.launch @main_matmul(%a, %b, %out)
          : memref<?x64xf32>, memref<64x10xf32>, memref<?x10xf32>
      return
    }
    ```

    A tensor argument becomes an array. A tensor result becomes an array after the
    arguments, in order, which the caller allocates with the result's size. An array
    that one kernel stores for another is allocated once, in the function of the host.
    Constants of several elements, at most 1 MiB in a function, become `memref.global`s.
    The arrays of different arguments of a function on buffers must not overlap.

    Postconditions: there is no operation of `linalg` or `tensor`. A function of the
    host has `memref.alloc`, `memref.get_global`, `memref.dim`, views of arrays,
    arithmetic on scalars, `cf.assert`, `tile.launch` and `func.return`. An operation
    that cannot be converted is an error at its line.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture for which tile sizes are chosen, such as sm_90a; by "
           "default the module's tile.target, or sm_80 if it has none">];
}

#endif // TILE_CONVERSION_LINALGTOTILE
