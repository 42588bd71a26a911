// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @other_stages(%n: !tile_gpu.counter<4>) {
  // expected-error @below {{'tile_gpu.next' op requires the same type for all operands and results}}
  "tile_gpu.next"(%n) : (!tile_gpu.counter<4>) -> !tile_gpu.counter<3>
  return
}

// -----

func.func @integer(%n: index) {
  // expected-error @below {{'tile_gpu.next' op operand #0 must be counter of a channel, but got 'index'}}
  tile_gpu.next %n : index
  return
}
