// RUN: tile-opt %s -tile-canonical-form | FileCheck %s --implicit-check-not=func.func

// The host may call a public function without tiles: it is kept, even if a kernel
// called it. Functions on tiles and private functions are only for kernels, and are
// removed.

// CHECK: tile.kernel @scale
// CHECK-NOT: call
// CHECK: tile.return
tile.kernel @scale(%x: memref<4xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %once = func.call @host(%s) : (f32) -> f32
  %f = func.call @spread(%once) : (f32) -> !tile.tile<4xf32>
  %u = arith.mulf %t, %f : !tile.tile<4xf32>
  tile.store %u, %x[%c0] : !tile.tile<4xf32>, memref<4xf32>
  func.call @writes(%x) : (memref<4xf32>) -> ()
  tile.return
}
// CHECK: func.func @host(%{{.*}}: f32) -> f32
func.func @host(%s: f32) -> f32 {
  %t = arith.addf %s, %s : f32
  return %t : f32
}
// CHECK: func.func @untouched(%{{.*}}: memref<?xf32>, %{{.*}}: index) -> f32
func.func @untouched(%a: memref<?xf32>, %i: index) -> f32 {
  %t = memref.load %a[%i] : memref<?xf32>
  return %t : f32
}
func.func private @nobody(%s: f32) -> f32 {
  return %s : f32
}
func.func @spread(%s: f32) -> !tile.tile<4xf32> {
  %t = tile.fill %s : !tile.tile<4xf32>
  return %t : !tile.tile<4xf32>
}
// This function has tiles only in a function that it calls.
func.func @writes(%a: memref<4xf32>) {
  call @stores(%a) : (memref<4xf32>) -> ()
  return
}
func.func @stores(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : !tile.tile<4xf32>
  tile.store %z, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  return
}
