// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @no_token() {
  // expected-error @below {{'tile_gpu.mma_none' op result #0 must be matmul in flight, but got 'i32'}}
  %token = "tile_gpu.mma_none"() : () -> i32
  return
}
