// By networks.py.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x9x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<96x32xf32>, %arg4: tensor<96xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32xf32>, %arg9: tensor<64x32xf32>, %arg10: tensor<64xf32>, %arg11: tensor<32x64xf32>, %arg12: tensor<32xf32>) -> tensor<2x9x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 2.8284271247461903 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 3.200000e+01 : f64
    %cst_7 = arith.constant 3.200000e+01 : f32
    %cst_8 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x9x32xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %86 = arith.extf %in : f32 to f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %2 = tensor.empty() : tensor<2x9x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x9x1xf64>) -> tensor<2x9x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x9x32xf64>) outs(%3 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x9x32xf64>, tensor<2x9x1xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f64, %in_31: f64, %out: f64):
      %86 = arith.subf %in, %in_31 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x9x32xf64>, tensor<2x9x32xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f64, %in_31: f64, %out: f64):
      %86 = arith.mulf %in, %in_31 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x9x32xf64>) outs(%3 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %10 = tensor.empty() : tensor<2x9x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x9x1xf64>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %86 = arith.truncf %in : f64 to f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x9x1xf32>) -> tensor<2x9x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x9x32xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_7 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_5 : f64 to f32
      %87 = arith.addf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x9x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %17 = tensor.empty() : tensor<2x9x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.subf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.mulf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.mulf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %22 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x32xf32>) outs(%22 : tensor<32x96xf32>) permutation = [1, 0]
    %23 = tensor.empty() : tensor<18x96xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<18x32xf32>, tensor<32x96xf32>) outs(%24 : tensor<18x96xf32>) -> tensor<18x96xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<96xf32>) outs(%23 : tensor<18x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x96xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<18x96xf32>, tensor<18x96xf32>) outs(%23 : tensor<18x96xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<18x96xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2, 3, 4]] output_shape [2, 9, 3, 4, 8] : tensor<18x96xf32> into tensor<2x9x3x4x8xf32>
    %28 = tensor.empty() : tensor<3x2x4x9x8xf32>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<2x9x3x4x8xf32>) outs(%28 : tensor<3x2x4x9x8xf32>) permutation = [2, 0, 3, 1, 4]
    %extracted_slice = tensor.extract_slice %transposed_9[0, 0, 0, 0, 0] [1, 2, 4, 9, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x9x8xf32> to tensor<1x2x4x9x8xf32>
    %extracted_slice_10 = tensor.extract_slice %transposed_9[1, 0, 0, 0, 0] [1, 2, 4, 9, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x9x8xf32> to tensor<1x2x4x9x8xf32>
    %extracted_slice_11 = tensor.extract_slice %transposed_9[2, 0, 0, 0, 0] [1, 2, 4, 9, 8] [1, 1, 1, 1, 1] : tensor<3x2x4x9x8xf32> to tensor<1x2x4x9x8xf32>
    %collapsed_12 = tensor.collapse_shape %extracted_slice_10 [[0, 1], [2], [3], [4]] : tensor<1x2x4x9x8xf32> into tensor<2x4x9x8xf32>
    %29 = tensor.empty() : tensor<2x4x8x9xf32>
    %transposed_13 = linalg.transpose ins(%collapsed_12 : tensor<2x4x9x8xf32>) outs(%29 : tensor<2x4x8x9xf32>) permutation = [0, 1, 3, 2]
    %collapsed_14 = tensor.collapse_shape %extracted_slice [[0, 1, 2], [3], [4]] : tensor<1x2x4x9x8xf32> into tensor<8x9x8xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x4x8x9xf32> into tensor<8x8x9xf32>
    %30 = tensor.empty() : tensor<8x9x9xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %32 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<8x9x8xf32>, tensor<8x8x9xf32>) outs(%31 : tensor<8x9x9xf32>) -> tensor<8x9x9xf32>
    %expanded_16 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [2, 4, 9, 9] : tensor<8x9x9xf32> into tensor<2x4x9x9xf32>
    %33 = tensor.empty() : tensor<2x4x9x9xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<2x4x9x9xf32>) outs(%33 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_4 : f64 to f32
      %87 = arith.divf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x9x9xf32>
    %35 = tensor.empty() : tensor<2x4x9xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<2x4x9xi64>) -> tensor<2x4x9xi64>
    %37 = tensor.empty() : tensor<2x4x9xf32>
    %38 = linalg.fill ins(%cst_1 : f32) outs(%37 : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
    %39:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x4x9x9xf32>) outs(%38, %36 : tensor<2x4x9xf32>, tensor<2x4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_31: i64):
      %86 = linalg.index 3 : index
      %87 = arith.index_cast %86 : index to i64
      %88 = arith.maximumf %in, %out : f32
      %89 = arith.cmpf ogt, %in, %out : f32
      %90 = arith.select %89, %87, %out_31 : i64
      linalg.yield %88, %90 : f32, i64
    } -> (tensor<2x4x9xf32>, tensor<2x4x9xi64>)
    %expanded_17 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [2, 4, 9, 1] : tensor<2x4x9xf32> into tensor<2x4x9x1xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_17 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%33 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.subf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x9x9xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x9x9xf32>) outs(%33 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.exp %in : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x9x9xf32>
    %42 = tensor.empty() : tensor<2x4x9x1xf32>
    %43 = linalg.fill ins(%cst_0 : f32) outs(%42 : tensor<2x4x9x1xf32>) -> tensor<2x4x9x1xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<2x4x9x9xf32>) outs(%43 : tensor<2x4x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x9x1xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<2x4x9x9xf32>, tensor<2x4x9x1xf32>) outs(%33 : tensor<2x4x9x9xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.divf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x4x9x9xf32>
    %collapsed_18 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<2x4x9x9xf32> into tensor<8x9x9xf32>
    %collapsed_19 = tensor.collapse_shape %extracted_slice_11 [[0, 1, 2], [3], [4]] : tensor<1x2x4x9x8xf32> into tensor<8x9x8xf32>
    %46 = tensor.empty() : tensor<8x9x8xf32>
    %47 = linalg.fill ins(%cst_0 : f32) outs(%46 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %48 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<8x9x9xf32>, tensor<8x9x8xf32>) outs(%47 : tensor<8x9x8xf32>) -> tensor<8x9x8xf32>
    %expanded_20 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [2, 4, 9, 8] : tensor<8x9x8xf32> into tensor<2x4x9x8xf32>
    %49 = tensor.empty() : tensor<2x9x4x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x4x9x8xf32>) outs(%49 : tensor<2x9x4x8xf32>) permutation = [0, 2, 1, 3]
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1], [2, 3]] : tensor<2x9x4x8xf32> into tensor<18x32xf32>
    %50 = tensor.empty() : tensor<32x32xf32>
    %transposed_23 = linalg.transpose ins(%arg5 : tensor<32x32xf32>) outs(%50 : tensor<32x32xf32>) permutation = [1, 0]
    %51 = tensor.empty() : tensor<18x32xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %53 = linalg.matmul ins(%collapsed_22, %transposed_23 : tensor<18x32xf32>, tensor<32x32xf32>) outs(%52 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<32xf32>) outs(%51 : tensor<18x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x32xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%53, %54 : tensor<18x32xf32>, tensor<18x32xf32>) outs(%51 : tensor<18x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<18x32xf32>
    %expanded_24 = tensor.expand_shape %55 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_24 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x9x32xf32>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %86 = arith.extf %in : f32 to f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %58 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%57 : tensor<2x9x32xf64>) outs(%3 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %59 : tensor<2x9x32xf64>, tensor<2x9x1xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f64, %in_31: f64, %out: f64):
      %86 = arith.subf %in, %in_31 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %60 : tensor<2x9x32xf64>, tensor<2x9x32xf64>) outs(%0 : tensor<2x9x32xf64>) {
    ^bb0(%in: f64, %in_31: f64, %out: f64):
      %86 = arith.mulf %in, %in_31 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x32xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<2x9x32xf64>) outs(%3 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.addf %in, %out : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x9x1xf64>) outs(%2 : tensor<2x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %86 = arith.divf %in, %cst_6 : f64
      linalg.yield %86 : f64
    } -> tensor<2x9x1xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x9x1xf64>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %86 = arith.truncf %in : f64 to f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<2x9x32xf32>) outs(%12 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.addf %in, %out : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_7 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.truncf %cst_5 : f64 to f32
      %87 = arith.addf %in, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x9x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x9x1xf32>) outs(%10 : tensor<2x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %66 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.subf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %68 : tensor<2x9x32xf32>, tensor<2x9x1xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.mulf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %arg7 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.mulf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %arg8 : tensor<2x9x32xf32>, tensor<32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    %collapsed_25 = tensor.collapse_shape %72 [[0, 1], [2]] : tensor<2x9x32xf32> into tensor<18x32xf32>
    %73 = tensor.empty() : tensor<32x64xf32>
    %transposed_26 = linalg.transpose ins(%arg9 : tensor<64x32xf32>) outs(%73 : tensor<32x64xf32>) permutation = [1, 0]
    %74 = tensor.empty() : tensor<18x64xf32>
    %75 = linalg.fill ins(%cst_0 : f32) outs(%74 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %76 = linalg.matmul ins(%collapsed_25, %transposed_26 : tensor<18x32xf32>, tensor<32x64xf32>) outs(%75 : tensor<18x64xf32>) -> tensor<18x64xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<64xf32>) outs(%74 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x64xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%76, %77 : tensor<18x64xf32>, tensor<18x64xf32>) outs(%74 : tensor<18x64xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<18x64xf32>
    %expanded_27 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [2, 9, 64] : tensor<18x64xf32> into tensor<2x9x64xf32>
    %79 = tensor.empty() : tensor<2x9x64xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x9x64xf32>) outs(%79 : tensor<2x9x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_8 : f32
      %87 = math.erf %86 : f32
      %88 = arith.addf %87, %cst_2 : f32
      %89 = arith.mulf %88, %cst_3 : f32
      %90 = arith.mulf %in, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<2x9x64xf32>
    %collapsed_28 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<2x9x64xf32> into tensor<18x64xf32>
    %81 = tensor.empty() : tensor<64x32xf32>
    %transposed_29 = linalg.transpose ins(%arg11 : tensor<32x64xf32>) outs(%81 : tensor<64x32xf32>) permutation = [1, 0]
    %82 = linalg.matmul ins(%collapsed_28, %transposed_29 : tensor<18x64xf32>, tensor<64x32xf32>) outs(%52 : tensor<18x32xf32>) -> tensor<18x32xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<32xf32>) outs(%51 : tensor<18x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<18x32xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%82, %83 : tensor<18x32xf32>, tensor<18x32xf32>) outs(%51 : tensor<18x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<18x32xf32>
    %expanded_30 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [2, 9, 32] : tensor<18x32xf32> into tensor<2x9x32xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %expanded_30 : tensor<2x9x32xf32>, tensor<2x9x32xf32>) outs(%17 : tensor<2x9x32xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %86 = arith.addf %in, %in_31 : f32
      linalg.yield %86 : f32
    } -> tensor<2x9x32xf32>
    return %85 : tensor<2x9x32xf32>
  }
}
