// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @store_c1_number_of_offsets(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{'tile.store' op expected 1 offsets (the array's rank), got 2}}
  tile.store %t, %a[%i, %i] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @store_c2_rank(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4x4xf32>
  // expected-error @below {{'tile.store' op expected a tile of rank at most 1 (the array's), got rank 2}}
  tile.store %t, %a[%i] : !tile.tile<4x4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @store_c3_element_type(%a: memref<?xf32>, %i: index, %x: f16) {
  %t = tile.fill %x : !tile.tile<4xf16>
  // expected-error @below {{'tile.store' op expected element type 'f32' (the array's), got 'f16'}}
  tile.store %t, %a[%i] : !tile.tile<4xf16>, memref<?xf32>
  tile.return
}

// -----

func.func @store_c4_shape(%t: !tile.tile<9x5xf32>, %a: memref<?x?xf32>, %i: index, %m: !tile.tile<5xi1>) {
  // expected-error @below {{'tile.store' op expected a mask of shape [9, 5] and element type i1, got '!tile.tile<5xi1>'}}
  tile.store %t, %a[%i, %i] mask %m : !tile.tile<5xi1> : !tile.tile<9x5xf32>, memref<?x?xf32>
  return
}

// -----

func.func @store_c4_element_type(%t: !tile.tile<5xf32>, %a: memref<?xf32>, %i: index) {
  // expected-error @below {{'tile.store' op expected a mask of shape [5] and element type i1, got '!tile.tile<5xf32>'}}
  tile.store %t, %a[%i] mask %t : !tile.tile<5xf32> : !tile.tile<5xf32>, memref<?xf32>
  return
}

// -----

func.func @store_mask_without_type(%t: !tile.tile<5xf32>, %a: memref<?xf32>, %i: index, %m: !tile.tile<5xi1>) {
  // expected-error @below {{expected ':'}}
  tile.store %t, %a[%i] mask %m in_bounds : !tile.tile<5xf32>, memref<?xf32>
  return
}

// -----

func.func @store_segments_do_not_add_up(%t: !tile.tile<5xf32>, %a: memref<?xf32>, %i: index) {
  // expected-error @below {{operand count (3) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
  "tile.store"(%t, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!tile.tile<5xf32>, memref<?xf32>, index) -> ()
  return
}

// -----

func.func @store_of_scalar(%a: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @below {{'tile.store' op operand #0 must be tile, but got 'f32'}}
  "tile.store"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (f32, memref<4xf32>, index) -> ()
  return
}

// -----

func.func @store_c5(%a: memref<?x?x?xf32>, %c: index, %t: !tile.tile<8x8xf32>) {
  // expected-error @below {{'tile.store' op expected 'dims' of 2 (the tile's rank) different dimensions of the array, from 0 to 2, got [-1, 0]}}
  tile.store %t, %a[%c, %c, %c] dims [-1, 0] : !tile.tile<8x8xf32>, memref<?x?x?xf32>
  return
}
