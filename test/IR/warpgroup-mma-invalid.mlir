// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @part_of_eight_columns(%a: i32, %b: i64, %c: f32) {
  // expected-error @below {{'tile_gpu.warpgroup_mma' op expected 4 to 128 accumulators, a multiple of 4, got 3}}
  %d:3 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c] of f16 : f32, f32, f32
  return
}

// -----

func.func @type(%a: i32, %b: i64, %c: f32) {
  // expected-error @below {{'tile_gpu.warpgroup_mma' op expected elements of f32, f16, bf16, f8E4M3FN or f8E5M2, got 'f64'}}
  %d:4 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] of f64 : f32, f32, f32, f32
  return
}

// -----

func.func @transposed_bytes(%a: i32, %b: i64, %c: f32) {
  // expected-error @below {{'tile_gpu.warpgroup_mma' op expected K contiguous for elements that are not of 16 bits, got 'transposed' of 'f8E5M2'}}
  %d:4 = tile_gpu.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] transposed of f8E5M2 : f32, f32, f32, f32
  return
}
