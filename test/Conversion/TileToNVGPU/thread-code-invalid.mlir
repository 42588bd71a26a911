// RUN: tile-opt %s -allow-unregistered-dialect -tile-plan-accesses -convert-tile-to-nvgpu -split-input-file -verify-diagnostics

// An operation of another dialect must define its thread code.
!words = !tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
tile.kernel @no_thread_code(%a: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<32xi32> -> !words
  // expected-error @below {{expected an operation with ThreadOpInterface, got 'unknown.op'}}
  %y = "unknown.op"(%x) : (!words) -> !words
  tile.store %y, %a[%c0] : !words, memref<32xi32>
  tile.return
}

// -----

// An elementwise operation must define its thread code too.
!words = !tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
tile.kernel @no_elements(%a: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<32xi32> -> !words
  // expected-error @below {{expected an operation with ElementOpInterface, got 'example.unanswered'}}
  %y = example.unanswered %x : !words
  tile.store %y, %a[%c0] : !words, memref<32xi32>
  tile.return
}
