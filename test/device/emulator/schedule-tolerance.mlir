// Atomics add in any order, so the last bits of sums differ between schedules. A
// difference above the tolerance is an error. For integers, any difference is an
// error.
// REQUIRES: emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', (1 + np.arange(64, dtype='f4')) / 7); np.save('%t.f.npy', np.zeros(1, 'f4')); np.save('%t.h.npy', np.zeros(1, 'f2')); np.save('%t.i.npy', np.zeros(1, 'i4'))"
// RUN: not tile-run %s sum %t.npy inout=%t.f.npy --grid=64 --on=emulator --schedules=8 --threads=1 2>&1 | FileCheck %s --check-prefix=EQUAL
// EQUAL: schedule-tolerance.mlir:[[#SUM:]]:10: error: expected equal results under all schedules, got different ones with seed=0 and seed={{[0-9]+}}, first at [0] of argument 1 ('total'), [[#]].{{[0-9]+}} and [[#]].{{[0-9]+}}; sums of floating point in another order are permitted by tolerance=1e-0{{[5-7]}}
// RUN: tile-run %s sum %t.npy inout=%t.f.npy --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1e-5
// RUN: not tile-run %s sum %t.npy inout=%t.f.npy --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1e-9 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: expected results within the tolerance under all schedules, got different ones with seed=0 and seed={{[0-9]+}}, first at [{{.*}}] of argument 1 ('total')

// The tolerance applies to each element of a view.
// RUN: %python -c "import numpy as np; np.save('%t.v.npy', np.zeros(9, 'f4'))"
// RUN: tile-run %s rows %t.npy 'inout=%t.v.npy[offset=1,shape=2x2,strides=4x2]' --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1e-5
// RUN: not tile-run %s rows %t.npy 'inout=%t.v.npy[offset=1,shape=2x2,strides=4x2]' --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1e-9 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: got different ones with seed=0 and seed={{[0-9]+}}, first at [{{[01], [01]}}] of argument 1 ('total')

// The tolerance applies to any floating-point type.
// RUN: not tile-run %s half %t.npy inout=%t.h.npy --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1e-5 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: tile-run %s half %t.npy inout=%t.h.npy --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=2e-2

// RUN: not tile-run %s last inout=%t.i.npy --grid=64 --on=emulator --schedules=8 --threads=1 --tolerance=1 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: expected results within the tolerance under all schedules, got different ones with seed=0 and seed={{[0-9]+}}, first at [0] of argument 0 ('last'){{$}}

tile.kernel @sum(%in: memref<?xf32>, %total: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %x = tile.load %in[%block] : memref<?xf32> -> !tile.tile<1xf32>
  %old = tile.atomic_rmw add %x, %total[%zero] : !tile.tile<1xf32>, memref<?xf32>
  tile.return
}

tile.kernel @rows(%in: memref<?xf32>, %total: memref<?x?xf32, strided<[?, ?]>>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %x = tile.load %in[%block] : memref<?xf32> -> !tile.tile<1xf32>
  %y = tile.broadcast %x : !tile.tile<1xf32> to !tile.tile<2x2xf32>
  %old = tile.atomic_rmw add %y, %total[%zero, %zero] : !tile.tile<2x2xf32>, memref<?x?xf32, strided<[?, ?]>>
  tile.return
}

tile.kernel @half(%in: memref<?xf32>, %total: memref<?xf16>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %x = tile.load %in[%block] : memref<?xf32> -> !tile.tile<1xf32>
  %h = tile.cast %x : !tile.tile<1xf32> to !tile.tile<1xf16>
  %old = tile.atomic_rmw add %h, %total[%zero] : !tile.tile<1xf16>, memref<?xf16>
  tile.return
}

tile.kernel @last(%last: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %number = arith.index_cast %block : index to i32
  %x = tile.fill %number : !tile.tile<1xi32>
  %old = tile.atomic_rmw exchange %x, %last[%zero] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}
