// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @partial_reduce_c1_source(%t: !tile.tile<64xf32>) {
  // expected-error @below {{'tile.partial_reduce' op expected tiles in registers with a layout, got '!tile.tile<64xf32>'}}
  %0 = tile.partial_reduce add %t axis 0 : !tile.tile<64xf32> to !tile.tile<2xf32>
  return
}

// -----

func.func @partial_reduce_c1_result(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error-re @below {{'tile.partial_reduce' op expected tiles in registers with a layout, got '!tile.tile<2xf32, #tile.register>'}}
  %0 = tile.partial_reduce add %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register>
  return
}

// -----

func.func @partial_reduce_c2_axis(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error @below {{'tile.partial_reduce' op expected an axis below the rank 1, got 1}}
  %0 = tile.partial_reduce add %t axis 1 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  return
}

// -----

func.func @partial_reduce_c2_axis_negative(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error @below {{'tile.partial_reduce' op expected an axis below the rank 1, got -1}}
  %0 = tile.partial_reduce add %t axis -1 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  return
}

// -----

func.func @partial_reduce_c2_extent(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error @below {{'tile.partial_reduce' op expected a result of shape [2], got [64]}}
  %0 = tile.partial_reduce add %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>
  return
}

// -----

func.func @partial_reduce_c2_element_type(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error @below {{'tile.partial_reduce' op expected element type 'f32' (the source's), got 'i32'}}
  %0 = tile.partial_reduce add %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xi32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  return
}

// -----

func.func @partial_reduce_c3_kind(%t: !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>) {
  // expected-error @below {{'tile.partial_reduce' op expected an integer element type for 'umax', got 'f32'}}
  %0 = tile.partial_reduce umax %t axis 0 : !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>> to !tile.tile<2xf32, #tile.register<(32,2,1):(0,1,0), box = [2]>>
  return
}
