// A division by zero is reported at its line if its result is used. Lanes outside of an
// array also divide by zero, and so do lanes whose result a select discards: these are
// not reported. The CPU path computes the same values and reports nothing.
// REQUIRES: cpu, emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.x.npy', np.int32([6, 7, 8])); np.save('%t.y.npy', np.int32([2, 3, 4])); np.save('%t.z.npy', np.int32([2, 0, 4])); np.save('%t.e.npy', np.int32([0]))"

// RUN: tile-run %s quotients %t.x.npy %t.y.npy out=%t.r.npy:3 --grid=1 --on=emulator
// RUN: tile-run %s quotients %t.x.npy %t.y.npy out=%t.s.npy:3 --grid=1 --on=cpu
// RUN: %python %S/../Inputs/equal.py 'x // y' x=%t.x.npy y=%t.y.npy -- %t.r.npy %t.s.npy
// RUN: not tile-run %s quotients %t.x.npy %t.z.npy out=%t.r.npy:3 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=QUOTIENTS
// RUN: tile-run %s quotients %t.x.npy %t.z.npy out=%t.s.npy:3 --grid=1 --on=cpu
// RUN: %python %S/../Inputs/equal.py 'np.where(z, x // np.maximum(z, 1), 0)' x=%t.x.npy z=%t.z.npy -- %t.s.npy

// RUN: tile-run %s chosen %t.x.npy %t.z.npy out=%t.r.npy:3 --grid=1 --on=emulator
// RUN: tile-run %s chosen %t.x.npy %t.z.npy out=%t.s.npy:3 --grid=1 --on=cpu
// RUN: %python %S/../Inputs/equal.py 'np.int32([103, -7, 2])' x=%t.x.npy -- %t.r.npy %t.s.npy

// RUN: tile-run %s places %t.x.npy %t.y.npy inout=%t.x.npy --grid=1 --on=emulator
// RUN: not tile-run %s places %t.x.npy %t.z.npy inout=%t.x.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=PLACES

// RUN: tile-run %s scalars 7 2 out=%t.r.npy:4 --grid=1 --on=emulator
// RUN: not tile-run %s scalars 7 0 out=%t.r.npy:4 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=SCALARS
// RUN: not tile-run %s trips 7 0 out=%t.r.npy:4 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=TRIPS
// RUN: tile-run %s dropped 7 0 out=%t.r.npy:4 --grid=1 --on=emulator
// RUN: tile-run %s carried %t.x.npy %t.y.npy out=%t.r.npy:3 --grid=1 --on=emulator
// RUN: not tile-run %s carried %t.x.npy %t.z.npy out=%t.r.npy:3 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=CARRIED

tile.kernel @quotients(%x: memref<?xi32>, %y: memref<?xi32>, %r: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %a = tile.load %x[%zero] : memref<?xi32> -> !tile.tile<64xi32>
  %b = tile.load %y[%zero] : memref<?xi32> -> !tile.tile<64xi32>
  // QUOTIENTS: zero-divisors.mlir:[[#@LINE+3]]:{{[0-9]+}}: error: division by zero: the result, which is zero, is used
  // QUOTIENTS-NEXT: thread (0, 0, 0) {{.*}}: division at {{.*}}zero-divisors.mlir:[[#@LINE+2]]:
  // QUOTIENTS-NEXT: and thread (0, 0, 0) {{.*}}: a store at {{.*}}zero-divisors.mlir:[[#@LINE+2]]:
  %q = arith.divsi %a, %b : !tile.tile<64xi32>
  tile.store %q, %r[%zero] : !tile.tile<64xi32>, memref<?xi32>
  tile.return
}

