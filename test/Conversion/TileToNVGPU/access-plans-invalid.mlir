// RUN: tile-opt %s -convert-tile-to-nvgpu -verify-diagnostics -split-input-file

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>

tile.kernel @no_plan(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected an access plan (run -tile-plan-accesses before)}}
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.return
}

// -----

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>

// The array may start at any multiple of four bytes.
tile.kernel @wider_than_aligned(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 'tile.access' to be #tile.access<vector = 1, kind = elements, guard = box>, or narrower or with more tests where possible, got #tile.access<vector = 4, kind = vector, guard = box>}}
  %t = tile.load %x[%c0] {tile.access = #tile.access<vector = 4, kind = vector, guard = box>} : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.return
}

// -----

#v2 = #tile.register<(32,1,2):(2,0,1), box = [64]>

tile.kernel @wider_than_the_layout(%x: memref<64xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 'tile.access' to be #tile.access<vector = 2, kind = vector, guard = none>}}
  %t = tile.load %x[%c0] {tile.access = #tile.access<vector = 4, kind = vector, guard = none>} : memref<64xf32> -> !tile.tile<64xf32, #v2>
  tile.return
}

// -----

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>

tile.kernel @no_test(%x: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 'tile.access' to be #tile.access<vector = 4, kind = vector, guard = box>}}
  %t = tile.load %x[%c0] {tile.access = #tile.access<vector = 4, kind = vector, guard = none>} : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.return
}

// -----

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>

tile.kernel @load_by_copies(%x: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{or narrower or with more tests where possible, got #tile.access<vector = 4, kind = copy_async, guard = box>}}
  %t = tile.load %x[%c0] {tile.access = #tile.access<vector = 4, kind = copy_async, guard = box>} : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.return
}

// -----

#rows = #tile.shared<(8,8):(8,1)>

// cp.async cannot copy two bytes.
tile.kernel @copies_of_two_bytes(%x: memref<8x8xf16> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x8xf16, #rows>
  // expected-error @below {{expected 'tile.access' to be #tile.access<vector = 8, kind = copy_async, guard = none>}}
  tile_gpu.copy_async %x[%c0, %c0] to %a in_bounds {tile.access = #tile.access<vector = 1, kind = copy_async, guard = none>} : memref<8x8xf16> to memref<8x8xf16, #rows>
  tile.return
}

// -----

#row = #tile.shared<(64):(1)>
#v2 = #tile.register<(32,1,2):(2,0,1), box = [64]>

tile.kernel @matrix_of_other_elements() attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<64xf32, #row>
  // expected-error @below {{expected 'tile.access' to be #tile.access<vector = 2, kind = vector, guard = none>}}
  %t = tile_gpu.load_shared %a {tile.access = #tile.access<vector = 4, kind = matrix, guard = none>} : memref<64xf32, #row> -> !tile.tile<64xf32, #v2>
  tile.return
}

// -----

tile.kernel @no_access(%i: index) attributes {block = 32 : i64} {
  // expected-error @below {{expected no 'tile.access' where there is no such access, got #tile.access<vector = 1, kind = elements, guard = none>}}
  %j = arith.addi %i, %i {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : index
  tile.return
}
