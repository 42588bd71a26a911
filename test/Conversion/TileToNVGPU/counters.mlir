// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -split-input-file | FileCheck %s

#row = #tile.shared<(32):(1)>
!buffer = memref<3x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<3>

// A constant is taken modulo the number of stages; a successor wraps to zero. Loops and
// branches carry indices.
// CHECK-LABEL: @stages
tile.kernel @stages(%c: i1, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIVE:.*]] = arith.constant 2 : index
  %n5 = tile_gpu.counter 5 : !n
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !buffer
  // CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %[[FIVE]]) -> (index)
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n5) -> !n {
    // CHECK: %[[OFFSET:.*]] = arith.muli %[[AT]], %
    %s = tile_gpu.stage %a[%at] : !buffer
    %u = tile_gpu.load_shared %s : !stage -> !t
    // CHECK: %[[SUM:.*]] = arith.addi %[[AT]], %
    // CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[SUM]], %
    // CHECK: %[[NEXT:.*]] = arith.select %[[WRAPS]], %{{.*}}, %[[SUM]] : index
    %next = tile_gpu.next %at : !n
    // CHECK: scf.if {{.*}} -> (index)
    %either = scf.if %c -> !n {
      scf.yield %next : !n
    } else {
      scf.yield %at : !n
    }
    scf.yield %either : !n
  }
  // CHECK: scf.while ({{.*}}) : (index) -> index
  %w = scf.while (%at = %r) : (!n) -> !n {
    scf.condition(%c) %at : !n
  } do {
  ^bb0(%at: !n):
    scf.yield %at : !n
  }
  // CHECK: arith.muli
  %s = tile_gpu.stage %a[%w] : !buffer
  %u = tile_gpu.load_shared %s : !stage -> !t
  tile.return
}

// -----

// The only stage of a buffer is stage 0.
// CHECK-LABEL: @one_stage
tile.kernel @one_stage() attributes {block = 32 : i64} {
  // CHECK: arith.constant 0 : index
  %n = tile_gpu.counter 7 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<1x32xf32, #tile.shared<(32):(1)>>
  %s = tile_gpu.stage %a[%n] : memref<1x32xf32, #tile.shared<(32):(1)>>
  %u = tile_gpu.load_shared %s : memref<32xf32, strided<[1], offset: ?>, #tile.shared<(32):(1)>> -> !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
  tile.return
}
