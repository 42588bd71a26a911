// Relaxed accesses to a flag order nothing: a block that reads the flag may miss
// earlier writes. With a release and an acquire it sees them.
// REQUIRES: emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.flags.npy', np.zeros(3, 'i4')); np.save('%t.y.npy', np.ones((2, 50), 'f4'))"
// RUN: not tile-run %s hands_on inout=%t.flags.npy inout=%t.y.npy --grid=2 --on=emulator 2>&1 | FileCheck %s
// RUN: sed 's/ scope gpu/ order acquire/' %s > %t.half.mlir
// RUN: not tile-run %t.half.mlir hands_on inout=%t.flags.npy inout=%t.y.npy --grid=2 --on=emulator 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: sed 's/ scope gpu/ order acquire/; s/ scope system/ order release/' %s > %t.both.mlir
// RUN: tile-run %t.both.mlir hands_on inout=%t.flags.npy inout=%t.y.npy --grid=2 --on=emulator --schedules=3
// CHECK: relaxed-flag.mlir:[[#@LINE + 25]]:{{.*}}: error: race: nothing orders two blocks but atomics and fences of gpu scope
// HALF: error: race: nothing orders two blocks

tile.kernel @hands_on(%flags: memref<?xi32>, %y: memref<?x?xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant dense<1> : !tile.tile<i32>
  %ticket = tile.atomic_rmw add %one, %flags[%c0] : !tile.tile<i32>, memref<?xi32>
  %number = tile.extract %ticket[] : !tile.tile<i32>
  %i = arith.index_cast %number : i32 to index
  %before = arith.subi %i, %c1 : index
  %own = arith.addi %i, %c1 : index
  %is_second = arith.cmpi eq, %i, %c1 : index
  scf.if %is_second {
    scf.while : () -> () {
      %f = tile.atomic_load %flags[%i] scope gpu : memref<?xi32> -> !tile.tile<i32>
      %is = tile.extract %f[] : !tile.tile<i32>
      %waits = arith.cmpi eq, %is, %zero : i32
      scf.condition(%waits)
    } do {
      scf.yield
    }
  }
  // The first block's row is outside of the array.
  %t = tile.load %y[%before, %c0] : memref<?x?xf32> -> !tile.tile<1x50xf32>
  %s = arith.addf %t, %t : !tile.tile<1x50xf32>
  tile.store %s, %y[%i, %c0] : !tile.tile<1x50xf32>, memref<?x?xf32>
  tile.atomic_store %one, %flags[%own] scope system : !tile.tile<i32>, memref<?xi32>
  tile.return
}
