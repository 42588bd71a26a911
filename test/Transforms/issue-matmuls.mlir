// RUN: tile-opt %s -tile-issue-matmuls | FileCheck %s

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

module attributes {tile.target = "sm_90a"} {
// A matmul of four warps is split into its issue and a wait.
// CHECK-LABEL: @begun
// CHECK: %[[D:.*]], %[[TOKEN:.*]] = tile_gpu.mma_async %{{.*}}, %{{.*}}, %{{.*}} tiling
// CHECK-NEXT: %[[SUM:.*]] = tile_gpu.mma_wait %[[TOKEN]] in_flight 0 of %[[D]] :
// CHECK-NEXT: tile.store %[[SUM]],
// CHECK-NOT: tile.matmul
tile.kernel @begun(%z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  %d = tile.matmul %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  tile.store %d, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// With a mark it stays in flight until the next one is issued, and the last one
// until the loop has ended.
// CHECK-LABEL: @in_flight
// CHECK: %[[NONE:.*]] = tile_gpu.mma_none
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[BEFORE:.*]] = %[[NONE]])
// CHECK: %[[D:.*]], %[[TOKEN:.*]] = tile_gpu.mma_async %{{.*}}, %{{.*}}, %[[ACC]] tiling
// CHECK-NOT: tile.in_flight
// CHECK: tile_gpu.mma_wait %[[BEFORE]] in_flight 1{{$}}
// CHECK-NEXT: scf.yield %[[D]], %[[TOKEN]]
// CHECK: %[[SUM:.*]] = tile_gpu.mma_wait %[[LOOP]]#1 in_flight 0 of %[[LOOP]]#0 :
// CHECK-NEXT: tile.store %[[SUM]],
tile.kernel @in_flight(%z: memref<?x?xf32>, %v: f32, %n: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> !sum {
    %d = tile.matmul %a, %b, %acc tiling #tiling {tile.in_flight} : !lhs, !rhs -> !sum
    scf.yield %d : !sum
  }
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// Matmuls by the instruction of a warp are not changed.
// CHECK-LABEL: @by_warp
// CHECK: tile.matmul
// CHECK-NOT: tile.mma
tile.kernel @by_warp(%z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  %d = tile.matmul %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m16n8k16"> : !lhs, !rhs -> !sum
  tile.store %d, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}
}
