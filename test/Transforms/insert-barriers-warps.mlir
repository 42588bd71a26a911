// RUN: tile-opt %s -tile-insert-barriers | FileCheck %s
// RUN: tile-opt %s -tile-insert-barriers -tile-count-groups -tile-verify-synchronization -o /dev/null

#row = #tile.shared<(128):(1)>
!b = memref<128xf32, #row>
!pairs = !tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>
!strides = !tile.tile<128xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!across = !tile.tile<128xf32, #tile.register<(32,2,2):(1,32,64), box = [128]>>
!repeated = !tile.tile<128xf32, #tile.register<(32,2,4):(1,0,32), box = [128]>>
!quarters = !tile.tile<128xf32, #tile.register<(32,(2,2),1):(1,(64,32),0), box = [128]>>
!halves = !tile.tile<128xf32, #tile.register<((16,2),4,1):((2,1),32,0), box = [128]>>
!small = memref<100xf32, #tile.shared<(100):(1)>>
!padded = !tile.tile<100xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!one = !tile.tile<128xf32, #tile.register<(32,1,4):(1,0,32), box = [128]>>
!rows = memref<4x32xf32, #tile.shared<(4,32):(40,1)>>
!flat = !tile.tile<4x32xf32, #tile.register<((8,4),2,2):((1,8),64,32), box = [4, 32]>>
!deep = !tile.tile<4x32xf32, #tile.register<((16,2),2,2):((2,32),64,1), box = [4, 32]>>

// Each warp reads the elements that it wrote.
// CHECK-LABEL: @of_each_warp
tile.kernel @of_each_warp(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: %[[ALL:.*]] = arith.constant -1 : i32
  // CHECK-NEXT: nvvm.bar.warp.sync %[[ALL]] : i32
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !pairs, !b
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile.return
}

// Each warp also reads its own elements in two dimensions, with gaps between the rows.
// CHECK-LABEL: @of_rows
tile.kernel @of_rows(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !rows
  %t = tile.fill %v : !flat
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: %[[ALL:.*]] = arith.constant -1 : i32
  // CHECK-NEXT: nvvm.bar.warp.sync %[[ALL]] : i32
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !flat, !rows
  %u = tile_gpu.load_shared %a : !rows -> !deep
  tile.return
}

// Warps exchange elements.
// CHECK-LABEL: @of_other_warps
tile.kernel @of_other_warps(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !pairs, !b
  %u = tile_gpu.load_shared %a : !b -> !across
  tile.return
}

// A warp reads elements that a single warp wrote, possibly another one.
// CHECK-LABEL: @of_warps_in_another_order
tile.kernel @of_warps_in_another_order(%v: f32) attributes {block = 128 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !quarters
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !quarters, !b
  %u = tile_gpu.load_shared %a : !b -> !halves
  tile.return
}

// If several warps hold an element, one of them writes it.
// CHECK-LABEL: @of_several_warps
tile.kernel @of_several_warps(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !repeated
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !repeated, !b
  %u = tile_gpu.load_shared %a : !b -> !repeated
  tile.return
}

// The layout's padding beyond the tile reads an element that another warp wrote.
// CHECK-LABEL: @padding
tile.kernel @padding(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !small
  %t = tile.fill %v : !padded
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !padded, !small
  %u = tile_gpu.load_shared %a : !small -> !padded
  tile.return
}

// The second buffer has the same bytes in another order of elements.
// CHECK-LABEL: @reused_bytes
tile.kernel @reused_bytes(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 4 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: %[[ALL:.*]] = arith.constant -1 : i32
  // CHECK-NEXT: nvvm.bar.warp.sync %[[ALL]] : i32
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  tile_gpu.store_shared %t, %a : !pairs, !b
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile_gpu.store_shared %t, %c : !pairs, !b
  tile.return
}

// Buffers of equal types at one offset have the same order of elements: two exchanges.
// CHECK-LABEL: @reused_by_its_like
tile.kernel @reused_by_its_like(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !pairs, !b
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile_gpu.store_shared %t, %c : !pairs, !b
  %w = tile_gpu.load_shared %c : !b -> !strides
  tile.return
}

// A block barrier that another access needs is enough.
// CHECK-LABEL: @served_by_one
tile.kernel @served_by_one(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 512 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !pairs, !b
  tile_gpu.store_shared %t, %c : !pairs, !b
  %u = tile_gpu.load_shared %a : !b -> !strides
  %w = tile_gpu.load_shared %c : !b -> !across
  tile.return
}

// The next iteration writes bytes that lanes of the warp may still read.
// CHECK-LABEL: @in_a_loop
tile.kernel @in_a_loop(%v: f32, %n: index) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.store_shared %t, %a : !pairs, !b
    %u = tile_gpu.load_shared %a : !b -> !strides
  }
  tile.return
}

// From the second iteration on, the block barrier that the array needs is in between.
// CHECK-LABEL: @served_by_the_next_iteration
tile.kernel @served_by_the_next_iteration(%x: memref<?xf32>, %n: index, %v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.store
  scf.for %i = %c0 to %n step %c1 {
    tile_gpu.store_shared %t, %a : !pairs, !b
    %u = tile_gpu.load_shared %a : !b -> !strides
    tile.store %u, %x[%i] : !strides, memref<?xf32>
  }
  tile.return
}

// Both branches read the elements: one barrier before the branches is enough.
// CHECK-LABEL: @before_a_branch
tile.kernel @before_a_branch(%c: i1, %v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: scf.if
  // CHECK-NOT: barrier
  // CHECK-NOT: nvvm
  // CHECK: tile.return
  tile_gpu.store_shared %t, %a : !pairs, !b
  scf.if %c {
    %u = tile_gpu.load_shared %a : !b -> !strides
  } else {
    %w = tile_gpu.load_shared %a : !b -> !strides
  }
  %x = tile_gpu.load_shared %a : !b -> !strides
  tile.return
}

// One branch reads elements that other warps wrote.
// CHECK-LABEL: @the_block_for_one_side
tile.kernel @the_block_for_one_side(%c: i1, %v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: barrier
  // CHECK-NOT: nvvm
  // CHECK: tile.return
  tile_gpu.store_shared %t, %a : !pairs, !b
  scf.if %c {
    %u = tile_gpu.load_shared %a : !b -> !strides
  } else {
    %w = tile_gpu.load_shared %a : !b -> !across
  }
  tile.return
}

// A barrier that the program contains counts.
// CHECK-LABEL: @counts_the_programs
tile.kernel @counts_the_programs(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %all = arith.constant -1 : i32
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !pairs, !b
  nvvm.bar.warp.sync %all : i32
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile.return
}

// A block of one warp needs no block barrier, whichever lanes access the bytes.
// CHECK-LABEL: @one_warp
tile.kernel @one_warp(%x: memref<128xf32>, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !one
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  // CHECK: tile_gpu.wait
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: arith.constant -1
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: tile_gpu.store_shared
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<128xf32> to !b
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !one
  tile_gpu.store_shared %t, %a : !one, !b
  tile.return
}