// A select, an `and` and a multiplication discard the lanes whose divisor is zero.
tile.kernel @chosen(%x: memref<?xi32>, %y: memref<?xi32>, %r: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %none = arith.constant dense<0> : !tile.tile<64xi32>
  %three = arith.constant dense<3> : !tile.tile<64xi32>
  %hundred = arith.constant dense<100> : !tile.tile<64xi32>
  %least = arith.constant dense<-7> : !tile.tile<64xi32>
  %a = tile.load %x[%zero] : memref<?xi32> -> !tile.tile<64xi32>
  %b = tile.load %y[%zero] : memref<?xi32> -> !tile.tile<64xi32>
  %is = arith.cmpi ne, %b, %none : !tile.tile<64xi32>
  %q = arith.divsi %a, %b : !tile.tile<64xi32>
  %large = arith.cmpi sge, %q, %three : !tile.tile<64xi32>
  %both = arith.andi %is, %large : !tile.tile<64xi1>
  %number = tile.cast %both : !tile.tile<64xi1> to !tile.tile<64xi32>
  %more = arith.muli %number, %hundred : !tile.tile<64xi32>
  %sum = arith.addi %q, %more : !tile.tile<64xi32>
  %s = tile.select %is, %sum, %least : !tile.tile<64xi1>, !tile.tile<64xi32>
  tile.store %s, %r[%zero] : !tile.tile<64xi32>, memref<?xi32>
  tile.return
}

tile.kernel @places(%x: memref<?xi32>, %y: memref<?xi32>, %r: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %a = tile.load %x[%zero] : memref<?xi32> -> !tile.tile<2xi32>
  %b = tile.load %y[%zero] : memref<?xi32> -> !tile.tile<2xi32>
  // PLACES: zero-divisors.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: division by zero: the result, which is zero, is used
  %q = arith.remui %a, %b : !tile.tile<2xi32>
  tile.scatter %a, %r[%zero] at %q axis 0 atomic max : !tile.tile<2xi32>, memref<?xi32>, !tile.tile<2xi32>
  tile.return
}

tile.kernel @scalars(%n: index, %k: index, %r: memref<4xi32>) {
  // SCALARS: zero-divisors.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: division by zero: the result, which is zero, is used
  %q = arith.floordivsi %n, %k : index
  %t = arith.constant dense<1> : !tile.tile<1xi32>
  tile.store %t, %r[%q] : !tile.tile<1xi32>, memref<4xi32>
  tile.return
}

tile.kernel @trips(%n: index, %k: index, %r: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // TRIPS: zero-divisors.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: division by zero: the result, which is zero, is used
  %q = arith.ceildivui %n, %k : index
  %t = arith.constant dense<1> : !tile.tile<1xi32>
  scf.for %i = %zero to %q step %one {
    tile.store %t, %r[%i] : !tile.tile<1xi32>, memref<4xi32>
  }
  tile.return
}

tile.kernel @dropped(%n: index, %k: index, %r: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %q = arith.remsi %n, %k : index
  %is = arith.cmpi ne, %k, %zero : index
  %s = arith.select %is, %q, %zero : index
  %t = arith.constant dense<1> : !tile.tile<1xi32>
  tile.store %t, %r[%s] : !tile.tile<1xi32>, memref<4xi32>
  tile.return
}

// The result is carried by a loop.
tile.kernel @carried(%x: memref<?xi32>, %y: memref<?xi32>, %r: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = tile.load %x[%zero] : memref<?xi32> -> !tile.tile<3xi32>
  %b = tile.load %y[%zero] : memref<?xi32> -> !tile.tile<3xi32>
  %u = scf.for %i = %zero to %three step %one iter_args(%s = %a) -> (!tile.tile<3xi32>) {
    // CARRIED: zero-divisors.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: division by zero: the result, which is zero, is used
    %q = arith.divui %s, %b : !tile.tile<3xi32>
    %v = arith.addi %q, %a : !tile.tile<3xi32>
    scf.yield %v : !tile.tile<3xi32>
  }
  tile.store %u, %r[%zero] : !tile.tile<3xi32>, memref<?xi32>
  tile.return
}
