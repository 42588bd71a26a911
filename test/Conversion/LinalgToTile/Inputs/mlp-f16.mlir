// By networks.py.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<70x33xf16>, %arg1: tensor<90x33xf16>, %arg2: tensor<90xf16>, %arg3: tensor<21x90xf16>, %arg4: tensor<21xf16>) -> tensor<70x21xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f16
    %0 = tensor.empty() : tensor<33x90xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<90x33xf16>) outs(%0 : tensor<33x90xf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<90xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<90xf16>) outs(%1 : tensor<90xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<90xf32>
    %3 = tensor.empty() : tensor<70x33xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<70x33xf16>) outs(%3 : tensor<70x33xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<70x33xf32>
    %5 = tensor.empty() : tensor<33x90xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<33x90xf16>) outs(%5 : tensor<33x90xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<33x90xf32>
    %7 = tensor.empty() : tensor<70x90xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<70x90xf32>) -> tensor<70x90xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<70x33xf32>, tensor<33x90xf32>) outs(%8 : tensor<70x90xf32>) -> tensor<70x90xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<90xf32>) outs(%7 : tensor<70x90xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<70x90xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<70x90xf32>, tensor<70x90xf32>) outs(%7 : tensor<70x90xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.addf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<70x90xf32>
    %12 = tensor.empty() : tensor<70x90xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<70x90xf32>) outs(%12 : tensor<70x90xf16>) {
    ^bb0(%in: f32, %out: f16):
      %28 = arith.truncf %in : f32 to f16
      linalg.yield %28 : f16
    } -> tensor<70x90xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<70x90xf16>) outs(%12 : tensor<70x90xf16>) {
    ^bb0(%in: f16, %out: f16):
      %28 = arith.cmpf ugt, %in, %cst_0 : f16
      %29 = arith.select %28, %in, %cst_0 : f16
      linalg.yield %29 : f16
    } -> tensor<70x90xf16>
    %15 = tensor.empty() : tensor<90x21xf16>
    %transposed_1 = linalg.transpose ins(%arg3 : tensor<21x90xf16>) outs(%15 : tensor<90x21xf16>) permutation = [1, 0]
    %16 = tensor.empty() : tensor<21xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg4 : tensor<21xf16>) outs(%16 : tensor<21xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<21xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<70x90xf16>) outs(%7 : tensor<70x90xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<70x90xf32>
    %19 = tensor.empty() : tensor<90x21xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_1 : tensor<90x21xf16>) outs(%19 : tensor<90x21xf32>) {
    ^bb0(%in: f16, %out: f32):
      %28 = arith.extf %in : f16 to f32
      linalg.yield %28 : f32
    } -> tensor<90x21xf32>
    %21 = tensor.empty() : tensor<70x21xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<70x21xf32>) -> tensor<70x21xf32>
    %23 = linalg.matmul ins(%18, %20 : tensor<70x90xf32>, tensor<90x21xf32>) outs(%22 : tensor<70x21xf32>) -> tensor<70x21xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<21xf32>) outs(%21 : tensor<70x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<70x21xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23, %24 : tensor<70x21xf32>, tensor<70x21xf32>) outs(%21 : tensor<70x21xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.addf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<70x21xf32>
    %26 = tensor.empty() : tensor<70x21xf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<70x21xf32>) outs(%26 : tensor<70x21xf16>) {
    ^bb0(%in: f32, %out: f16):
      %28 = arith.truncf %in : f32 to f16
      linalg.yield %28 : f16
    } -> tensor<70x21xf16>
    return %27 : tensor<70x21xf16>
  }
}
