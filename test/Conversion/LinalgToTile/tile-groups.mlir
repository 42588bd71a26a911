// RUN: tile-opt %s -tile-tile-groups | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: tile-opt %s -tile-tile-groups=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,SM90

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// The tiles of a matmul depend on the architecture.

// CHECK-LABEL: func.func @matmul(
// SM80:        tile.group tiles [128, 128, 64] {
// SM90:        tile.group tiles [128, 256, 64] {
func.func @matmul(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %z: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %g = tile.group {
    %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%z : tensor<4096x4096xf16>) attrs = {tile.loops = array<i64: 0, 1, 2>} {
    ^bb0(%l: f16, %r: f16, %o: f16):
      %1 = arith.mulf %l, %r : f16
      %2 = arith.addf %o, %1 : f16
      linalg.yield %2 : f16
    } -> tensor<4096x4096xf16>
    tile.yield %0 : tensor<4096x4096xf16>
  } : tensor<4096x4096xf16>
  return %g : tensor<4096x4096xf16>
}

// Tiles that the group already specifies are kept.

// CHECK-LABEL: func.func @given(
// CHECK:       tile.group tiles [32, 48, 16] {
func.func @given(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %z: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %g = tile.group tiles [32, 48, 16] {
    %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%z : tensor<4096x4096xf16>) attrs = {tile.loops = array<i64: 0, 1, 2>} {
    ^bb0(%l: f16, %r: f16, %o: f16):
      %1 = arith.mulf %l, %r : f16
      %2 = arith.addf %o, %1 : f16
      linalg.yield %2 : f16
    } -> tensor<4096x4096xf16>
    tile.yield %0 : tensor<4096x4096xf16>
  } : tensor<4096x4096xf16>
  return %g : tensor<4096x4096xf16>
}

// A row of unknown length is read in parts. Tiles are in the order of the group's loops.

// CHECK-LABEL: func.func @rows(
// CHECK:       tile.group tiles [1024, 2] {
func.func @rows(%x: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %g = tile.group {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<?x?xf32>) outs(%z : tensor<?xf32>) attrs = {tile.loops = array<i64: 1, 0>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<?xf32>
    tile.yield %sum : tensor<?xf32>
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}
