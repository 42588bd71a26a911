// RUN: tile-opt %s -test-tile-mutate-synchronization -o /dev/null | FileCheck %s
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=1 | FileCheck %s --check-prefix=SHIFT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=3 | FileCheck %s --check-prefix=COMMIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=5 | FileCheck %s --check-prefix=WAIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=7 | FileCheck %s --check-prefix=BARRIER
// RUN: not tile-opt %s -test-tile-mutate-synchronization=index=8 2>&1 | FileCheck %s --check-prefix=BEYOND

// Each mutation of a kernel, the proof's finding, and the mutated kernel.

#row = #tile.shared<(32):(1)>
!ring = memref<2x32xf32, #row>
!slot = memref<32xf32, strided<[1], offset: 32>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// CHECK: {"index":0,"kernel":"copies","line":[[#@LINE+11]],"mutation":"one slot less","proof":""}
// CHECK: {"index":1,{{.*}}"mutation":"shift a buffer","proof":"expected an access inside the kernel's 256 bytes
// CHECK: {"index":2,{{.*}}"mutation":"delete a commit","proof":"expected the copy {{.*}} to be committed
// CHECK: {"index":3,{{.*}}"mutation":"commit before the copy","proof":"expected the copy {{.*}} to be committed
// CHECK: {"index":4,{{.*}}"mutation":"delete a wait","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":5,{{.*}}"mutation":"wait for one group less","proof":"expected the copy {{.*}} to be waited for
// CHECK: {"index":6,{{.*}}"mutation":"delete a barrier","proof":"expected a barrier
// CHECK: {"index":7,{{.*}}"mutation":"barrier before the wait","proof":"expected a barrier
tile.kernel @copies(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  // SHIFT: memref.alloc() {tile.shared_offset = 16
  %ring = memref.alloc() {tile.shared_offset = 0 : i64} : !ring
  %slot = memref.subview %ring[1, 0] [1, 32] [1, 1] : !ring to !slot
  // COMMIT: nvvm.cp.async.commit.group
  // COMMIT-NEXT: tile_gpu.copy_async
  // WAIT: nvvm.cp.async.wait.group 1
  // BARRIER: gpu.barrier
  // BARRIER-NEXT: nvvm.cp.async.wait.group 0
  // BEYOND: error: expected index of one of 8 mutations, got 8
  tile_gpu.copy_async %x[%c0] to %slot : memref<?xf32> to !slot
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
  %u = tile_gpu.load_shared %slot : !slot -> !t
  tile.return
}
