// RUN: tile-opt %s -tile-to-nvvm -split-input-file | FileCheck %s

// arith.constant cannot represent a single element of a complex constant.
// CHECK-LABEL: llvm.func @splat(
// CHECK:         llvm.mlir.constant([1.000000e+00 : f32, 2.000000e+00 : f32]) : !llvm.struct<(f32, f32)>
tile.kernel @splat(%d: memref<?xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<(1.0, 2.0)> : !tile.tile<4xcomplex<f32>>
  tile.store %z, %d[%c0] : !tile.tile<4xcomplex<f32>>, memref<?xcomplex<f32>>
  tile.return
}

// -----

// CHECK:       llvm.mlir.global private constant @tile_constant{{.*}} : !llvm.array<2 x struct<(f32, f32)>>
// CHECK-LABEL: llvm.func @table(
tile.kernel @table(%d: memref<?xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : !tile.tile<2xcomplex<f32>>
  tile.store %z, %d[%c0] : !tile.tile<2xcomplex<f32>>, memref<?xcomplex<f32>>
  tile.return
}
