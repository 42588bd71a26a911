// RUN: tile-opt %s -convert-tile-to-nvgpu -split-input-file -verify-diagnostics

// The part would have different value indices in different lanes.
#whole = #tile.register<(32,1,2):(1,0,32), box = [64]>
#part = #tile.register<(32,1,1):(1,0,0), box = [32]>
tile.kernel @view_within_a_period() attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c16 = arith.constant 16 : index
  %t = arith.constant dense<1.0> : !tile.tile<64xf32, #whole>
  // expected-error @+2 {{expected a part that has the same value indices in every thread, got '!tile.tile<32xf32}}
  // expected-error @+1 {{failed to legalize operation 'tile.view'}}
  %v = tile.view %t[%c16] : !tile.tile<64xf32, #whole> to !tile.tile<32xf32, #part>
  tile.return
}

// -----

#whole = #tile.register<(32,1,2):(1,0,32), box = [64]>
#part = #tile.register<(32,1,1):(1,0,0), box = [32]>
#other = #tile.register<(32,1,2):(2,0,1), box = [64]>
tile.kernel @join_to_another_layout() attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %t = arith.constant dense<1.0> : !tile.tile<32xf32, #part>
  // expected-error @+2 {{expected the layout #tile.register<(32,1,2):(1,0,32), box = [64]>, in which each part has the same value indices in every thread, got '!tile.tile<64xf32}}
  // expected-error @+1 {{failed to legalize operation 'tile.join'}}
  %r = tile.join %t, %t axis 0 : !tile.tile<32xf32, #part>, !tile.tile<32xf32, #part> to !tile.tile<64xf32, #other>
  tile.return
}

// -----

#whole = #tile.register<(32,1,2):(1,0,32), box = [64]>
#part = #tile.register<(32,1,1):(1,0,0), box = [32]>
tile.kernel @insert_at_a_run_time_place(%i: index) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %t = arith.constant dense<1.0> : !tile.tile<64xf32, #whole>
  %p = arith.constant dense<2.0> : !tile.tile<32xf32, #part>
  // expected-error @+2 {{expected a part that has the same value indices in every thread, got '!tile.tile<32xf32}}
  // expected-error @+1 {{failed to legalize operation 'tile.insert'}}
  %r = tile.insert %p into %t[%i] : !tile.tile<32xf32, #part> into !tile.tile<64xf32, #whole>
  tile.return
}
