// Run-time indices that are outside of their tile are reported at their line, by the
// emulator and on the CPU path, where the process continues to its end.
// REQUIRES: cpu, emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.a.npy', np.arange(128, dtype='f4').reshape(8, 16)); np.save('%t.i.npy', np.array([[0, 15, 3, 7]], 'i4')); np.save('%t.j.npy', np.array([[0, 16, 3, 7]], 'i4'))"

// Up to the last valid index nothing is reported, and the values are NumPy's.
// RUN: tile-run %s element %t.a.npy 7 15 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s element %t.a.npy 7 15 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[7:, 15]' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s box %t.a.npy 4 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s box %t.a.npy 4 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[4:]' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s part %t.a.npy 4 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s part %t.a.npy 4 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'np.concatenate([a[:4], np.ones((4, 16))])' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s steps %t.a.npy 1 out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s steps %t.a.npy 1 out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[:, 1::2]' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy
// RUN: tile-run %s indices %t.a.npy %t.i.npy out=%t.cpu.npy --grid=1 --on=cpu
// RUN: tile-run %s indices %t.a.npy %t.i.npy out=%t.emulator.npy --grid=1 --on=emulator
// RUN: %python %S/../Inputs/equal.py 'a[:, i[0]]' a=%t.a.npy i=%t.i.npy -- %t.cpu.npy %t.emulator.npy

// RUN: not tile-run %s element %t.a.npy 3 16 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s element %t.a.npy 3 16 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s element %t.a.npy -1 0 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s element %t.a.npy -1 0 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s element %t.a.npy 1000000000000 0 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s element %t.a.npy 1000000000000 0 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tile-run %s box %t.a.npy 5 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not tile-run %s box %t.a.npy 5 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not tile-run %s part %t.a.npy 5 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not tile-run %s part %t.a.npy 5 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not tile-run %s steps %t.a.npy 2 out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=STEPS-WHOLE
// RUN: not tile-run %s steps %t.a.npy 2 out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not tile-run %s indices %t.a.npy %t.j.npy out=%t.r.npy --grid=1 --on=cpu 2>&1 | FileCheck %s --check-prefix=INDICES
// RUN: not tile-run %s indices %t.a.npy %t.j.npy out=%t.r.npy --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=INDICES

// Code for a GPU does not contain the checks.
// RUN: tile-compile %s --arch=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// PTX-NOT: __assertfail

tile.kernel @element(%a: memref<8x16xf32>, %i: index, %j: index, %r: memref<1xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  // ELEMENT: places-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 1x1 in a tile of 8x16
  %e = tile.extract %x[%i, %j] : !tile.tile<8x16xf32>
  %t = tile.fill %e : !tile.tile<1xf32>
  tile.store %t, %r[%zero] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

tile.kernel @box(%a: memref<8x16xf32>, %i: index, %r: memref<4x16xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  // BOX: places-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 4x16 in a tile of 8x16
  %v = tile.view %x[%i, %zero] : !tile.tile<8x16xf32> to !tile.tile<4x16xf32>
  tile.store %v, %r[%zero, %zero] : !tile.tile<4x16xf32>, memref<4x16xf32>
  tile.return
}

tile.kernel @part(%a: memref<8x16xf32>, %i: index, %r: memref<8x16xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  %p = arith.constant dense<1.0> : !tile.tile<4x16xf32>
  // PART: places-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 4x16 in a tile of 8x16
  %v = tile.insert %p into %x[%i, %zero] : !tile.tile<4x16xf32> into !tile.tile<8x16xf32>
  tile.store %v, %r[%zero, %zero] : !tile.tile<8x16xf32>, memref<8x16xf32>
  tile.return
}

tile.kernel @steps(%a: memref<8x16xf32>, %i: index, %r: memref<8x8xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  // STEPS-WHOLE: places-outside.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: assertion failed: expected offsets of a box of 8x8 in steps of 1x2 in a tile of 8x16
  // STEPS: places-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected indices from 0 to 15 along axis 1
  %v = tile.view %x[%zero, %i] steps [1, 2] : !tile.tile<8x16xf32> to !tile.tile<8x8xf32>
  tile.store %v, %r[%zero, %zero] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

tile.kernel @indices(%a: memref<8x16xf32>, %i: memref<1x4xi32>, %r: memref<8x4xf32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %a[%zero, %zero] : memref<8x16xf32> -> !tile.tile<8x16xf32>
  %n = tile.load %i[%zero, %zero] : memref<1x4xi32> -> !tile.tile<1x4xi32>
  // INDICES: places-outside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: expected indices from 0 to 15 along axis 1
  %v = tile.take %x at %n axis 1 : !tile.tile<8x16xf32>, !tile.tile<1x4xi32> to !tile.tile<8x4xf32>
  tile.store %v, %r[%zero, %zero] : !tile.tile<8x4xf32>, memref<8x4xf32>
  tile.return
}
