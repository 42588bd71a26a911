// RUN: tile-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: @halves
// CHECK: tile_gpu.warpgroup_mma[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] transposed from_zero of bf16 : f32, f32, f32, f32
func.func @halves(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] transposed from_zero of bf16 : f32, f32, f32, f32
  return %d#3 : f32
}

// CHECK-LABEL: @bytes
// CHECK: tile_gpu.warpgroup_mma{{.*}} of f8E4M3FN : f32, f32, f32, f32
func.func @bytes(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] of f8E4M3FN : f32, f32, f32, f32
  return %d#0 : f32
}

// CHECK-LABEL: @tf32
// CHECK: tile_gpu.warpgroup_mma{{.*}} of f32 : f32, f32, f32, f32
func.func @tf32(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] of f32 : f32, f32, f32, f32
  return %d#0 : f32
}
