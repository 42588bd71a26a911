// By networks.py.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<2x3x12x14xf16>, %arg1: tensor<24x3x3x3xf16>, %arg2: tensor<24xf16>, %arg3: tensor<16x24x3x3xf16>, %arg4: tensor<16xf16>, %arg5: tensor<10x16xf16>, %arg6: tensor<10xf16>) -> tensor<2x10xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFC00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 6.000000e+00 : f16
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg7: index, %arg8: index, %arg9: index, %arg10: index):
      tensor.yield %cst : f16
    } : tensor<2x3x12x14xf16> to tensor<2x3x14x16xf16>
    %0 = tensor.empty() : tensor<2x24x12x14xf32>
    %1 = tensor.empty() : tensor<24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<24xf32>
    %broadcasted = linalg.broadcast ins(%2 : tensor<24xf32>) outs(%0 : tensor<2x24x12x14xf32>) dimensions = [0, 2, 3]
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<2x3x14x16xf16>, tensor<24x3x3x3xf16>) outs(%broadcasted : tensor<2x24x12x14xf32>) -> tensor<2x24x12x14xf32>
    %4 = tensor.empty() : tensor<2x24x12x14xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x24x12x14xf32>) outs(%4 : tensor<2x24x12x14xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x24x12x14xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x24x12x14xf16>) outs(%4 : tensor<2x24x12x14xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.cmpf ugt, %in, %cst : f16
      %37 = arith.select %36, %in, %cst : f16
      linalg.yield %37 : f16
    } -> tensor<2x24x12x14xf16>
    %7 = tensor.empty() : tensor<2x24x6x7xf16>
    %8 = linalg.fill ins(%cst_0 : f16) outs(%7 : tensor<2x24x6x7xf16>) -> tensor<2x24x6x7xf16>
    %9 = tensor.empty() : tensor<2x2xf16>
    %10 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%6, %9 : tensor<2x24x12x14xf16>, tensor<2x2xf16>) outs(%8 : tensor<2x24x6x7xf16>) -> tensor<2x24x6x7xf16>
    %11 = tensor.empty() : tensor<2x16x2x3xf32>
    %12 = tensor.empty() : tensor<16xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg4 : tensor<16xf16>) outs(%12 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<16xf32>
    %broadcasted_3 = linalg.broadcast ins(%13 : tensor<16xf32>) outs(%11 : tensor<2x16x2x3xf32>) dimensions = [0, 2, 3]
    %14 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%10, %arg3 : tensor<2x24x6x7xf16>, tensor<16x24x3x3xf16>) outs(%broadcasted_3 : tensor<2x16x2x3xf32>) -> tensor<2x16x2x3xf32>
    %15 = tensor.empty() : tensor<2x16x2x3xf16>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x16x2x3xf32>) outs(%15 : tensor<2x16x2x3xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x16x2x3xf16>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x16x2x3xf16>) outs(%15 : tensor<2x16x2x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.cmpf ugt, %in, %cst : f16
      %37 = arith.select %36, %in, %cst : f16
      linalg.yield %37 : f16
    } -> tensor<2x16x2x3xf16>
    %18 = tensor.empty() : tensor<2x16x1x1xf16>
    %19 = linalg.fill ins(%cst : f16) outs(%18 : tensor<2x16x1x1xf16>) -> tensor<2x16x1x1xf16>
    %20 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%17 : tensor<2x16x2x3xf16>) outs(%19 : tensor<2x16x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %out : f16
      linalg.yield %36 : f16
    } -> tensor<2x16x1x1xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x16x1x1xf16>) outs(%18 : tensor<2x16x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.divf %in, %cst_2 : f16
      linalg.yield %36 : f16
    } -> tensor<2x16x1x1xf16>
    %collapsed = tensor.collapse_shape %21 [[0], [1, 2, 3]] : tensor<2x16x1x1xf16> into tensor<2x16xf16>
    %22 = tensor.empty() : tensor<16x10xf16>
    %transposed = linalg.transpose ins(%arg5 : tensor<10x16xf16>) outs(%22 : tensor<16x10xf16>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<10xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<10xf16>) outs(%23 : tensor<10xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<10xf32>
    %25 = tensor.empty() : tensor<2x16xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<2x16xf16>) outs(%25 : tensor<2x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<2x16xf32>
    %27 = tensor.empty() : tensor<16x10xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<16x10xf16>) outs(%27 : tensor<16x10xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<16x10xf32>
    %29 = tensor.empty() : tensor<2x10xf32>
    %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %31 = linalg.matmul ins(%26, %28 : tensor<2x16xf32>, tensor<16x10xf32>) outs(%30 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<10xf32>) outs(%29 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x10xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%31, %32 : tensor<2x10xf32>, tensor<2x10xf32>) outs(%29 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %36 = arith.addf %in, %in_4 : f32
      linalg.yield %36 : f32
    } -> tensor<2x10xf32>
    %34 = tensor.empty() : tensor<2x10xf16>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<2x10xf32>) outs(%34 : tensor<2x10xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x10xf16>
    return %35 : tensor<2x10xf16>
  }
}
