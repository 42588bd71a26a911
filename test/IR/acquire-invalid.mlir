// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @counter_of_another_channel(%c: !tile_gpu.channel<4>, %n: !tile_gpu.counter<3>) {
  // expected-error @below {{failed to verify that a counter of as many stages as the channel has}}
  "tile_gpu.acquire"(%c, %n) : (!tile_gpu.channel<4>, !tile_gpu.counter<3>) -> ()
  return
}

// -----

func.func @no_channel(%c: index, %n: !tile_gpu.counter<1>) {
  // expected-error @below {{'tile_gpu.acquire' op operand #0 must be channel, but got 'index'}}
  "tile_gpu.acquire"(%c, %n) : (index, !tile_gpu.counter<1>) -> ()
  return
}
