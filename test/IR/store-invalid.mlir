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

func.func @store_of_scalar(%a: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @below {{'tile.store' op operand #0 must be tile, but got 'f32'}}
  "tile.store"(%x, %a, %i) : (f32, memref<4xf32>, index) -> ()
  return
}
