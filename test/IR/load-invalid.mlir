// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @load_c1_number_of_offsets(%a: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'tile.load' op expected 2 offsets (the array's rank), got 1}}
  %t = tile.load %a[%i] : memref<?x?xf32> -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.kernel @load_c1_no_offsets(%a: memref<?xf32>) {
  // expected-error @below {{'tile.load' op expected 1 offsets (the array's rank), got 0}}
  %t = tile.load %a[] : memref<?xf32> -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.kernel @load_c2_rank(%a: memref<?xf32>, %i: index) {
  // expected-error @below {{'tile.load' op expected a tile of rank at most 1 (the array's), got rank 2}}
  %t = tile.load %a[%i] : memref<?xf32> -> !tile.tile<4x4xf32>
  tile.return
}

// -----

tile.kernel @load_c3_element_type(%a: memref<?xf32>, %i: index) {
  // expected-error @below {{'tile.load' op expected element type 'f32' (the array's), got 'f16'}}
  %t = tile.load %a[%i] : memref<?xf32> -> !tile.tile<4xf16>
  tile.return
}

// -----

tile.kernel @load_c3_pad(%a: memref<?xf32>, %i: index, %p: f16) {
  // expected-error @below {{'tile.load' op failed to verify that pad has the tile's element type}}
  %t = "tile.load"(%a, %i, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<?xf32>, index, f16) -> !tile.tile<4xf32>
  tile.return
}

// -----

func.func @load_c4_shape(%a: memref<?x?xf32>, %i: index, %m: !tile.tile<9x1xi1>) {
  // expected-error @below {{'tile.load' op expected a mask of shape [9, 5] and element type i1, got '!tile.tile<9x1xi1>'}}
  %t = tile.load %a[%i, %i] mask %m : !tile.tile<9x1xi1> : memref<?x?xf32> -> !tile.tile<9x5xf32>
  return
}

// -----

func.func @load_c4_element_type(%a: memref<?xf32>, %i: index, %m: !tile.tile<5xi8>) {
  // expected-error @below {{'tile.load' op expected a mask of shape [5] and element type i1, got '!tile.tile<5xi8>'}}
  %t = tile.load %a[%i] mask %m : !tile.tile<5xi8> : memref<?xf32> -> !tile.tile<5xf32>
  return
}

// -----

func.func @load_mask_of_scalar(%a: memref<?xf32>, %i: index, %m: i1) {
  // expected-error @below {{'tile.load' op operand #2 must be tile, but got 'i1'}}
  %t = tile.load %a[%i] mask %m : i1 : memref<?xf32> -> !tile.tile<5xf32>
  return
}

// -----

func.func @load_mask_without_type(%a: memref<?xf32>, %i: index, %m: !tile.tile<5xi1>) {
  // expected-error @below {{expected ':'}}
  %t = tile.load %a[%i] mask %m pad %m : memref<?xf32> -> !tile.tile<5xf32>
  return
}

// -----

// The mask comes first.
func.func @load_mask_behind_pad(%a: memref<?xf32>, %i: index, %m: !tile.tile<5xi1>, %p: f32) {
  // expected-error @below {{expected ':'}}
  %t = tile.load %a[%i] pad %p mask %m : !tile.tile<5xi1> : memref<?xf32> -> !tile.tile<5xf32>
  return
}

// -----

func.func @load_from_tensor(%a: tensor<4xf32>, %i: index) {
  // expected-error @below {{'tile.load' op operand #0 must be array in global memory: memref of rank 1 to 8, but got 'tensor<4xf32>'}}
  %t = "tile.load"(%a, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<4xf32>, index) -> !tile.tile<4xf32>
  return
}

// -----

func.func @load_from_shared_memory(%a: memref<4xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{'tile.load' op operand #0 must be array in global memory: memref of rank 1 to 8, but got 'memref<4xf32, #gpu.address_space<workgroup>>'}}
  %t = tile.load %a[%i] : memref<4xf32, #gpu.address_space<workgroup>> -> !tile.tile<4xf32>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @load_offset_type(%a: memref<4xf32>, %i: i32) {
  // expected-error @below {{use of value '%i' expects different type than prior uses: 'index' vs 'i32'}}
  %t = tile.load %a[%i] : memref<4xf32> -> !tile.tile<4xf32>
  return
}

// -----

func.func @load_segments_do_not_add_up(%a: memref<4xf32>, %i: index) {
  // expected-error @below {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %t = "tile.load"(%a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<4xf32>, index) -> !tile.tile<4xf32>
  return
}

// -----

func.func @load_c5_count(%a: memref<?x?x?xf32>, %c: index) {
  // expected-error @below {{'tile.load' op expected 'dims' of 2 (the tile's rank) different dimensions of the array, from 0 to 2, got [0]}}
  %0 = tile.load %a[%c, %c, %c] dims [0] : memref<?x?x?xf32> -> !tile.tile<8x8xf32>
  return
}

// -----

func.func @load_c5_range(%a: memref<?x?x?xf32>, %c: index) {
  // expected-error @below {{'tile.load' op expected 'dims' of 2 (the tile's rank) different dimensions of the array, from 0 to 2, got [0, 3]}}
  %0 = tile.load %a[%c, %c, %c] dims [0, 3] : memref<?x?x?xf32> -> !tile.tile<8x8xf32>
  return
}

// -----

func.func @load_c5_twice(%a: memref<?x?x?xf32>, %c: index) {
  // expected-error @below {{'tile.load' op expected 'dims' of 2 (the tile's rank) different dimensions of the array, from 0 to 2, got [1, 1]}}
  %0 = tile.load %a[%c, %c, %c] dims [1, 1] : memref<?x?x?xf32> -> !tile.tile<8x8xf32>
  return
}
