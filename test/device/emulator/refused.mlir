// Errors that are reported before anything runs.
// REQUIRES: emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.zeros((5, 9), 'f4')); np.save('%t.f2.npy', np.zeros((5, 9), 'f2'))"
// RUN: rm -f %t.o.npy
// RUN: not tile-run %s f %t.npy out=%t.o.npy --on=emulator --grid=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: kernel 'f': expected a grid of 1 to 2147483647 blocks along x, found 0
// RUN: not tile-run %s f %t.npy out=%t.o.npy --on=emulator --grid=1,70000 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: kernel 'f': expected a grid of 1 to 65535 blocks along y, found 70000
// RUN: not tile-run %s f %t.npy --on=emulator --grid=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: kernel 'f': expected 2 arguments (a, out), found 1
// RUN: not tile-run %s f %t.f2.npy out=%t.o.npy --on=emulator --grid=1 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: kernel 'f': argument 0 ('a'): {{.*}}expected dtype '<f4' for f32, found '<f2'
// RUN: not tile-run %s f '%t.npy[shape=45]' out=%t.o.npy --on=emulator --grid=1 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: kernel 'f': argument 0 ('a'): expected rank 2
// RUN: not tile-run %s f '%t.npy[shape=4x9]' out=%t.o.npy --on=emulator --grid=1 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: kernel 'f': argument 0 ('a'): expected size 5 along dimension 0, found 4
// RUN: not tile-run %s f %t.npy out=%t.o.npy --on=emulator --grid=1 --arch=sm_70 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: expected an architecture (sm_80, {{.*}}), found 'sm_70'
// RUN: not tile-run %s f %t.npy out=%t.o.npy --on=emulator --grid=1 --entry=general 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: kernel 'f': expected one of the entry points 'f', found 'general'
// RUN: sed 's/attributes {}/attributes {block = 2048 : i64}/' %s > %t.mlir
// RUN: not tile-run %t.mlir f %t.npy out=%t.o.npy --on=emulator --grid=1 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: error: 'tile.kernel' op expected 'block' to be from 1 to 1024, got 2048
// RUN: not ls %t.o.npy

tile.kernel @f(%a: memref<5x9xf32>, %out: memref<5x9xf32>) attributes {} {
  %zero = arith.constant 0 : index
  %0 = tile.load %a[%zero, %zero] : memref<5x9xf32> -> !tile.tile<5x9xf32>
  tile.store %0, %out[%zero, %zero] : !tile.tile<5x9xf32>, memref<5x9xf32>
  tile.return
}
