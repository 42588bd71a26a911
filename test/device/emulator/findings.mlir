// If a kernel violates its assumption, the emulator reports its line, without a result.
// REQUIRES: emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.arange(40, dtype='f4'))"
// RUN: rm -f %t.o.npy
// RUN: not tile-run %s lies '%t.npy[shape=20]' out=%t.o.npy:32 --grid=1 --on=emulator 2>&1 | FileCheck %s
// RUN: not tile-run %s lies '%t.npy[shape=20]' out=%t.o.npy:32 --grid=1 --on=emulator --schedules=2 --seed=5 2>&1 | FileCheck %s --check-prefixes=CHECK,SEED
// RUN: not ls %t.o.npy
// RUN: tile-run %s lies '%t.npy[shape=32]' out=%t.o.npy:32 --grid=1 --on=emulator --schedules=4

tile.kernel @lies(%a: memref<?xf32>, %out: memref<?xf32>) {
  %zero = arith.constant 0 : index
  // CHECK: error: kernel 'lies' failed on the emulator:
  // CHECK-NEXT: findings.mlir:[[#@LINE+2]]:8: error: out of bounds:
  // CHECK: argument 0 ('a')
  %t = tile.load %a[%zero] in_bounds : memref<?xf32> -> !tile.tile<32xf32>
  tile.store %t, %out[%zero] : !tile.tile<32xf32>, memref<?xf32>
  tile.return
}
// SEED: with seed=5
