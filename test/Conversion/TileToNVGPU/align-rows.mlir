// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

// Each chunk is copied from its address rounded down to a multiple of 16 bytes. The
// chunk after a row's last one has as many bytes as the rounding has removed.
// CHECK-LABEL: @copies_aligned_chunks
tile.kernel @copies_aligned_chunks(%x: memref<?x?xf16, strided<[?, 1]>>, %j: index) attributes {block = 32 : i64} {
  %p = tile.program_id x
  %i = arith.addi %p, %j : index
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() {tile.shared_offset = 1024 : i64} : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
  // CHECK: %[[MASK:.*]] = llvm.mlir.constant(-16 : i64) : i64
  // CHECK: %[[ALIGNED:.*]] = llvm.and %[[ADDRESS]], %[[MASK]]
  // CHECK: %[[SOURCE:.*]] = llvm.inttoptr %[[ALIGNED]] : i64 to !llvm.ptr<1>
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[SOURCE]], 16, cache = cg :
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg :
  // CHECK: %[[END:.*]] = llvm.ptrtoint
  // CHECK: %[[BELOW:.*]] = llvm.mlir.constant(15 : i64) : i64
  // CHECK: %[[LOW:.*]] = llvm.and %[[END]], %[[BELOW]]
  // CHECK: %[[SHIFT:.*]] = llvm.trunc %[[LOW]] : i64 to i32
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %[[SHIFT]]
  tile_gpu.copy_async %x[%i, %c0] to %a by(#tile_gpu.cover_rows) with %e : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> in_bounds : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // CHECK: tile.return
  tile.return
}

// If all programs copy the same rows, the chunks go through the L1 cache.
// CHECK-LABEL: @copies_through_cache
tile.kernel @copies_through_cache(%x: memref<?x?xf16, strided<[?, 1]>>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // CHECK-COUNT-2: nvvm.cp.async.shared.global {{.*}}, 16, cache = ca :
  tile_gpu.copy_async %x[%i, %c0] to %a by(#tile_gpu.cover_rows) in_bounds : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.return
}

// A lane reads all five words that its chunk overlaps before the warp waits. Then a
// funnel shift of two adjacent words gives each word of the result.
// CHECK-LABEL: @shifts_words
tile.kernel @shifts_words(%x: memref<?x?xf16, strided<[?, 1]>>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  %e = memref.alloc() {tile.shared_offset = 512 : i64} : memref<4x8xf16, #tile.shared<(4,8):(8,1)>>
  // CHECK-NOT: llvm.store
  // CHECK: %[[W0:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  // CHECK: %[[W1:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  // CHECK-COUNT-3: llvm.load
  // CHECK: nvvm.bar.warp.sync
  // CHECK: llvm.intr.fshr(%[[W1]], %[[W0]], %{{.*}})
  // CHECK-COUNT-3: llvm.intr.fshr
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK-NOT: llvm.load
  tile_gpu.align_rows %a, %e of %x[%i, %c0] : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>, memref<4x8xf16, #tile.shared<(4,8):(8,1)>> of memref<?x?xf16, strided<[?, 1]>>
  // CHECK: tile.return
  tile.return
}
