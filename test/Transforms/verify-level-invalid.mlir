// RUN: tile-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(tile.kernel(tile-verify-level{level=decomposed}))'

tile.kernel @composite(%seed: i64, %r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected no composite operation (run -tile-decompose before), got 'tile.random'}}
  %t = tile.random bits %seed, %seed : !tile.tile<8xi32>
  tile.store %t, %r[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}

// -----

// expected-error @below {{expected a kernel at level 'decomposed' to have no 'tile.storage', which the phases write (tile.level says the level, of a kernel that has been through them #tile<level buffered>)}}
tile.kernel @decided() attributes {tile.storage = []} {
  tile.return
}
