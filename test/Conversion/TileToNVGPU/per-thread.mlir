// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

module attributes {tile.target = "sm_80"} {
// The region becomes the thread's code; a thread's elements are one vector.
// CHECK-LABEL: tile.kernel @per_thread
// CHECK-COUNT-3: memref.load {{.*}} : memref<3xf32
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-NEXT: %[[HELD:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}} : vector<3xf32>
// CHECK: vector.extract %[[HELD]][1] : f32 from vector<3xf32>
// CHECK: memref.load %{{.*}}[%[[THREAD]]]
// CHECK: nvvm.inline_ptx
tile.kernel @per_thread(%x: memref<64x3xf32>, %a: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x3xf32> -> !tile.tile<64x3xf32>
  %u = tile.per_thread %t : !tile.tile<64x3xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %v: vector<3xf32>):
    %e = vector.extract %v[1] : f32 from vector<3xf32>
    %m = memref.load %a[%thread] : memref<64xf32>
    %s = arith.addf %e, %m : f32
    %r = nvvm.inline_ptx "ex2.approx.ftz.f32 {$w0}, {$r0};" ro (%s : f32) -> f32
    tile.yield %r : f32
  }
  tile.store %u, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// The second of two warps has 8 of 40 threads. Its other lanes do not execute the
// region; as results they get those of the warp's first thread.
// CHECK-LABEL: tile.kernel @idle
// CHECK: %[[NUMBER:.*]] = gpu.thread_id x
// CHECK-NEXT: %[[COUNT:.*]] = arith.constant 40 : index
// CHECK-NEXT: %[[ACTIVE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[COUNT]] : index
// CHECK-NEXT: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-NEXT: %[[OLD:.*]] = scf.if %[[ACTIVE]] -> (i32) {
// CHECK: memref.atomic_rmw
// CHECK: } else {
// CHECK: %[[LANE:.*]] = arith.remui %[[THREAD]], %{{.*}} : index
// CHECK: %[[FROM:.*]] = arith.select %[[ACTIVE]], %[[LANE]], %{{.*}} : index
// CHECK: %[[SOURCE:.*]] = arith.index_cast %[[FROM]] : index to i32
// CHECK: gpu.shuffle idx %[[OLD]], %[[SOURCE]], %{{.*}} : i32
tile.kernel @idle(%sum: memref<1xi32>, %y: memref<40xi32>) attributes {block = 40 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.per_thread to !tile.tile<40xi32> {
  ^bb0(%thread: index):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %sum[%zero] : (i32, memref<1xi32>) -> i32
    tile.yield %old : i32
  }
  tile.store %t, %y[%c0] : !tile.tile<40xi32>, memref<40xi32>
  tile.return
}
}
