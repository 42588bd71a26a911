// RUN: tile-opt -convert-tile-to-cpu -verify-diagnostics -split-input-file %s

// Operations that the phases for the GPU create have no meaning on the CPU.
#layout = #tile.shared<(8,8):(8,1)>
tile.kernel @buffer(%a: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected an operation on whole tiles, got 'memref.alloc' (made by the phases for the GPU, which the cpu does not follow)}}
  %b = memref.alloc() : memref<8x8xf32, #layout>
  tile_gpu.copy_async %a[%c0, %c0] to %b : memref<8x8xf32> to memref<8x8xf32, #layout>
  tile.return
}

// -----

func.func private @f(%t: !tile.tile<8xf32>)

tile.kernel @call(%a: memref<8xf32>) {
  %t = arith.constant dense<0.0> : !tile.tile<8xf32>
  // expected-error @+1 {{expected a kernel without calls (-tile-canonical-form inlines them), got 'func.call'}}
  func.call @f(%t) : (!tile.tile<8xf32>) -> ()
  tile.return
}

// -----

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

tile.kernel @network(%v: i32) {
  %t = tile.fill %v : !tile.tile<32xi32, #lanes>
  // expected-error @+1 {{expected an operation on whole tiles, got 'tile.partial_sort' (made by the phases for the GPU, which the cpu does not follow)}}
  %s = tile.partial_sort %t axis 0 steps [1, 0] : !tile.tile<32xi32, #lanes>
  tile.return
}

// -----

func.func @threads_of_a_function() {
  // expected-error @+1 {{expected the threads of a kernel, got a function's (-tile-canonical-form inlines them)}}
  %t = tile.per_thread to !tile.tile<64xi32> {
  ^bb0(%thread: index):
    %i = arith.index_cast %thread : index to i32
    tile.yield %i : i32
  }
  return
}

tile.kernel @none(%a: memref<8xf32>) {
  tile.return
}

// -----

// Blocks may run different numbers of iterations of a loop.
tile.kernel @ordered_in_a_loop(%x: memref<?xf32>, %n: index, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{expected an ordered update outside of loops and branches, got one in 'scf.for'}}
    %old = tile.atomic_rmw add %t, %s[%i] ordered : !tile.tile<8xf32>, memref<?xf32>
  }
  tile.return
}

// -----

// An operation of another dialect that moves elements has no meaning in loops.
tile.kernel @butterfly(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<32xf32> -> !tile.tile<32xf32>
  // expected-error @+1 {{expected an operation of the tile dialect, arith or math, or one with ElementOpInterface, got 'example.butterfly'}}
  %y = example.butterfly %x mask 1 : !tile.tile<32xf32> to !tile.tile<32xf32>
  tile.store %y, %a[%c0] : !tile.tile<32xf32>, memref<32xf32>
  tile.return
}
