// By networks.py.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<2x70x64xf16>, %arg1: tensor<64xf16>, %arg2: tensor<64xf16>, %arg3: tensor<192x64xf16>, %arg4: tensor<192xf16>, %arg5: tensor<64x64xf16>, %arg6: tensor<64xf16>, %arg7: tensor<64xf16>, %arg8: tensor<64xf16>, %arg9: tensor<128x64xf16>, %arg10: tensor<128xf16>, %arg11: tensor<64x128xf16>, %arg12: tensor<64xf16>) -> tensor<2x70x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<2x4x70x70xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_8 = arith.constant dense<true> : tensor<70x70xi1>
    %cst_9 = arith.constant 0xFFF0000000000000 : f64
    %cst_10 = arith.constant 1.000000e-05 : f64
    %cst_11 = arith.constant 6.400000e+01 : f64
    %cst_12 = arith.constant 6.400000e+01 : f32
    %cst_13 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x70x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x70x64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %2 = tensor.empty() : tensor<2x70x64xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x70x64xf32>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %4 = tensor.empty() : tensor<2x70x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x70x1xf64>) -> tensor<2x70x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x70x64xf64>) outs(%5 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x70x1xf64>) outs(%4 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_11 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x70x64xf64>, tensor<2x70x1xf64>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %138 = arith.subf %in, %in_39 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x70x64xf64>, tensor<2x70x64xf64>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %138 = arith.mulf %in, %in_39 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x70x64xf64>) outs(%5 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x70x1xf64>) outs(%4 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_11 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %12 = tensor.empty() : tensor<2x70x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x70x1xf64>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x70x1xf32>) -> tensor<2x70x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x70x64xf32>) outs(%14 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_12 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_10 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<2x70x64xf32>, tensor<2x70x1xf32>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.subf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x70x64xf32>, tensor<2x70x1xf32>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.mulf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x70x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %138 = arith.extf %in_39 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x70x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %138 = arith.extf %in_39 : f16 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x64xf32>
    %23 = tensor.empty() : tensor<2x70x64xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x70x64xf32>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x70x64xf16> into tensor<140x64xf16>
    %25 = tensor.empty() : tensor<64x192xf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<192x64xf16>) outs(%25 : tensor<64x192xf16>) permutation = [1, 0]
    %26 = tensor.empty() : tensor<192xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg4 : tensor<192xf16>) outs(%26 : tensor<192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<192xf32>
    %28 = tensor.empty() : tensor<140x64xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<140x64xf16>) outs(%28 : tensor<140x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<140x64xf32>
    %30 = tensor.empty() : tensor<64x192xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x192xf16>) outs(%30 : tensor<64x192xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<64x192xf32>
    %32 = tensor.empty() : tensor<140x192xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<140x192xf32>) -> tensor<140x192xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<140x64xf32>, tensor<64x192xf32>) outs(%33 : tensor<140x192xf32>) -> tensor<140x192xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<192xf32>) outs(%32 : tensor<140x192xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<140x192xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<140x192xf32>, tensor<140x192xf32>) outs(%32 : tensor<140x192xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.addf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<140x192xf32>
    %37 = tensor.empty() : tensor<140x192xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<140x192xf32>) outs(%37 : tensor<140x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<140x192xf16>
    %expanded = tensor.expand_shape %38 [[0, 1], [2, 3, 4]] output_shape [2, 70, 3, 4, 16] : tensor<140x192xf16> into tensor<2x70x3x4x16xf16>
    %39 = tensor.empty() : tensor<3x2x4x70x16xf16>
    %transposed_14 = linalg.transpose ins(%expanded : tensor<2x70x3x4x16xf16>) outs(%39 : tensor<3x2x4x70x16xf16>) permutation = [2, 0, 3, 1, 4]
    %extracted_slice = tensor.extract_slice %transposed_14[0, 0, 0, 0, 0] [1, 2, 4, 70, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x70x16xf16> to tensor<1x2x4x70x16xf16>
    %extracted_slice_15 = tensor.extract_slice %transposed_14[1, 0, 0, 0, 0] [1, 2, 4, 70, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x70x16xf16> to tensor<1x2x4x70x16xf16>
    %extracted_slice_16 = tensor.extract_slice %transposed_14[2, 0, 0, 0, 0] [1, 2, 4, 70, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x70x16xf16> to tensor<1x2x4x70x16xf16>
    %collapsed_17 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x4x70x16xf16> into tensor<2x4x70x16xf16>
    %collapsed_18 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2], [3], [4]] : tensor<1x2x4x70x16xf16> into tensor<2x4x70x16xf16>
    %collapsed_19 = tensor.collapse_shape %extracted_slice_16 [[0, 1], [2], [3], [4]] : tensor<1x2x4x70x16xf16> into tensor<2x4x70x16xf16>
    %40 = tensor.empty() : tensor<2x4x70x16xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_17 : tensor<2x4x70x16xf16>) outs(%40 : tensor<2x4x70x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x16xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_18 : tensor<2x4x70x16xf16>) outs(%40 : tensor<2x4x70x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x16xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_19 : tensor<2x4x70x16xf16>) outs(%40 : tensor<2x4x70x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x16xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x4x70x16xf32>) outs(%40 : tensor<2x4x70x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.mulf %in, %cst_13 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x16xf32>
    %45 = tensor.empty() : tensor<70xi64>
    %46 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%45 : tensor<70xi64>) {
    ^bb0(%out: i64):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      linalg.yield %139 : i64
    } -> tensor<70xi64>
    %expanded_20 = tensor.expand_shape %46 [[0, 1]] output_shape [1, 70] : tensor<70xi64> into tensor<1x70xi64>
    %expanded_21 = tensor.expand_shape %46 [[0, 1]] output_shape [70, 1] : tensor<70xi64> into tensor<70x1xi64>
    %47 = tensor.empty() : tensor<70x70xi64>
    %48 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x70xi64>, tensor<70x1xi64>) outs(%47 : tensor<70x70xi64>) {
    ^bb0(%in: i64, %in_39: i64, %out: i64):
      %138 = arith.subi %in, %in_39 : i64
      linalg.yield %138 : i64
    } -> tensor<70x70xi64>
    %49 = tensor.empty() : tensor<70x70xi1>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<70x70xi64>) outs(%49 : tensor<70x70xi1>) {
    ^bb0(%in: i64, %out: i1):
      %138 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %138 : i1
    } -> tensor<70x70xi1>
    %51 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%50, %cst_8 : tensor<70x70xi1>, tensor<70x70xi1>) outs(%49 : tensor<70x70xi1>) {
    ^bb0(%in: i1, %in_39: i1, %out: i1):
      %138 = arith.andi %in, %in_39 : i1
      linalg.yield %138 : i1
    } -> tensor<70x70xi1>
    %52 = tensor.empty() : tensor<70x70xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%51, %cst_6, %cst_7 : tensor<70x70xi1>, tensor<f32>, tensor<f32>) outs(%52 : tensor<70x70xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %138 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %138 : f32
    } -> tensor<70x70xf32>
    %54 = tensor.empty() : tensor<2x4x16x70xf32>
    %transposed_22 = linalg.transpose ins(%42 : tensor<2x4x70x16xf32>) outs(%54 : tensor<2x4x16x70xf32>) permutation = [0, 1, 3, 2]
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<2x4x16x70xf32>) outs(%54 : tensor<2x4x16x70xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.mulf %in, %cst_13 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x16x70xf32>
    %collapsed_23 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x4x70x16xf32> into tensor<8x70x16xf32>
    %collapsed_24 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<2x4x16x70xf32> into tensor<8x16x70xf32>
    %56 = tensor.empty() : tensor<8x70x70xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<8x70x70xf32>) -> tensor<8x70x70xf32>
    %58 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x70x16xf32>, tensor<8x16x70xf32>) outs(%57 : tensor<8x70x70xf32>) -> tensor<8x70x70xf32>
    %expanded_25 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 4, 70, 70] : tensor<8x70x70xf32> into tensor<2x4x70x70xf32>
    %59 = tensor.empty() : tensor<2x4x70x70xf32>
    %60 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25, %53 : tensor<2x4x70x70xf32>, tensor<70x70xf32>) outs(%59 : tensor<2x4x70x70xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.addf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x70xf32>
    %61 = tensor.empty() : tensor<2x4x70xi64>
    %62 = linalg.fill ins(%c0_i64 : i64) outs(%61 : tensor<2x4x70xi64>) -> tensor<2x4x70xi64>
    %63 = tensor.empty() : tensor<2x4x70xf32>
    %64 = linalg.fill ins(%cst_1 : f32) outs(%63 : tensor<2x4x70xf32>) -> tensor<2x4x70xf32>
    %65:2 = linalg.generic {indexing_maps = [#map6, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<2x4x70x70xf32>) outs(%64, %62 : tensor<2x4x70xf32>, tensor<2x4x70xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %138 = linalg.index 3 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.maximumf %in, %out : f32
      %141 = arith.cmpf ogt, %in, %out : f32
      %142 = arith.select %141, %139, %out_39 : i64
      linalg.yield %140, %142 : f32, i64
    } -> (tensor<2x4x70xf32>, tensor<2x4x70xi64>)
    %expanded_26 = tensor.expand_shape %65#0 [[0], [1], [2, 3]] output_shape [2, 4, 70, 1] : tensor<2x4x70xf32> into tensor<2x4x70x1xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %expanded_26 : tensor<2x4x70x70xf32>, tensor<2x4x70x1xf32>) outs(%59 : tensor<2x4x70x70xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.subf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x70xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<2x4x70x70xf32>) outs(%59 : tensor<2x4x70x70xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.exp %in : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x70xf32>
    %68 = tensor.empty() : tensor<2x4x70x1xf32>
    %69 = linalg.fill ins(%cst_0 : f32) outs(%68 : tensor<2x4x70x1xf32>) -> tensor<2x4x70x1xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<2x4x70x70xf32>) outs(%69 : tensor<2x4x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x1xf32>
    %71 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<2x4x70x70xf32>, tensor<2x4x70x1xf32>) outs(%59 : tensor<2x4x70x70xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.divf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x70xf32>
    %72 = tensor.empty() : tensor<2x4x70x70xi1>
    %73 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<2x4x70x70xf32>) outs(%72 : tensor<2x4x70x70xi1>) {
    ^bb0(%in: f32, %out: i1):
      %138 = arith.extf %in : f32 to f64
      %139 = arith.cmpf oeq, %138, %cst_9 : f64
      linalg.yield %139 : i1
    } -> tensor<2x4x70x70xi1>
    %74 = tensor.empty() : tensor<2x4x70x1xi1>
    %75 = linalg.fill ins(%true : i1) outs(%74 : tensor<2x4x70x1xi1>) -> tensor<2x4x70x1xi1>
    %76 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<2x4x70x70xi1>) outs(%75 : tensor<2x4x70x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %138 = arith.andi %in, %out : i1
      linalg.yield %138 : i1
    } -> tensor<2x4x70x1xi1>
    %77 = linalg.generic {indexing_maps = [#map12, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %cst_5, %71 : tensor<2x4x70x1xi1>, tensor<2x4x70x70xf32>, tensor<2x4x70x70xf32>) outs(%59 : tensor<2x4x70x70xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %138 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %138 : f32
    } -> tensor<2x4x70x70xf32>
    %collapsed_27 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<2x4x70x70xf32> into tensor<8x70x70xf32>
    %collapsed_28 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x4x70x16xf32> into tensor<8x70x16xf32>
    %78 = tensor.empty() : tensor<8x70x16xf32>
    %79 = linalg.fill ins(%cst_0 : f32) outs(%78 : tensor<8x70x16xf32>) -> tensor<8x70x16xf32>
    %80 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<8x70x70xf32>, tensor<8x70x16xf32>) outs(%79 : tensor<8x70x16xf32>) -> tensor<8x70x16xf32>
    %expanded_29 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [2, 4, 70, 16] : tensor<8x70x16xf32> into tensor<2x4x70x16xf32>
    %81 = tensor.empty() : tensor<2x4x70x16xf16>
    %82 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x4x70x16xf32>) outs(%81 : tensor<2x4x70x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<2x4x70x16xf16>
    %83 = tensor.empty() : tensor<2x70x4x16xf16>
    %transposed_30 = linalg.transpose ins(%82 : tensor<2x4x70x16xf16>) outs(%83 : tensor<2x70x4x16xf16>) permutation = [0, 2, 1, 3]
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<2x70x4x16xf16> into tensor<2x70x64xf16>
    %84 = tensor.empty() : tensor<64x64xf16>
    %transposed_32 = linalg.transpose ins(%arg5 : tensor<64x64xf16>) outs(%84 : tensor<64x64xf16>) permutation = [1, 0]
    %85 = tensor.empty() : tensor<2x64x64xf16>
    %86 = linalg.generic {indexing_maps = [#map13, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_32 : tensor<64x64xf16>) outs(%85 : tensor<2x64x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x64x64xf16>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x70x64xf32>) -> tensor<2x70x64xf32>
    %88 = linalg.batch_matmul ins(%collapsed_31, %86 : tensor<2x70x64xf16>, tensor<2x64x64xf16>) outs(%87 : tensor<2x70x64xf32>) -> tensor<2x70x64xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x70x64xf32>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    %90 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %arg6 : tensor<2x70x64xf16>, tensor<64xf16>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %138 = arith.addf %in, %in_39 : f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %90 : tensor<2x70x64xf16>, tensor<2x70x64xf16>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %138 = arith.addf %in, %in_39 : f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x70x64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x70x64xf32>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%93 : tensor<2x70x64xf64>) outs(%5 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x70x1xf64>) outs(%4 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_11 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %95 : tensor<2x70x64xf64>, tensor<2x70x1xf64>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %138 = arith.subf %in, %in_39 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %96 : tensor<2x70x64xf64>, tensor<2x70x64xf64>) outs(%2 : tensor<2x70x64xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %138 = arith.mulf %in, %in_39 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x64xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97 : tensor<2x70x64xf64>) outs(%5 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x70x1xf64>) outs(%4 : tensor<2x70x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_11 : f64
      linalg.yield %138 : f64
    } -> tensor<2x70x1xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<2x70x1xf64>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<2x70x64xf32>) outs(%14 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_12 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_10 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x70x1xf32>) outs(%12 : tensor<2x70x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %102 : tensor<2x70x64xf32>, tensor<2x70x1xf32>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.subf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %104 : tensor<2x70x64xf32>, tensor<2x70x1xf32>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.mulf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<2x70x64xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %arg7 : tensor<2x70x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %138 = arith.extf %in_39 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x64xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %arg8 : tensor<2x70x64xf32>, tensor<64xf16>) outs(%0 : tensor<2x70x64xf32>) {
    ^bb0(%in: f32, %in_39: f16, %out: f32):
      %138 = arith.extf %in_39 : f16 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<2x70x64xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x70x64xf32>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    %collapsed_33 = tensor.collapse_shape %109 [[0, 1], [2]] : tensor<2x70x64xf16> into tensor<140x64xf16>
    %110 = tensor.empty() : tensor<64x128xf16>
    %transposed_34 = linalg.transpose ins(%arg9 : tensor<128x64xf16>) outs(%110 : tensor<64x128xf16>) permutation = [1, 0]
    %111 = tensor.empty() : tensor<128xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg10 : tensor<128xf16>) outs(%111 : tensor<128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<128xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_33 : tensor<140x64xf16>) outs(%28 : tensor<140x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<140x64xf32>
    %114 = tensor.empty() : tensor<64x128xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_34 : tensor<64x128xf16>) outs(%114 : tensor<64x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<64x128xf32>
    %116 = tensor.empty() : tensor<140x128xf32>
    %117 = linalg.fill ins(%cst_0 : f32) outs(%116 : tensor<140x128xf32>) -> tensor<140x128xf32>
    %118 = linalg.matmul ins(%113, %115 : tensor<140x64xf32>, tensor<64x128xf32>) outs(%117 : tensor<140x128xf32>) -> tensor<140x128xf32>
    %119 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<128xf32>) outs(%116 : tensor<140x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<140x128xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%118, %119 : tensor<140x128xf32>, tensor<140x128xf32>) outs(%116 : tensor<140x128xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.addf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<140x128xf32>
    %121 = tensor.empty() : tensor<140x128xf16>
    %122 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%120 : tensor<140x128xf32>) outs(%121 : tensor<140x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<140x128xf16>
    %expanded_35 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [2, 70, 128] : tensor<140x128xf16> into tensor<2x70x128xf16>
    %123 = tensor.empty() : tensor<2x70x128xf16>
    %124 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x70x128xf16>) outs(%123 : tensor<2x70x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = math.sqrt %cst_3 : f16
      %139 = arith.divf %in, %138 : f16
      %140 = math.erf %139 : f16
      %141 = arith.addf %140, %cst_2 : f16
      %142 = arith.mulf %141, %cst_4 : f16
      %143 = arith.mulf %in, %142 : f16
      linalg.yield %143 : f16
    } -> tensor<2x70x128xf16>
    %collapsed_36 = tensor.collapse_shape %124 [[0, 1], [2]] : tensor<2x70x128xf16> into tensor<140x128xf16>
    %125 = tensor.empty() : tensor<128x64xf16>
    %transposed_37 = linalg.transpose ins(%arg11 : tensor<64x128xf16>) outs(%125 : tensor<128x64xf16>) permutation = [1, 0]
    %126 = tensor.empty() : tensor<64xf32>
    %127 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg12 : tensor<64xf16>) outs(%126 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<64xf32>
    %128 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_36 : tensor<140x128xf16>) outs(%116 : tensor<140x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<140x128xf32>
    %129 = tensor.empty() : tensor<128x64xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_37 : tensor<128x64xf16>) outs(%129 : tensor<128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<128x64xf32>
    %131 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<140x64xf32>) -> tensor<140x64xf32>
    %132 = linalg.matmul ins(%128, %130 : tensor<140x128xf32>, tensor<128x64xf32>) outs(%131 : tensor<140x64xf32>) -> tensor<140x64xf32>
    %133 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%127 : tensor<64xf32>) outs(%28 : tensor<140x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<140x64xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%132, %133 : tensor<140x64xf32>, tensor<140x64xf32>) outs(%28 : tensor<140x64xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %138 = arith.addf %in, %in_39 : f32
      linalg.yield %138 : f32
    } -> tensor<140x64xf32>
    %135 = tensor.empty() : tensor<140x64xf16>
    %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%134 : tensor<140x64xf32>) outs(%135 : tensor<140x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<140x64xf16>
    %expanded_38 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [2, 70, 64] : tensor<140x64xf16> into tensor<2x70x64xf16>
    %137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %expanded_38 : tensor<2x70x64xf16>, tensor<2x70x64xf16>) outs(%23 : tensor<2x70x64xf16>) {
    ^bb0(%in: f16, %in_39: f16, %out: f16):
      %138 = arith.addf %in, %in_39 : f16
      linalg.yield %138 : f16
    } -> tensor<2x70x64xf16>
    return %137 : tensor<2x70x64xf16>
  }
}
