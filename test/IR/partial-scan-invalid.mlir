// RUN: tile-opt %s -verify-diagnostics -split-input-file

#half = #tile.register<(32,2,1):(1,32,0), box = [64]>
#totals = #tile.register<(32,2,2):(0,0,1), box = [2]>

func.func @partial_scan_c1_layout(%t: !tile.tile<64xi32>, %n: !tile.tile<2xi32, #totals>) {
  // expected-error @below {{'tile.partial_scan' op expected tiles in registers with a layout, got '!tile.tile<64xi32>'}}
  %0 = tile.partial_scan add %t after %n axis 0 : !tile.tile<2xi32, #totals> before !tile.tile<64xi32>
  return
}

// -----

// Each of two warps holds every second element.
#mixed = #tile.register<(32,2,1):(2,1,0), box = [64]>
#totals = #tile.register<(32,2,2):(0,0,1), box = [2]>

func.func @partial_scan_c1_order(%t: !tile.tile<64xi32, #mixed>, %n: !tile.tile<2xi32, #totals>) {
  // expected-error-re @below {{'tile.partial_scan' op expected sources whose elements are in order along the axis, got {{.*}}}}
  %0 = tile.partial_scan add %t after %n axis 0 : !tile.tile<2xi32, #totals> before !tile.tile<64xi32, #mixed>
  return
}

// -----

#half = #tile.register<(32,2,1):(1,32,0), box = [64]>
#other = #tile.register<(32,2,1):(1,0,0), box = [32]>

func.func @partial_scan_c2_totals(%t: !tile.tile<64xi32, #half>, %n: !tile.tile<32xi32, #other>) {
  // expected-error-re @below {{'tile.partial_scan' op expected totals of shape [2] and the sources' element types, got {{.*}}}}
  %0 = tile.partial_scan add %t after %n axis 0 : !tile.tile<32xi32, #other> before !tile.tile<64xi32, #half>
  return
}

// -----

#half = #tile.register<(32,2,1):(1,32,0), box = [64]>
#totals = #tile.register<(32,2,2):(0,0,1), box = [2]>

func.func @partial_scan_c3(%t: !tile.tile<64xf32, #half>, %n: !tile.tile<2xf32, #totals>) {
  // expected-error @below {{'tile.partial_scan' op expected an integer element type for 'xor', got 'f32'}}
  %0 = tile.partial_scan xor %t after %n axis 0 : !tile.tile<2xf32, #totals> before !tile.tile<64xf32, #half>
  return
}
