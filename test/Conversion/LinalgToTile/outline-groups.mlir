// RUN: tile-opt %s -tile-outline-groups | FileCheck %s
// RUN: tile-opt %s -tile-outline-groups -tile-outline-groups | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#id1 = affine_map<(n) -> (n)>

// The kernel has the tiles that the group specifies.

// CHECK:       #[[$GRID:.*]] = affine_map<() -> (86, 128)>
// CHECK-LABEL: tile.kernel @matmul_product(
// CHECK-SAME:    attributes {grid = #tile.grid<#[[$GRID]] of []>}
// CHECK:         scf.for
// CHECK:           tile.load {{.*}} -> !tile.tile<32x16xf16>
// CHECK:           tile.load {{.*}} -> !tile.tile<16x48xf16>
// CHECK:           tile.matmul {{.*}} -> !tile.tile<32x48xf32>
// CHECK:         tile.store {{.*}} : !tile.tile<32x48xf16>
// CHECK:       func.func @matmul(%[[A:.*]]: memref<4096x4096xf16>, %[[B:.*]]: memref<4096x4096xf16>, %[[Z:.*]]: memref<4096x4096xf16>, %[[OUT:.*]]: memref<4096x4096xf16>) {
// CHECK-NEXT:    tile.launch @matmul_product(
func.func @matmul(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %z: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
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

// A group without results gets no kernel. The last group reads an array that the group
// before it stores and the host allocates; it also computes operations that are in no group.

// CHECK-LABEL: tile.kernel @two_rows(
// CHECK:         tile.reduce add
// CHECK-LABEL: tile.kernel @two_elements(
// CHECK:         math.exp
// CHECK:         arith.negf
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[X:.*]]: memref<64x100xf32>, %[[Z:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>
// CHECK-DAG:     %[[T:.*]] = memref.alloc() : memref<64xf32>
// CHECK-DAG:     tile.launch @two_rows(%[[X]], %[[Z]], %[[T]])
// CHECK:         tile.launch @two_elements(%[[T]], %[[OUT]])
func.func @two(%x: tensor<64x100xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  tile.group {
    tile.yield
  }
  %g = tile.group tiles [4, 100] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x100xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%g : tensor<64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %h = tile.group tiles [64] {
    %neg = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
        ins(%exp : tensor<64xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.negf %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %neg : tensor<64xf32>
  } : tensor<64xf32>
  return %h : tensor<64xf32>
}
