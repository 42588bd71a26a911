// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// Tables of constants of two kernels have different names.
// CHECK-DAG: llvm.mlir.global private constant @tile_constant_table_0(
// CHECK-DAG: llvm.mlir.global private constant @tile_constant_same_table_0(

// A block has three warps, and its tiles have extents that are no powers of two.
// CHECK-LABEL: llvm.func @three_warps
// CHECK-SAME: nvvm.reqntid = array<i32: 96, 1, 1>
// CHECK: nvvm.mma.sync
tile.kernel @three_warps(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 96 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<40x40xf16>
  %z = arith.constant dense<0.0> : !tile.tile<40x40xf32>
  %r = tile.matmul %x, %x, %z : !tile.tile<40x40xf16>, !tile.tile<40x40xf16> -> !tile.tile<40x40xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<40x40xf32>, memref<64x64xf32>
  tile.return
}

// 70 threads are three warps.
// CHECK-LABEL: llvm.func @part_of_a_warp
// CHECK-SAME: nvvm.reqntid = array<i32: 96, 1, 1>
tile.kernel @part_of_a_warp(%d: memref<64xf32>) attributes {block = 70 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : !tile.tile<64xf32>
  tile.store %z, %d[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// Scalars of types that are not LLVM types: a complex number, and bytes.
// CHECK-LABEL: llvm.func @scalar_arguments
// CHECK-SAME: !llvm.struct<(f32, f32)>
// CHECK-SAME: i8
tile.kernel @scalar_arguments(%c: complex<f32>, %f: f8E4M3FN, %d: memref<?xcomplex<f32>>, %e: memref<?xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tile.fill %c : !tile.tile<8xcomplex<f32>>
  %u = tile.fill %f : !tile.tile<8xf8E4M3FN>
  tile.store %t, %d[%c0] : !tile.tile<8xcomplex<f32>>, memref<?xcomplex<f32>>
  tile.store %u, %e[%c0] : !tile.tile<8xf8E4M3FN>, memref<?xf8E4M3FN>
  tile.return
}

tile.kernel @table(%d: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<[1.0, 2.0]> : !tile.tile<2xf32>
  tile.store %t, %d[%c0] : !tile.tile<2xf32>, memref<2xf32>
  tile.return
}
tile.kernel @same_table(%d: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<[1.0, 2.0]> : !tile.tile<2xf32>
  tile.store %t, %d[%c0] : !tile.tile<2xf32>, memref<2xf32>
  tile.return
}
