// Functions of linalg as kernels and their launches.
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
    buffers becomes one of tensors. An array that it writes becomes a result, before
    the results that the function has, with the attribute `tile.result_array`: the
    argument whose array the result uses. Functions of tensors stay as they are.

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

    Preconditions: arrays of different arguments do not overlap. No function calls one
    of these: `-convert-linalg-to-tile` does take a caller that gives arrays, as its
    result does.

    Postconditions: no operation on a buffer in these functions.
  }];
}

def LinalgNormalize : LinalgPass<"tile-linalg-normalize"> {
  let summary = "bring operations on tensors into the form that groups take";
  let description = [{
    Step 2 of `-convert-linalg-to-tile`. Operations of `linalg`, and of `arith` and
    `math` on tensors, become `linalg.generic`; loops of extent one and results that
    nobody reads are dropped; convolutions become matmuls of windows; reshapes follow
    the operations that they can follow. Requirements of operations on
    sizes that are known only at run time become `cf.assert`s. A softmax that a matmul reads gets a
    `tile.online_softmax`:

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

    A function that has a `tile.group` is in this form already, and stays as it is.

    Postconditions: the operations are those that docs/Linalg.md lists; others are an
    error at their line.
  }];
}

def FormGroups : LinalgPass<"tile-form-groups"> {
  let summary = "put operations on tensors that become one kernel into groups";
  let description = [{
    Step 3 of `-convert-linalg-to-tile`. Each group is grown from a matmul or a
    reduction (docs/Linalg.md). Operations without a group, such as elementwise ones on
    arguments and slices, stay outside: each kernel that reads them computes them. A
    group of the program stays as it is, and no operation joins it.

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

    Postconditions: each result of the function is a result of a group of its own, or a
    reshape of one. A group reads arguments, constants, results of groups before it,
    reshapes of these, and values that it can compute from them.
  }];
}

def TileGroups : LinalgPass<"tile-tile-groups"> {
  let summary = "choose the tiles of groups";
  let description = [{
    Step 4 of `-convert-linalg-to-tile`. Chooses the number of iterations of each loop
    that one tile has, for groups that have no `tiles`: for a matmul those that take the
    least time by a model of the architecture, for others so many elements that each
    thread has about 16.

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
           "the architecture that sizes of tiles are chosen for, such as sm_90a; "
           "without it the module's tile.target, without that sm_80">];
}

def OutlineGroups : LinalgPass<"tile-outline-groups"> {
  let summary = "make a kernel and a launch of each group";
  let description = [{
    Step 5 of `-convert-linalg-to-tile`. Each group becomes a `tile.kernel`, whose block
    computes a tile of the group's results, and the function one of the host that
    launches the kernels on arrays:

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

    Postconditions: no operation of `linalg` or `tensor` in these functions.
  }];
}

def ConvertLinalgToTile : LinalgPass<"convert-linalg-to-tile"> {
  let summary = "turn functions of linalg into kernels and launches";
  let description = [{
    The way in from upstream's dialects, in five steps: `-tile-linalg-from-buffers`,
    `-tile-linalg-normalize`, `-tile-form-groups`, `-tile-tile-groups`,
    `-tile-outline-groups`. Each function that has tensors, or
    operations of `linalg` on buffers, becomes a function of the host on buffers,
    and the operations of `linalg` and `tensor` in it become `tile.kernel`s, each a
    group of operations that one block computes of a tile of the result: a matmul with
    computations on its operands and on its result, the reductions of a row with the
    computations between them, attention, an elementwise chain. docs/Linalg.md lists
    the operations that are taken, their groups, and those that are refused.

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

    An argument that is a tensor becomes an array, a result an array after the
    arguments, in order, which the caller has made of the result's size. Arrays
    between two kernels are allocated once, in the function of the host; constants of
    several elements, at most 1 MiB a function, are `memref.global`s. Arrays of a
    function on buffers must not overlap.

    Postconditions: no operation of `linalg` or `tensor`; a function of the host has
    `memref.alloc`, `memref.get_global`, `memref.dim`, views of arrays, arithmetic
    on scalars, `cf.assert`, `tile.launch` and `func.return`. An operation that cannot
    be converted is an error at its line.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture that sizes of tiles are chosen for, such as sm_90a; "
           "without it the module's tile.target, without that sm_80">];
}

#endif // TILE_CONVERSION_LINALGTOTILE
