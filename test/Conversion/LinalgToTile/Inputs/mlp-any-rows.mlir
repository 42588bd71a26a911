// By networks.py.
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x17xf32>, %arg1: tensor<33x17xf32>, %arg2: tensor<33xf32>, %arg3: tensor<5x33xf32>, %arg4: tensor<5xf32>) -> tensor<?x5xf32> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x17xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty() : tensor<17x33xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<33x17xf32>) outs(%1 : tensor<17x33xf32>) permutation = [1, 0]
    %2 = tensor.empty(%dim) : tensor<?x33xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x33xf32>) -> tensor<?x33xf32>
    %4 = linalg.matmul ins(%arg0, %transposed : tensor<?x17xf32>, tensor<17x33xf32>) outs(%3 : tensor<?x33xf32>) -> tensor<?x33xf32>
    %5 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %5, "negative values not allowed in new dimensions"
    %6 = tensor.empty(%dim) : tensor<?x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<33xf32>) outs(%6 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x33xf32>
    cf.assert %true, "mismatched size for broadcast"
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<?x33xf32>, tensor<?x33xf32>) outs(%2 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.addf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<?x33xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x33xf32>) outs(%2 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.cmpf ugt, %in, %cst : f32
      %18 = arith.select %17, %in, %cst : f32
      linalg.yield %18 : f32
    } -> tensor<?x33xf32>
    %10 = tensor.empty() : tensor<33x5xf32>
    %transposed_0 = linalg.transpose ins(%arg3 : tensor<5x33xf32>) outs(%10 : tensor<33x5xf32>) permutation = [1, 0]
    %11 = tensor.empty(%dim) : tensor<?x5xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x5xf32>) -> tensor<?x5xf32>
    %13 = linalg.matmul ins(%9, %transposed_0 : tensor<?x33xf32>, tensor<33x5xf32>) outs(%12 : tensor<?x5xf32>) -> tensor<?x5xf32>
    cf.assert %5, "negative values not allowed in new dimensions"
    %14 = tensor.empty(%dim) : tensor<?x5xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<5xf32>) outs(%14 : tensor<?x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x5xf32>
    cf.assert %true, "mismatched size for broadcast"
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%11 : tensor<?x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.addf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<?x5xf32>
    return %16 : tensor<?x5xf32>
  }
}
