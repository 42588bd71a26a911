// RUN: tile-opt %s -verify-diagnostics -split-input-file

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c1(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected an axis below the rank 1, got 1}}
  tile_gpu.put_shared %v into %b at %i axis 1 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c2(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi64, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected values of the tile's extents but along axis 0, and its element type, got '!tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>>' and 'memref<9xi64, #tile.shared<(9):(1)>>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi64, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c3(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<31xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected indices of shape [32] (the values'), or of extent one instead, got [31]}}
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<31xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c4(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>, %m: !tile.tile<32xi8, #row>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected a mask of shape [32] and element type i1, got '!tile.tile<32xi8, #tile.register<(32,1,1):(1,0,0), box = [32]>>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 mask %m : !tile.tile<32xi8, #row> : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c5(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected a kind other than 'compare_exchange'}}
  tile_gpu.put_shared compare_exchange %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c6_values(%v: !tile.tile<32xi32>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected a tile in registers with a layout, got '!tile.tile<32xi32>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32>, !tile.tile<32xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c6_indices(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #tile.register>, %b: memref<9xi32, #tile.shared<(9):(1)>>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected a tile in registers with a layout, got '!tile.tile<32xi32, #tile.register>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #tile.register> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_c6_mask(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32, #tile.shared<(9):(1)>>, %m: !tile.tile<32xi1, #tile.shared>) {
  // expected-error @below {{'tile_gpu.put_shared' op expected a tile in registers with a layout, got '!tile.tile<32xi1, #tile.shared>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 mask %m : !tile.tile<32xi1, #tile.shared> : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32, #tile.shared<(9):(1)>>
  return
}

// -----

#row = #tile.register<(32,1,1):(1,0,0), box = [32]>

func.func @put_shared_to_array(%v: !tile.tile<32xi32, #row>, %i: !tile.tile<32xi32, #row>, %b: memref<9xi32>) {
  // expected-error @below {{'tile_gpu.put_shared' op operand #1 must be buffer in shared memory, but got 'memref<9xi32>'}}
  tile_gpu.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #row>, !tile.tile<32xi32, #row> into memref<9xi32>
  return
}
