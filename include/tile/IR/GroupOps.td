// Fusion groups: operations on tensors that become one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GROUPOPS
#define TILE_IR_GROUPOPS

include "tile/IR/TileOpBase.td"

def Tile_FusionGroup : OpDocGroup {
  let summary = "Fusion groups";
  let description = [{
    Operations of a function of tensors that become one kernel
    (docs/Linalg.md). `-tile-form-groups` creates groups, and a program may have
    some before; `-tile-outline-groups` makes a kernel and a launch of each.
  }];
}

let opDocGroup = Tile_FusionGroup in {

def Tile_GroupOp : Tile_Op<"group", [
    Tile_HostOperation, NoRegionArguments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations on tensors that become one kernel";
  let description = [{
    Computes the tensors that its region yields, in one kernel. The region reads
    tensors and scalars from outside. A result is stored by the kernel, so later
    groups load it; a value that the region does not yield stays in tiles.

    The group has loops, numbered from zero. Each `linalg.generic` that is a
    member of the group has an attribute `tile.loops` with the group's loop for
    each of its own: members with one loop run through it together. Operations
    without the attribute are computed where a member reads them. `tiles` is the
    number of iterations of each loop that one tile has; `-tile-tile-groups`
    chooses it where it is not given.

    Cost: that of its kernel.

    Constraints:
    - (C1) the region yields a tensor for each result, of its type.
    - (C2) `tiles` are positive.
    - (C3) it is in a function of the host, not in a kernel.

    Example:

    ```mlir
    %sums = tile.group tiles [4, 1024] {
      %sum = linalg.generic {
          indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>)
          attrs = {tile.loops = array<i64: 0, 1>} {
      ^bb0(%element: f32, %partial: f32):
        %next = arith.addf %partial, %element : f32
        linalg.yield %next : f32
      } -> tensor<?xf32>
      tile.yield %sum : tensor<?xf32>
    } : tensor<?xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<DenseI64ArrayAttr>:$tiles);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`tiles` $tiles^)? attr-dict-with-keyword $body (`:` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_OnlineSoftmaxOp : Tile_Op<"online_softmax", [
    Tile_HostOperation, Pure, AllTypesMatch<["weights", "result"]>]> {
  let summary = "weights that a matmul may compute from scores as it goes";
  let description = [{
    The result is `$weights`, which are the softmax of `$scores`, up to rounding:
    exp(s - max s) / sum exp(s - max s) along dimension `$dim` of the weights. With
    `safe`, rows whose scores are all minus infinity have weights of zero, and NaN
    without. The scores may have their dimensions in another order.

    A matmul that sums over that dimension may compute its result from the scores
    instead, in one pass through them (Milakov and Gimelshein, "Online normalizer
    calculation for softmax", 2018). `-tile-linalg-normalize` creates the operation
    where a matmul reads a softmax; `-tile-form-groups` keeps it in a group whose
    matmul is computed so, and replaces it by the weights elsewhere.

    Cost: none by itself.

    Constraints:
    - (C1) scores and weights have elements of floating-point types.
    - (C2) `$dim` is a dimension of the weights.
    - (C3) it is in a function of the host, not in a kernel.

    Example:

    ```mlir
    %w = tile.online_softmax %weights of %scores dim 1 : tensor<?x?xf16>, tensor<?x?xf32>
    %s = tile.online_softmax %weights of %scores dim 1 safe : tensor<?x?xf16>, tensor<?x?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$weights, AnyRankedTensor:$scores,
                       I64Attr:$dim, UnitAttr:$safe);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $weights `of` $scores `dim` $dim (`safe` $safe^)? attr-dict
    `:` type($weights) `,` type($scores)
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_GROUPOPS
