// RUN: tile-opt %s -tile-decompose -verify-diagnostics -split-input-file

// The pass expects a kernel without calls.
func.func private @f(%t: !tile.tile<8xf32>)
tile.kernel @calls() {
  %t = arith.constant dense<0.0> : !tile.tile<8xf32>
  // expected-error @below {{expected no call in a kernel}}
  func.call @f(%t) : (!tile.tile<8xf32>) -> ()
  tile.return
}

// -----

// A kernel is never lowered to an earlier level.
// expected-error @below {{expected a kernel at level 'source', got one at 'decomposed'}}
tile.kernel @again() attributes {tile.level = #tile<level decomposed>} {
  tile.return
}

// -----

// expected-error @below {{expected a kernel at level 'source' to have no 'tile.storage', which the phases write (tile.level says the level, of a kernel that has been through them #tile<level buffered>)}}
tile.kernel @decided() attributes {tile.storage = []} {
  tile.return
}

// -----

tile.kernel @ordered_in_a_branch(%x: memref<?xf32>, %c: i1, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<8xf32>
  scf.if %c {
    // expected-error @below {{expected an ordered update outside of loops and branches, got one in 'scf.if'}}
    %old = tile.atomic_rmw add %t, %s[%c0] ordered : !tile.tile<8xf32>, memref<?xf32>
  }
  tile.return
}
