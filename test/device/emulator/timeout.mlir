// An endless loop is stopped at a time limit, on both machines of the host.
// REQUIRES: emulator, cpu, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.zeros(64, 'i4'))"
// RUN: not tile-run %s endless inout=%t.npy 0 --grid=3 --on=emulator --timeout=0.1 2>&1 | FileCheck %s --check-prefixes=LATE,EMULATOR
// RUN: not tile-run %s endless inout=%t.npy 0 --grid=3 --on=cpu --timeout=0.1 2>&1 | FileCheck %s --check-prefixes=LATE,CPU
// LATE: expected an end within the seconds of --timeout, found none
// EMULATOR-NEXT: timeout.mlir:[[#@LINE+19]]:5: error: stopped: the kernel was still running, in this loop, when it was to end
// EMULATOR-NEXT: thread {{.*}} of block {{.*}} at {{.*}}timeout.mlir:
// CPU-NEXT: timeout.mlir:[[#@LINE+15]]:8: error: stopped: the kernel was still running, in this loop, when it was to end
// CPU-NEXT: in block (

// RUN: tile-run %s endless inout=%t.npy 1 --grid=3 --on=emulator --timeout=600
// RUN: tile-run %s endless inout=%t.npy 1 --grid=3 --on=cpu --timeout=600

// RUN: not tile-run %s endless inout=%t.npy 1 --on=cpu --timeout=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: --timeout: Value -1 not in range
// RUN: not tile-run %s endless inout=%t.npy 1 --on=cuda --timeout=1 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: expected --timeout for the cpu path or the emulator, found it for a GPU

tile.kernel @endless(%out: memref<?xi32>, %limit: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %block = tile.program_id x
  %n = scf.while (%i = %zero) : (index) -> index {
    %goes_on = arith.cmpi sge, %i, %limit : index
    scf.condition(%goes_on) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  %number = arith.index_cast %n : index to i32
  %x = tile.fill %number : !tile.tile<1xi32>
  tile.store %x, %out[%block] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}
