// The network of docs/Linalg.md's commands: x w^T + b.
func.func @main(%x: tensor<9x17xf32>, %w: tensor<5x17xf32>, %b: tensor<5xf32>) -> tensor<9x5xf32> {
  %e = tensor.empty() : tensor<9x5xf32>
  %s = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<9x5xf32>) dimensions = [0]
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x17xf32>, tensor<5x17xf32>) outs(%s : tensor<9x5xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %p = arith.mulf %a, %c : f32
    %t = arith.addf %d, %p : f32
    linalg.yield %t : f32
  } -> tensor<9x5xf32>
  return %y : tensor<9x5xf32>
}
