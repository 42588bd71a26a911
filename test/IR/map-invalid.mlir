// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @map_c1() {
  // expected-error @below {{'tile.map' op expected at least one input (tile.fill makes a tile of a scalar)}}
  %0 = "tile.map"() ({
    %c = arith.constant 0.0 : f32
    tile.yield %c : f32
  }) : () -> !tile.tile<8xf32>
  return
}

// -----

func.func @map_c2_input(%t: !tile.tile<8xf32>, %u: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.map' op expected inputs of shape [8], or of extents that are one or its last ones, got '!tile.tile<4xf32>'}}
  %0 = tile.map %t, %u : !tile.tile<8xf32>, !tile.tile<4xf32> to !tile.tile<8xf32> {
  ^bb0(%x: f32, %y: f32):
    tile.yield %x : f32
  }
  return
}

// -----

func.func @map_c2_result(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.map' op expected inputs of shape [8, 1], or of extents that are one or its last ones, got '!tile.tile<8xf32>'}}
  %0 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8x1xf32> {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
  return
}

// -----

func.func @map_c3_arguments(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.map' op expected a region with arguments of 'f32', got 'f16'}}
  %0 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf16> {
  ^bb0(%x: f16):
    tile.yield %x : f16
  }
  return
}

// -----

func.func @map_c3_yield(%t: !tile.tile<8xf32>) {
  %0 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf16> {
  ^bb0(%x: f32):
    // expected-error @below {{'tile.yield' op expected elements of 'f16', got 'f32'}}
    tile.yield %x : f32
  }
  return
}

// -----

func.func @map_c4_tile(%t: !tile.tile<8xf32>) {
  %0 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf32> {
  ^bb0(%x: f32):
    // expected-error @below {{expected an operation on scalars without side effects in the region of 'tile.map', got 'tile.fill'}}
    %u = tile.fill %x : !tile.tile<8xf32>
    tile.yield %x : f32
  }
  return
}

// -----

func.func @map_c4_side_effect(%t: !tile.tile<8xf32>, %a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf32> {
  ^bb0(%x: f32):
    // expected-error @below {{expected an operation on scalars without side effects in the region of 'tile.map', got 'memref.store'}}
    memref.store %x, %a[%c0] : memref<8xf32>
    tile.yield %x : f32
  }
  return
}

// -----

func.func @map_c2_results(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.map' op expected results of shape [8] (the first one's), got '!tile.tile<9xf32>'}}
  %0:2 = tile.map %t : !tile.tile<8xf32> to !tile.tile<8xf32>, !tile.tile<9xf32> {
  ^bb0(%x: f32):
    tile.yield %x, %x : f32, f32
  }
  return
}
