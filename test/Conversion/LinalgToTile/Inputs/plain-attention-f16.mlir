// softmax(q @ k.mT / 4) @ v in f16: the matmuls accumulate in f32 and round their
// results to f16, and the softmax is computed in f16.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x3x70x16xf16>, %arg1: tensor<2x3x201x16xf16>, %arg2: tensor<2x3x201x16xf16>) -> tensor<2x3x70x16xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %zero = arith.constant 0.000000e+00 : f16
    %lowest = arith.constant 0xFC00 : f16
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 4.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x3x16x201xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x3x201x16xf16>) outs(%0 : tensor<2x3x16x201xf16>) permutation = [0, 1, 3, 2]
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x70x16xf16> into tensor<6x70x16xf16>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x16x201xf16> into tensor<6x16x201xf16>
    %1 = tensor.empty() : tensor<6x70x201xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x70x201xf32>) -> tensor<6x70x201xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<6x70x16xf16>, tensor<6x16x201xf16>) outs(%2 : tensor<6x70x201xf32>) -> tensor<6x70x201xf32>
    %e3 = tensor.empty() : tensor<6x70x201xf16>
    %rounded = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<6x70x201xf32>) outs(%e3 : tensor<6x70x201xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x70x201xf16>
    %expanded = tensor.expand_shape %rounded [[0, 1], [2], [3]] output_shape [2, 3, 70, 201] : tensor<6x70x201xf16> into tensor<2x3x70x201xf16>
    %4 = tensor.empty() : tensor<2x3x70x201xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x70x201xf16>) outs(%4 : tensor<2x3x70x201xf16>) {
    ^bb0(%in: f16, %out: f16):
      %20 = arith.divf %in, %cst_1 : f16
      linalg.yield %20 : f16
    } -> tensor<2x3x70x201xf16>
    %6 = tensor.empty() : tensor<2x3x70xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x3x70xi64>) -> tensor<2x3x70xi64>
    %8 = tensor.empty() : tensor<2x3x70xf16>
    %9 = linalg.fill ins(%lowest : f16) outs(%8 : tensor<2x3x70xf16>) -> tensor<2x3x70xf16>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x3x70x201xf16>) outs(%9, %7 : tensor<2x3x70xf16>, tensor<2x3x70xi64>) {
    ^bb0(%in: f16, %out: f16, %out_7: i64):
      %20 = linalg.index 3 : index
      %21 = arith.index_cast %20 : index to i64
      %22 = arith.maximumf %in, %out : f16
      %23 = arith.cmpf ogt, %in, %out : f16
      %24 = arith.select %23, %21, %out_7 : i64
      linalg.yield %22, %24 : f16, i64
    } -> (tensor<2x3x70xf16>, tensor<2x3x70xi64>)
    %expanded_3 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 3, 70, 1] : tensor<2x3x70xf16> into tensor<2x3x70x1xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_3 : tensor<2x3x70x201xf16>, tensor<2x3x70x1xf16>) outs(%4 : tensor<2x3x70x201xf16>) {
    ^bb0(%in: f16, %in_7: f16, %out: f16):
      %20 = arith.subf %in, %in_7 : f16
      linalg.yield %20 : f16
    } -> tensor<2x3x70x201xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x3x70x201xf16>) outs(%4 : tensor<2x3x70x201xf16>) {
    ^bb0(%in: f16, %out: f16):
      %20 = math.exp %in : f16
      linalg.yield %20 : f16
    } -> tensor<2x3x70x201xf16>
    %13 = tensor.empty() : tensor<2x3x70x1xf16>
    %14 = linalg.fill ins(%zero : f16) outs(%13 : tensor<2x3x70x1xf16>) -> tensor<2x3x70x1xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x3x70x201xf16>) outs(%14 : tensor<2x3x70x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %20 = arith.addf %in, %out : f16
      linalg.yield %20 : f16
    } -> tensor<2x3x70x1xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<2x3x70x201xf16>, tensor<2x3x70x1xf16>) outs(%4 : tensor<2x3x70x201xf16>) {
    ^bb0(%in: f16, %in_7: f16, %out: f16):
      %20 = arith.divf %in, %in_7 : f16
      linalg.yield %20 : f16
    } -> tensor<2x3x70x201xf16>
    %collapsed_4 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<2x3x70x201xf16> into tensor<6x70x201xf16>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x201x16xf16> into tensor<6x201x16xf16>
    %17 = tensor.empty() : tensor<6x70x16xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<6x70x16xf32>) -> tensor<6x70x16xf32>
    %19 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<6x70x201xf16>, tensor<6x201x16xf16>) outs(%18 : tensor<6x70x16xf32>) -> tensor<6x70x16xf32>
    %e19 = tensor.empty() : tensor<6x70x16xf16>
    %narrow = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<6x70x16xf32>) outs(%e19 : tensor<6x70x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %20 = arith.truncf %in : f32 to f16
      linalg.yield %20 : f16
    } -> tensor<6x70x16xf16>
    %expanded_6 = tensor.expand_shape %narrow [[0, 1], [2], [3]] output_shape [2, 3, 70, 16] : tensor<6x70x16xf16> into tensor<2x3x70x16xf16>
    return %expanded_6 : tensor<2x3x70x16xf16>
  }
}
