// RUN: tile-opt %s -tile-phases | FileCheck %s

// A circular buffer of four stages keeps matmuls in flight. After issuing a matmul, an
// iteration copies tiles for two iterations later. Their stage is that of the matmul
// before the previous one, for which all threads have waited. An iteration has one
// barrier.
#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: @four_stages
// CHECK: memref.alloc() {{.*}}memref<4x64x64xf16
// CHECK-COUNT-2: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: gpu.barrier
// CHECK: nvvm.fence.proxy
// CHECK: tile_gpu.mma_async
// CHECK-NOT: gpu.barrier
// CHECK: tile_gpu.copy_async
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: gpu.barrier
// CHECK: tile_gpu.mma_wait %{{.*}} in_flight 1{{$}}
// CHECK-NEXT: scf.yield
// CHECK: tile_gpu.mma_wait %{{.*}} in_flight 0 of
// CHECK: tile.store
tile.kernel @four_stages(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 4> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// With three stages, threads wait for each matmul after issuing the copies.
// CHECK-LABEL: @three_stages
// CHECK-COUNT-2: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: gpu.barrier
// CHECK: tile_gpu.mma_async
// CHECK: tile_gpu.copy_async
// CHECK: nvvm.cp.async.commit.group
// CHECK: tile_gpu.mma_wait %{{.*}} in_flight 0 of
// CHECK-NEXT: scf.yield
tile.kernel @three_stages(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 3> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}
}
