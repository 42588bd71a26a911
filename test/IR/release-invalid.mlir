// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @counter_of_another_channel(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<3>) {
  // expected-error @below {{failed to verify that a counter of as many stages as the channel has}}
  "tile_gpu.release"(%c, %n) : (!tile_gpu.channel<4>, !tile_gpu.counter<3>) -> ()
  return
}

// -----

func.func @no_channel(%c: index, %n: !tile_gpu.counter<1>) {
  // expected-error @below {{'tile_gpu.release' op operand #0 must be channel, but got 'index'}}
  "tile_gpu.release"(%c, %n) : (index, !tile_gpu.counter<1>) -> ()
  return
}

// -----

func.func @c1_behind_all_stages(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // expected-error @below {{'tile_gpu.release' op expected 'behind' from 0 to 3, got 4}}
  tile_gpu.release %c[%n] behind 4 : !tile_gpu.channel<4>
  return
}

// -----

func.func @c1_negative(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<4>) {
  // expected-error @below {{'tile_gpu.release' op expected 'behind' from 0 to 3, got -1}}
  tile_gpu.release %c[%n] behind -1 : !tile_gpu.channel<4>
  return
}
