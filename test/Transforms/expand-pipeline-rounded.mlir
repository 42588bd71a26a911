// RUN: tile-opt %s -tile-phases | FileCheck %s

// Operands are rounded in registers. During a matmul, the operands of the next one are
// prepared: rhs is rounded from elements that were loaded an iteration earlier, and lhs
// is read from a copy, and rounded before the next matmul. An iteration has one
// barrier, which threads reach while the matmul runs.
#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: @three_stages
// CHECK: memref.alloc() {{.*}}memref<3x128x32xf32
// CHECK: memref.alloc() {{.*}}memref<3x32x256xf32
// CHECK: tile_gpu.store_shared
// CHECK: tile_gpu.load_shared
// CHECK: scf.for {{.*}} iter_args(
// CHECK-NOT: gpu.barrier
// CHECK: %[[LHS:.*]] = tile.round_tf32 %arg{{.*}} : !tile.tile<128x32xf32
// CHECK: nvvm.fence.proxy
// CHECK: %[[SUM:.*]], %[[TOKEN:.*]] = tile_gpu.mma_async %[[LHS]], %{{.*}} precision tf32
// CHECK: tile_gpu.copy_async {{.*}} if
// CHECK: nvvm.cp.async.commit.group
// CHECK: %[[RHS:.*]] = tile.round_tf32 %arg{{.*}} : !tile.tile<32x256xf32
// CHECK: tile_gpu.store_shared %[[RHS]]
// CHECK: tile.load %{{.*}} -> !tile.tile<32x256xf32
// CHECK: gpu.barrier
// CHECK-NEXT: tile_gpu.load_shared {{.*}} -> !tile.tile<128x32xf32
// CHECK-NEXT: tile_gpu.mma_wait %[[TOKEN]] in_flight 0 of %[[SUM]]
// CHECK-NEXT: scf.yield
tile.kernel @three_stages(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %c0 to %c1024 step %step iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
    %b = tile.load %y[%k, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x256xf32>
    %d = tile.matmul %a, %b, %acc precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x256xf32> -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x256xf32>, memref<?x?xf32, #row>
  tile.return
}

// With two stages, operands are prepared before the matmul of the same iteration.
// CHECK-LABEL: @two_stages
// CHECK: scf.for {{.*}} iter_args(
// CHECK: %[[RHS:.*]] = tile.round_tf32 %arg
// CHECK: tile_gpu.store_shared %[[RHS]]
// CHECK: tile_gpu.load_shared
// CHECK: tile.round_tf32
// CHECK: gpu.barrier
// CHECK: tile_gpu.mma_async
// CHECK: tile_gpu.mma_wait
// CHECK-NEXT: scf.yield
tile.kernel @two_stages(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %c1024 step %step iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf32, #row> -> !tile.tile<64x32xf32>
    %b = tile.load %y[%k, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x64xf32>
    %d = tile.matmul %a, %b, %acc precision tf32 tiling <atom = "m64nNk8", stages = 2> : !tile.tile<64x32xf32>, !tile.tile<32x64xf32> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}

}
