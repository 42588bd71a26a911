// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// Small floats are computed in f32 and rounded after each operation.
// CHECK-LABEL: func.func @_tile_program_rounds_each_operation(
// CHECK: linalg.generic
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
tile.kernel @rounds_each_operation(%a: memref<8xf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  %u = arith.addf %t, %t : !tile.tile<8xf16>
  tile.store %u, %a[%c0] : !tile.tile<8xf16>, memref<8xf16>
  tile.return
}

// A matmul converts whole tiles before its loop, whose order suits row-major operands.
// CHECK-LABEL: func.func @_tile_program_matmul(
// CHECK-COUNT-2: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT: arith.extf
// CHECK: math.fma
tile.kernel @matmul(%a: memref<8x8xf16>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  %d = tile.matmul %t, %t, %z : !tile.tile<8x8xf16>, !tile.tile<8x8xf16> -> !tile.tile<8x8xf32>
  tile.store %d, %c[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// A batch dimension becomes an additional loop.
// CHECK-LABEL: func.func @_tile_program_batch(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel"]
tile.kernel @batch(%a: memref<8x8xf32>, %b: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %u = tile.load %b[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  %d = tile.matmul %t, %u, %u : !tile.tile<8x8xf32>, !tile.tile<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  tile.store %d, %b[%c0, %c0, %c0] : !tile.tile<3x8x8xf32>, memref<3x8x8xf32>
  tile.return
}

// A reduction of bf16 is in f32; it starts from -0.0, which preserves a sum of
// -0.0. The stored elements are bits.
// CHECK-LABEL: func.func @_tile_program_reduce(
// CHECK: arith.constant -0.000000e+00 : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf %{{.*}} : f32
// CHECK: -> tensor<4xf32>
// CHECK: -> tensor<4xi16>
tile.kernel @reduce(%a: memref<4x8xbf16>, %b: memref<4xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<4x8xbf16> -> !tile.tile<4x8xbf16>
  %s = tile.reduce add %t axis 1 : !tile.tile<4x8xbf16> to !tile.tile<4xbf16>
  tile.store %s, %b[%c0] : !tile.tile<4xbf16>, memref<4xbf16>
  tile.return
}

// f8 is stored as i8; the library function of a wide conversion is not called.
// CHECK-LABEL: func.func @_tile_program_cast(
// CHECK: linalg.generic
// CHECK-NOT: f8E4M3FN
// CHECK: arith.minsi
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK-NOT: arith.truncf %{{.*}} : f64 to f8
tile.kernel @cast(%a: memref<8xf64>, %b: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<8xf64> -> !tile.tile<8xf64>
  %u = tile.cast %t : !tile.tile<8xf64> to !tile.tile<8xf8E4M3FN>
  tile.store %u, %b[%c0] : !tile.tile<8xf8E4M3FN>, memref<8xf8E4M3FN>
  tile.return
}

// Storage has no meaning here; loops carry tensors.
// CHECK-LABEL: func.func @_tile_program_loop(
// CHECK: scf.for {{.*}} -> (tensor<8x4xf32>)
// CHECK: tensor.extract_slice
// CHECK: scf.yield %{{.*}} : tensor<8x4xf32>
tile.kernel @loop(%a: memref<8x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %a[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared>
  %z = arith.constant dense<0.0> : !tile.tile<8x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> !tile.tile<8x4xf32> {
    %v = tile.view %t[%c0, %i] : !tile.tile<8x8xf32, #tile.shared> to !tile.tile<8x4xf32, #tile.shared>
    %w = tile.convert_layout %v : !tile.tile<8x4xf32, #tile.shared> to !tile.tile<8x4xf32>
    %u = arith.addf %s, %w : !tile.tile<8x4xf32>
    scf.yield %u : !tile.tile<8x4xf32>
  }
  tile.store %r, %a[%c0, %c0] : !tile.tile<8x4xf32>, memref<8x8xf32>
  tile.return
}
