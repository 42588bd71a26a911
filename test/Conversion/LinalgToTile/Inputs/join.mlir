// By networks.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %concat = tensor.concat dim(1) %arg0, %arg1 : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<3x9xf32>
    %extracted_slice = tensor.extract_slice %concat[0, 2] [3, 5] [1, 1] : tensor<3x9xf32> to tensor<3x5xf32>
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.mulf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
}
