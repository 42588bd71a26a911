// Accesses outside of their array, or of a tile of one element, although the program
// declares that they are inside. The emulator and the CPU path report them at their
// lines. In a row of 16 elements, the 17th element is the first of the next row, which
// a check of addresses would accept.
// REQUIRES: cpu, emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.a.npy', np.arange(128, dtype='f4').reshape(8, 16)); np.save('%t.i.npy', np.array([0, 15, 3, 7], 'i4')); np.save('%t.j.npy', np.array([0, 16, 3, 7], 'i4')); np.save('%t.m.npy', np.array([True, False, True, True])); np.save('%t.n.npy', np.array([True, True, False, True]))"

// Up to the last valid index nothing is reported, and the values are NumPy's.
// RUN: tile-run %s only %t.a.npy 0 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s only %t.a.npy 0 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[0, :1]' a=%t.a.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s box %t.a.npy 4 12 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s box %t.a.npy 4 12 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[4:, 12:]' a=%t.a.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s indices %t.a.npy %t.i.npy 6 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s indices %t.a.npy %t.i.npy 6 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[6:, i]' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy
// Lanes that a mask excludes may address anything.
// RUN: tile-run %s masked %t.a.npy %t.j.npy %t.m.npy out=%t.cpu.npy:4 --grid=1 --on=cpu
// RUN: tile-run %s masked %t.a.npy %t.j.npy %t.m.npy out=%t.emulator.npy:4 --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'np.where(m, a[1, i], 0)' a=%t.a.npy i=%t.i.npy m=%t.m.npy -- %t.cpu.npy %t.emulator.npy

// An array without elements is not read at all.
// RUN: %python -c "import numpy as np; np.save('%t.e.npy', np.zeros(0, 'f4')); np.save('%t.o.npy', np.zeros(4, bool))"
// RUN: tile-run %s empty %t.e.npy %t.j.npy %t.o.npy out=%t.cpu.npy:4 --grid=1 --on=cpu
// RUN: tile-run %s empty %t.e.npy %t.j.npy %t.o.npy out=%t.emulator.npy:4 --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'np.zeros(4, "f4")' o=%t.o.npy -- %t.cpu.npy %t.emulator.npy

// RUN: not tile-run %s only %t.a.npy 1 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: not tile-run %s only %t.a.npy 1 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: not tile-run %s only %t.a.npy -1 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: not tile-run %s only %t.a.npy -1 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: not tile-run %s whole %t.a.npy 1 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not tile-run %s whole %t.a.npy 1 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not tile-run %s box %t.a.npy 0 13 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not tile-run %s box %t.a.npy 0 13 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not tile-run %s stored %t.a.npy 1 -1 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=STORED
// RUN: not tile-run %s stored %t.a.npy 1 -1 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=STORED
// RUN: not tile-run %s indices %t.a.npy %t.j.npy 0 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=INDICES
// RUN: not tile-run %s indices %t.a.npy %t.j.npy 0 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=INDICES
// RUN: not tile-run %s masked %t.a.npy %t.j.npy %t.n.npy out=%t.r.npy:4 --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: not tile-run %s masked %t.a.npy %t.j.npy %t.n.npy out=%t.r.npy:4 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=MASKED

tile.kernel @only(%a: memref<8x16xf32>, %i: index, %r: memref<1xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<1xf32>
  // ONLY: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 1 in a tile of 1
  %e = tile.extract %x[%i] : !tile.tile<1xf32>
  %t = tile.fill %e : !tile.tile<1xf32>
  tile.store %t, %r[%zero] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

tile.kernel @whole(%a: memref<8x16xf32>, %i: index, %r: memref<8x16xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  %y = func.call @view(%x, %i) : (!tile.tile<8x16xf32>, index) -> !tile.tile<8x16xf32>
  tile.store %y, %r[%zero, %zero] : !tile.tile<8x16xf32>, memref<8x16xf32>
  tile.return
}
func.func private @view(%x: !tile.tile<8x16xf32>, %i: index) -> !tile.tile<8x16xf32> {
  %zero = arith.constant 0 : index
  // WHOLE: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 8x16 in a tile of 8x16
  %v = tile.view %x[%zero, %i] : !tile.tile<8x16xf32> to !tile.tile<8x16xf32>
  return %v : !tile.tile<8x16xf32>
}

tile.kernel @box(%a: memref<8x16xf32>, %i: index, %j: index, %r: memref<4x4xf32>) {
  %zero = arith.constant 0 : index
  // BOX: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected no element outside of the array, as 'in_bounds' promises
  %x = tile.load %a[%i, %j] in_bounds : memref<8x16xf32> -> !tile.tile<4x4xf32>
  tile.store %x, %r[%zero, %zero] : !tile.tile<4x4xf32>, memref<4x4xf32>
  tile.return
}

tile.kernel @stored(%a: memref<8x16xf32>, %i: index, %j: index, %r: memref<8x16xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<4x4xf32>
  // STORED: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected no element outside of the array, as 'in_bounds' promises
  tile.store %x, %r[%i, %j] in_bounds : !tile.tile<4x4xf32>, memref<8x16xf32>
  tile.return
}

tile.kernel @indices(%a: memref<8x16xf32>, %n: memref<4xi32>, %i: index, %r: memref<2x4xf32>) {
  %zero = arith.constant 0 : index
  %m = tile.load %n[%zero] : memref<4xi32> -> !tile.tile<4xi32>
  %k = tile.reshape %m : !tile.tile<4xi32> to !tile.tile<1x4xi32>
  // INDICES: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected no element outside of the array, as 'in_bounds' promises
  %x = tile.gather %a[%i, %zero] at %k axis 1 in_bounds : memref<8x16xf32>, !tile.tile<1x4xi32> -> !tile.tile<2x4xf32>
  tile.store %x, %r[%zero, %zero] : !tile.tile<2x4xf32>, memref<2x4xf32>
  tile.return
}

tile.kernel @masked(%a: memref<8x16xf32>, %n: memref<4xi32>, %q: memref<4xi1>, %r: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k = tile.load %n[%zero] : memref<4xi32> -> !tile.tile<4xi32>
  %m = tile.load %q[%zero] : memref<4xi1> -> !tile.tile<4xi1>
  // MASKED: promised-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected no element outside of the array, as 'in_bounds' promises
  %x = tile.gather %a[%one, %zero] at %k axis 0 mask %m : !tile.tile<4xi1> in_bounds : memref<8x16xf32>, !tile.tile<4xi32> -> !tile.tile<4xf32>
  tile.store %x, %r[%zero] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

tile.kernel @empty(%a: memref<?xf32>, %i: memref<4xi32>, %m: memref<4xi1>, %r: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %at = tile.load %i[%zero] : memref<4xi32> -> !tile.tile<4xi32>
  %mask = tile.load %m[%zero] : memref<4xi1> -> !tile.tile<4xi1>
  %t = tile.gather %a[%zero] at %at axis 0 mask %mask : !tile.tile<4xi1> in_bounds : memref<?xf32>, !tile.tile<4xi32> -> !tile.tile<4xf32>
  tile.store %t, %r[%zero] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
