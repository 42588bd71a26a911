// RUN: tile-opt %s -tile-allocate-shared | FileCheck %s

#rows = #tile.shared<(64,64):(64,1)>
!buffer = memref<64x64xf32, #rows>
!t = !tile.tile<64x64xf32, #tile.register<(32,1,(2,64)):(1,0,(32,64)), box = [64, 64]>>

// Buffers whose live ranges do not overlap share bytes.
// CHECK-LABEL: @reuses_space_after_last_read
// CHECK-SAME: tile.shared_bytes = 32768
tile.kernel @reuses_space_after_last_read(%x: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 16384 : i64}
  %a = memref.alloc() : !buffer
  %b = memref.alloc() : !buffer
  %c = memref.alloc() : !buffer
  %channel = tile_gpu.channel %a : !buffer -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<64x64xf32> to !buffer
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %t = tile_gpu.load_shared %a : !buffer -> !t
  tile_gpu.store_shared %t, %b : !t, !buffer
  tile_gpu.store_shared %t, %c : !t, !buffer
  %u = tile_gpu.load_shared %b : !buffer -> !t
  %v = tile_gpu.load_shared %c : !buffer -> !t
  tile.return
}

// A copy in flight writes its buffer until the wait, even if no operation reads the
// buffer.
// CHECK-LABEL: @keeps_bytes_of_copy_in_flight
// CHECK-SAME: tile.shared_bytes = 32768
tile.kernel @keeps_bytes_of_copy_in_flight(%x: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !buffer
  %b = memref.alloc() : !buffer
  %channel = tile_gpu.channel %a : !buffer -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<64x64xf32> to !buffer
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  %t = arith.constant dense<0.0> : !t
  tile_gpu.store_shared %t, %b : !t, !buffer
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  tile.return
}

// A buffer that a loop reads is needed in each iteration: no other takes its bytes.
// CHECK-LABEL: @keeps_what_a_loop_reads_again
// CHECK-SAME: tile.shared_bytes = 32768
tile.kernel @keeps_what_a_loop_reads_again(%n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !buffer
  %t = arith.constant dense<0.0> : !t
  tile_gpu.store_shared %t, %a : !t, !buffer
  scf.for %i = %c0 to %n step %c1 {
    %u = tile_gpu.load_shared %a : !buffer -> !t
    %b = memref.alloc() : !buffer
    tile_gpu.store_shared %u, %b : !t, !buffer
    %v = tile_gpu.load_shared %b : !buffer -> !t
  }
  tile.return
}

// A view is a use of the buffer from which it is derived.
// CHECK-LABEL: @counts_reads_through_views
// CHECK-SAME: tile.shared_bytes = 32768
tile.kernel @counts_reads_through_views() attributes {block = 32 : i64} {
  %a = memref.alloc() : !buffer
  %b = memref.alloc() : !buffer
  %t = arith.constant dense<0.0> : !t
  tile_gpu.store_shared %t, %a : !t, !buffer
  %v = memref.transpose %a (i, j) -> (j, i) : !buffer to memref<64x64xf32, strided<[1, 64]>, #rows>
  tile_gpu.store_shared %t, %b : !t, !buffer
  %u = tile_gpu.load_shared %v : memref<64x64xf32, strided<[1, 64]>, #rows> -> !t
  tile.return
}

// The offset of a buffer is a multiple of its alignment.
// CHECK-LABEL: @aligns_each_buffer
// CHECK-SAME: tile.shared_bytes = 288
tile.kernel @aligns_each_buffer() attributes {block = 32 : i64} {
  // CHECK: memref.alloc() {tile.shared_offset = 256 : i64} : memref<4xf32
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64} : memref<36xf32
  %a = memref.alloc() : memref<4xf32, #tile.shared<(4):(1), align = 32>>
  %b = memref.alloc() : memref<36xf32, #tile.shared<(36):(1), align = 256>>
  %s = arith.constant dense<0.0> : !tile.tile<4xf32, #tile.register<((4,8),1,1):((1,0),0,0), box = [4]>>
  %l = arith.constant dense<0.0> : !tile.tile<36xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
  tile_gpu.store_shared %s, %a : !tile.tile<4xf32, #tile.register<((4,8),1,1):((1,0),0,0), box = [4]>>, memref<4xf32, #tile.shared<(4):(1), align = 32>>
  tile_gpu.store_shared %l, %b : !tile.tile<36xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>, memref<36xf32, #tile.shared<(36):(1), align = 256>>
  %u = tile_gpu.load_shared %a : memref<4xf32, #tile.shared<(4):(1), align = 32>> -> !tile.tile<4xf32, #tile.register<((4,8),1,1):((1,0),0,0), box = [4]>>
  %v = tile_gpu.load_shared %b : memref<36xf32, #tile.shared<(36):(1), align = 256>> -> !tile.tile<36xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
  tile.return
}

#few = #tile.shared<(2):(1)>
!few = memref<2xf32, #few>
!one = !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
!all = !tile.tile<2xf32, #tile.register<(32,2,2):(0,0,1), box = [2]>>

// Small buffers of exchanges that follow each other have different offsets, so that the
// barrier of one also separates those around it. The third has the offset of the first.
// CHECK-LABEL: @alternates_exchanges
// CHECK-SAME: tile.shared_bytes = 32
tile.kernel @alternates_exchanges() attributes {block = 64 : i64} {
  %t = arith.constant dense<0.0> : !one
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  %a = memref.alloc() : !few
  tile_gpu.store_shared %t, %a : !one, !few
  %u = tile_gpu.load_shared %a : !few -> !all
  // CHECK: memref.alloc() {tile.shared_offset = 16 : i64}
  %b = memref.alloc() : !few
  tile_gpu.store_shared %t, %b : !one, !few
  %v = tile_gpu.load_shared %b : !few -> !all
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  %c = memref.alloc() : !few
  tile_gpu.store_shared %t, %c : !one, !few
  %w = tile_gpu.load_shared %c : !few -> !all
  tile.return
}

// In a loop each has its own offset, since the first of the next iteration follows the last.
// CHECK-LABEL: @separates_exchanges_of_a_loop
// CHECK-SAME: tile.shared_bytes = 48
tile.kernel @separates_exchanges_of_a_loop(%n: index) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant dense<0.0> : !one
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
    %a = memref.alloc() : !few
    tile_gpu.store_shared %t, %a : !one, !few
    %u = tile_gpu.load_shared %a : !few -> !all
    // CHECK: memref.alloc() {tile.shared_offset = 16 : i64}
    %b = memref.alloc() : !few
    tile_gpu.store_shared %t, %b : !one, !few
    %v = tile_gpu.load_shared %b : !few -> !all
    // CHECK: memref.alloc() {tile.shared_offset = 32 : i64}
    %c = memref.alloc() : !few
    tile_gpu.store_shared %t, %c : !one, !few
    %w = tile_gpu.load_shared %c : !few -> !all
  }
  tile.return
}

// Without a block size exchanges share bytes.
// CHECK-LABEL: @has_no_block
// CHECK-SAME: tile.shared_bytes = 16
tile.kernel @has_no_block() {
  %t = arith.constant dense<0.0> : !one
  %a = memref.alloc() : !few
  tile_gpu.store_shared %t, %a : !one, !few
  %u = tile_gpu.load_shared %a : !few -> !all
  %b = memref.alloc() : !few
  tile_gpu.store_shared %t, %b : !one, !few
  %v = tile_gpu.load_shared %b : !few -> !all
  tile.return
}
