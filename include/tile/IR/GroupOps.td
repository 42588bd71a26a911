// Fusion groups: operations on tensors that become one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GROUPOPS
#define TILE_IR_GROUPOPS

include "tile/IR/TileOpBase.td"

def Tile_FusionGroup : OpDocGroup {
  let summary = "Fusion groups";
  let description = [{
    Groups of operations on tensors, in a function of the host, that become one kernel
    each (docs/Linalg.md). A program may contain groups, and `-tile-form-groups` creates
    groups of the other operations. `-tile-outline-groups` makes a kernel and a launch
    of each group.
  }];
}

let opDocGroup = Tile_FusionGroup in {

def Tile_GroupOp : Tile_Op<"group", [
    Tile_HostOperation, NoRegionArguments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations on tensors that become one kernel";
  let description = [{
    Computes the tensors that the region yields, in one kernel. The region may use
    tensors and scalars from outside. The kernel stores each result to an array, from
    which later groups load it. A value that the region does not yield stays in tiles.

    The group has loops with the indices 0, 1, and so on. The members of the group are
    the `linalg.generic` operations with an attribute `tile.loops`, which has the index
    of a loop of the group for each loop of the operation. Members that have a loop in
    common run through it together. Operations without the attribute are computed where
    a member reads their results. `tiles` has, for each loop of the group, the number of
    its iterations in one tile; if it is not given, `-tile-tile-groups` chooses it.

    Cost: that of the kernel.

    Constraints:
    - (C1) the region yields one tensor for each result, of its type.
    - (C2) each value of `tiles` is positive.
    - (C3) the operation is in a function of the host, not in a kernel.

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
    Returns `$weights`, and states that they are, up to rounding, the softmax of
    `$scores` along dimension `$dim` of the weights:
    exp(s - max s) / sum exp(s - max s). For a row whose scores are all minus infinity,
    the weights are zero with `safe`, and NaN without it. The scores may have their
    dimensions in another order than the weights.

    A matmul that reads the result, and sums over this dimension, may instead compute
    the weights from the scores, in one pass through these (Milakov and Gimelshein,
    "Online normalizer calculation for softmax", 2018). `-tile-linalg-normalize` creates
    the operation if a matmul reads a softmax. `-tile-form-groups` keeps it in a group
    whose matmul is computed in this way, and replaces it with the weights elsewhere.

    Cost: none by itself.

    Constraints:
    - (C1) scores and weights have elements of floating-point types.
    - (C2) `$dim` is a dimension of the weights.
    - (C3) the operation is in a function of the host, not in a kernel.

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
