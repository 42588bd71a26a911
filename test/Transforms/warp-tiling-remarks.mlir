// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' --remarks-filter=tile-warp-tiling -mlir-disable-threading 2>&1 | FileCheck %s
// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' -o /dev/null 2>&1 | count 0

// If remarks are requested, a matmul that no matrix instruction supports gets
// one.

module attributes {tile.target = "sm_87"} {
  // CHECK: [[#@LINE+6]]:{{.*}}multiplied by fma in each thread: no matrix instruction of sm_87 takes f32 to its last bit; precision tf32 would use tensor cores
  tile.kernel @f32(%x: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
    %c = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
    %d = tile.matmul %a, %b, %c : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
    tile.store %d, %x[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
    tile.return
  }

  // CHECK: [[#@LINE+5]]:{{.*}}no matrix instruction of sm_87 takes complex<f32>; they take f16, bf16, tf32, i8, f64
  tile.kernel @complex(%x: memref<?x?xcomplex<f32>>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xcomplex<f32>> -> !tile.tile<16x16xcomplex<f32>>
    %c = tile.load %x[%c0, %c0] : memref<?x?xcomplex<f32>> -> !tile.tile<16x16xcomplex<f32>>
    %d = tile.matmul %a, %a, %c : !tile.tile<16x16xcomplex<f32>>, !tile.tile<16x16xcomplex<f32>> -> !tile.tile<16x16xcomplex<f32>>
    tile.store %d, %x[%c0, %c0] : !tile.tile<16x16xcomplex<f32>>, memref<?x?xcomplex<f32>>
    tile.return
  }

  // CHECK: [[#@LINE+5]]:{{.*}}no matrix instruction of sm_87 takes i32; they take f16,
  tile.kernel @i32(%x: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xi32> -> !tile.tile<16x16xi32>
    %c = tile.load %x[%c0, %c0] : memref<?x?xi32> -> !tile.tile<16x16xi32>
    %d = tile.matmul %a, %a, %c : !tile.tile<16x16xi32>, !tile.tile<16x16xi32> -> !tile.tile<16x16xi32>
    tile.store %d, %x[%c0, %c0] : !tile.tile<16x16xi32>, memref<?x?xi32>
    tile.return
  }

  // CHECK: [[#@LINE+5]]:{{.*}}no matrix instruction of sm_87 takes f8E4M3FN; those of sm_89 do
  tile.kernel @f8(%x: memref<?x?xf8E4M3FN>, %y: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN> -> !tile.tile<16x16xf8E4M3FN>
    %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
    %d = tile.matmul %a, %a, %c : !tile.tile<16x16xf8E4M3FN>, !tile.tile<16x16xf8E4M3FN> -> !tile.tile<16x16xf32>
    tile.store %d, %y[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
    tile.return
  }

  // A matmul on tensor cores, and one whose tiling names fma, get no remark.
  // CHECK-NOT: fma in each thread
  // CHECK: @named
  tile.kernel @named(%x: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
    %d = tile.matmul %a, %a, %a precision tf32 : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
    %e = tile.matmul %a, %a, %d tiling <atom = "fma"> : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
    tile.store %e, %x[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
    tile.return
  }
}
