// RUN: tile-opt %s -test-tile-mutate-synchronization -o /dev/null | FileCheck %s
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=0 | FileCheck %s --check-prefix=SHIFT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=1 | FileCheck %s --check-prefix=FEWER
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=3 | FileCheck %s --check-prefix=COMMIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=5 | FileCheck %s --check-prefix=WAIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=7 | FileCheck %s --check-prefix=BARRIER
// RUN: not tile-opt %s -test-tile-mutate-synchronization=index=12 2>&1 | FileCheck %s --check-prefix=BEYOND

// Each mutation of a kernel, the proof's finding, and the mutated kernel.

#row = #tile.shared<(32):(1)>
!stages = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// CHECK: {"index":0,"kernel":"copies","line":[[#@LINE+19]],"mutation":"shift a buffer","proof":"expected an access inside the kernel's 256 bytes
// CHECK: {"index":1,{{.*}}"mutation":"one stage less","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":2,{{.*}}"mutation":"delete a commit","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":3,{{.*}}"mutation":"commit before the copy","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":4,{{.*}}"mutation":"delete a wait","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":5,{{.*}}"mutation":"wait for one group less","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":6,{{.*}}"mutation":"delete a barrier","proof":"expected a barrier
// CHECK: {"index":7,{{.*}}"mutation":"barrier before the wait","proof":"expected a barrier
// CHECK: {"index":8,{{.*}}"mutation":"delete a commit","proof":"expected the copy {{.*}} to be committed
// CHECK: {"index":9,{{.*}}"mutation":"commit before the copy","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":10,{{.*}}"mutation":"delete a wait","proof":"expected every copy to be waited for before the kernel ends
// CHECK: {"index":11,{{.*}}"mutation":"wait for one group less","proof":"expected every copy to be waited for before the kernel ends
tile.kernel @copies(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  // SHIFT: memref.alloc() {tile.shared_offset = 16
  // FEWER: memref.alloc() {{.*}} : memref<1x32xf32
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages
  // FEWER: tile_gpu.stage {{.*}} : memref<1x32xf32
  %first = tile_gpu.stage %buffer[%n0] : !stages
  // COMMIT: nvvm.cp.async.commit.group
  // COMMIT-NEXT: tile_gpu.copy_async
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  // FEWER: scf.for {{.*}} -> (!tile_gpu.counter<1>, !tile_gpu.counter<1>)
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    // WAIT: nvvm.cp.async.wait.group 1
    // BARRIER: gpu.barrier
    // BARRIER-NEXT: nvvm.cp.async.wait.group 0
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %to = tile_gpu.stage %buffer[%put] : !stages
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    nvvm.cp.async.commit.group
    %from = tile_gpu.stage %buffer[%get] : !stages
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  // BEYOND: error: expected index of one of 12 mutations, got 12
  nvvm.cp.async.wait.group 0
  tile.return
}
