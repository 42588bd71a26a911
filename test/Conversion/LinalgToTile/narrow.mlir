// RUN: tile-opt %s -convert-linalg-to-tile=arch=sm_90a | FileCheck %s
// RUN: not tile-opt %s -convert-linalg-to-tile=arch=sm_91 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: expected architecture sm_80, {{.*}}, got 'sm_91'

// Factors of f16 that are widened and scaled by separate operations: the matmul has
// operands of f16, and its result is scaled by both. The tile is that of sm_90a.
#id = affine_map<(i, j) -> (i, j)>
func.func @scaled(%a: tensor<2048x512xf16>, %b: tensor<4096x512xf16>) -> tensor<2048x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %ea = tensor.empty() : tensor<2048x512xf32>
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2048x512xf16>) outs(%ea : tensor<2048x512xf32>) {
  ^bb0(%x: f16, %o: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<2048x512xf32>
  %sa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wa : tensor<2048x512xf32>) outs(%ea : tensor<2048x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %w = arith.mulf %x, %half : f32
    linalg.yield %w : f32
  } -> tensor<2048x512xf32>
  %eb = tensor.empty() : tensor<4096x512xf32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<4096x512xf16>) outs(%eb : tensor<4096x512xf32>) {
  ^bb0(%x: f16, %o: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<4096x512xf32>
  %et = tensor.empty() : tensor<512x4096xf32>
  %t = linalg.transpose ins(%wb : tensor<4096x512xf32>) outs(%et : tensor<512x4096xf32>) permutation = [1, 0]
  %st = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<512x4096xf32>) outs(%et : tensor<512x4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %w = arith.mulf %x, %half : f32
    linalg.yield %w : f32
  } -> tensor<512x4096xf32>
  %e = tensor.empty() : tensor<2048x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  %r = linalg.matmul ins(%sa, %st : tensor<2048x512xf32>, tensor<512x4096xf32>)
                     outs(%f : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  return %r : tensor<2048x4096xf32>
}
// CHECK-LABEL: tile.kernel @scaled_product
// CHECK: %[[SCALE:.*]] = arith.constant dense<2.500000e-01> : !tile.tile<128x256xf32>
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: tile.matmul {{.*}} : !tile.tile<128x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<128x256xf32>
// CHECK: %[[OUT:.*]] = arith.mulf %[[SUM]], %[[SCALE]]
// CHECK: tile.store %[[OUT]]

// If one factor is f32, the matmul has operands of f32.
func.func @mixed(%a: tensor<64x32xf32>, %b: tensor<32x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<32x64xf32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<32x64xf16>) outs(%eb : tensor<32x64xf32>) {
  ^bb0(%x: f16, %o: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %wb : tensor<64x32xf32>, tensor<32x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: tile.kernel @mixed_product
// CHECK: tile.matmul {{.*}}xf32>, {{.*}}xf32> -> {{.*}}xf32>
