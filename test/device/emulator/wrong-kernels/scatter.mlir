// RUN: tile-opt %s -tile-plan-accesses -test-tile-emulate -verify-diagnostics -o /dev/null

// If several elements of a scatter have one coordinate, any of them may remain, so the
// threads of one scatter may write the same element. Accesses before and after the
// scatter are not part of it.

#one_block = #tile.grid<affine_map<() -> (1)> of []>
#two_blocks = #tile.grid<affine_map<() -> (2)> of []>
#lanes = #tile.register<(32,2,1):(1,32,0), box = [64]>
!i = !tile.tile<64xi32, #lanes>

// Four elements for each coordinate.
tile.kernel @duplicates(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  tile.return
}

// A second scatter writes the same elements without a barrier in between.
tile.kernel @two_scatters(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  // expected-note@+1 {{with this write}}
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  // expected-error@+1 {{race: no barrier is between them}}
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  tile.return
}

tile.kernel @barrier_between_scatters(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  gpu.barrier
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  tile.return
}

// The elements of the last iteration must remain.
tile.kernel @scatter_in_a_loop(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  scf.for %k = %c0 to %c3 step %c1 {
    // expected-note@+2 {{with this write}}
    // expected-error@+1 {{race: no barrier is between them}}
    tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  }
  tile.return
}

// Each thread writes in only one iteration, which a mask selects.
tile.kernel @masked_in_a_loop(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %turn = arith.remui %v, %four : !i
  %same = arith.constant dense<7> : !i
  scf.for %k = %c0 to %c4 step %c1 {
    %n = arith.index_cast %k : index to i32
    %now = tile.iota axis 0 from %n step %z : !i
    %mask = arith.cmpi eq, %turn, %now : !i
    // expected-note@+2 {{with this write}}
    // expected-error@+1 {{race: no barrier is between them}}
    tile.scatter %same, %y[%c0] at %at axis 0 mask %mask : !tile.tile<64xi1, #lanes> : !i, memref<64xi32>, !i
  }
  tile.return
}

tile.kernel @barrier_in_a_loop(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  scf.for %k = %c0 to %c3 step %c1 {
    tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
    gpu.barrier
  }
  tile.return
}

tile.kernel @read_after_scatter(%y: memref<64xi32>, %out: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  // expected-note@+1 {{with this write}}
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  // expected-error@+1 {{race: no barrier is between them}}
  %t = tile.load %y[%c0] : memref<64xi32> -> !i
  tile.store %t, %out[%c0] : !i, memref<64xi32>
  tile.return
}

tile.kernel @scatter_over_a_store(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #one_block, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  // expected-note@+1 {{with this write}}
  tile.store %v, %y[%c0] : !i, memref<64xi32>
  // expected-error@+1 {{race: no barrier is between them}}
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  tile.return
}

// Nothing specifies which block writes last.
tile.kernel @scatter_of_two_blocks(%y: memref<64xi32>) attributes {block = 64 : i64, grid = #two_blocks, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant dense<4> : !i
  %v = tile.iota axis 0 from %z step %one : !i
  %at = arith.divui %v, %four : !i
  %same = arith.constant dense<7> : !i
  // expected-note@+2 {{with this write}}
  // expected-error@+1 {{race: nothing orders two blocks but atomics and fences of gpu scope}}
  tile.scatter %same, %y[%c0] at %at axis 0 : !i, memref<64xi32>, !i
  tile.return
}
