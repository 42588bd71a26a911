// RUN: tile-opt %s -test-tile-mutate-synchronization -o /dev/null | FileCheck %s
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=3 | FileCheck %s --check-prefix=AHEAD
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=5 | FileCheck %s --check-prefix=WAIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=6 | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=8 | FileCheck %s --check-prefix=COMMIT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=9 | FileCheck %s --check-prefix=RELEASE
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=10 | FileCheck %s --check-prefix=EARLY
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=12 | FileCheck %s --check-prefix=CONSTANT
// RUN: tile-opt %s -test-tile-mutate-synchronization=index=13 | FileCheck %s --check-prefix=DRAIN

// Each mutation of a kernel with a channel, the finding, and the mutated kernel.

#row = #tile.shared<(32):(1)>
!stages = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// CHECK: {"index":0,"kernel":"copies","line":[[#@LINE+21]],"mutation":"one stage less","proof":"expected an acquire of a stage whose other fill is empty, got one that may be full"}
// CHECK: {"index":1,{{.*}}"mutation":"delete an acquire","proof":"expected a copy to a fill that is acquired or uncommitted, got one that may be empty"}
// CHECK: {"index":2,{{.*}}"mutation":"delete a channel's commit","proof":"expected a wait for a fill that is in flight or full, got one that may be uncommitted"}
// CHECK: {"index":3,{{.*}}"mutation":"counter ahead","proof":"expected an acquire of a stage whose other fill is empty, got one that may be full"}
// CHECK: {"index":4,{{.*}}"mutation":"counter ahead","proof":"expected a wait for a fill that is in flight or full, got one that may be empty"}
// CHECK: {"index":5,{{.*}}"mutation":"delete a channel's wait","proof":"expected a read of a fill that is full, got one that may be in flight"}
// CHECK: {"index":6,{{.*}}"mutation":"wait for the fill before","proof":"expected a wait for a fill that is in flight or full, got one that may be empty"}
// CHECK: {"index":7,{{.*}}"mutation":"delete an acquire","proof":"expected a copy to a fill that is acquired or uncommitted, got one that may be empty"}
// CHECK: {"index":8,{{.*}}"mutation":"delete a channel's commit","proof":"expected a wait for a fill that is in flight or full, got one that may be uncommitted"}
// CHECK: {"index":9,{{.*}}"mutation":"delete a release","proof":"expected an acquire of a stage whose other fill is empty, got one that may be full"}
// CHECK: {"index":10,{{.*}}"mutation":"release before the reads","proof":"expected a release of a fill that is full, got one that may be in flight"}
// CHECK: {"index":11,{{.*}}"mutation":"counter constant","proof":"expected a channel whose counters
// CHECK: {"index":12,{{.*}}"mutation":"counter constant","proof":"expected a channel whose counters
// CHECK: {"index":13,{{.*}}"mutation":"delete a drain","proof":"expected every copy to be waited for before the kernel ends
tile.kernel @copies(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages
  %channel = tile_gpu.channel %buffer : !stages -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %buffer[%n0] : !stages
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  // AHEAD: %[[AHEAD:.*]] = tile_gpu.next
  // AHEAD: scf.for {{.*}} = %[[AHEAD]], %[[GET:.*]] = %
  // OTHER: scf.for {{.*}}, %[[GET:.*]] = %
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    // WAIT-NOT: tile_gpu.wait
    // OTHER: %[[OTHER:.*]] = tile_gpu.next %[[GET]]
    // OTHER: tile_gpu.wait %{{.*}}[%[[OTHER]]]
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    gpu.barrier
    %to = tile_gpu.stage %buffer[%put] : !stages
    tile_gpu.acquire %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // COMMIT: tile_gpu.copy_async
    // COMMIT: scf.for
    // COMMIT-NOT: tile_gpu.commit
    // WAIT: tile_gpu.commit
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %buffer[%get] : !stages
    %u = tile_gpu.load_shared %from : !stage -> !t
    // RELEASE: tile_gpu.load_shared
    // RELEASE-NOT: tile_gpu.release
    // EARLY: tile_gpu.release
    // EARLY: tile_gpu.wait
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    // CONSTANT: scf.yield %{{[0-9]+}}, %arg
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  // DRAIN-NOT: tile_gpu.drain
  // DRAIN: tile.return
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}
