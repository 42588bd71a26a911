// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @yield_parent(%x: f32) {
  // expected-error @below {{'tile.yield' op expects parent op to be one of 'tile.map, tile.reduce, tile.partial_reduce, tile.scan, tile.partial_scan, tile.per_thread, tile.group'}}
  tile.yield %x : f32
}

// -----

func.func @yield_of_tile(%t: !tile.tile<64xf32>) {
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    // expected-error @below {{'tile.yield' op operand #0 must be variadic of element of a tile, or vector of them, or tensor of a group, but got '!tile.tile<64xf32>'}}
    tile.yield %t : !tile.tile<64xf32>
  }
  return
}

// -----

// A vector is a thread's part of a tile; this operation expects an element.
func.func @yield_of_vector(%t: !tile.tile<8xf32>, %v: vector<2xf32>) {
  %r = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf32> {
  ^bb0(%x: f32):
    // expected-error @below {{'tile.yield' op expected elements of 'f32', got 'vector<2xf32>'}}
    tile.yield %v : vector<2xf32>
  }
  return
}

// -----

func.func @yield_without_types(%t: !tile.tile<64xf32>) {
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    // expected-error @below {{expected ':'}}
    tile.yield %x
  }
  return
}
