// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @no_channel(%n: index) {
  // expected-error @below {{'tile_gpu.drain' op operand #0 must be channel, but got 'index'}}
  tile_gpu.drain %n : index
  return
}
