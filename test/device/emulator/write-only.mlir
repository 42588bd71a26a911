// Scatters and masked stores only write their array, which thus is an output; atomic
// updates also read it.
// REQUIRES: cpu, emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.arange(8, dtype='i4')[::-1])"
// RUN: tile-run %s scatter %t.npy out=%t.o.npy:8 --grid=1 --on=emulator
// RUN: %python -c "import numpy as np; print(np.load('%t.o.npy').tolist())" | FileCheck %s --check-prefix=SCATTER
// RUN: tile-run %s scatter %t.npy out=%t.o.npy:8 --grid=1 --on=cpu
// RUN: %python -c "import numpy as np; print(np.load('%t.o.npy').tolist())" | FileCheck %s --check-prefix=SCATTER
// SCATTER: [0, 1, 2, 3, 4, 5, 6, 7]
// RUN: tile-run %s masked %t.npy out=%t.o.npy:8 --grid=1 --on=emulator
// RUN: %python -c "import numpy as np; print(np.load('%t.o.npy')[4:].tolist())" | FileCheck %s --check-prefix=MASKED
// RUN: tile-run %s masked %t.npy out=%t.o.npy:8 --grid=1 --on=cpu
// RUN: %python -c "import numpy as np; print(np.load('%t.o.npy')[4:].tolist())" | FileCheck %s --check-prefix=MASKED
// MASKED: [3, 2, 1, 0]
// RUN: not tile-run %s atomic %t.npy out=%t.o.npy:8 --grid=1 --on=emulator 2>&1 | FileCheck %s --check-prefix=ATOMIC
// ATOMIC: error: kernel 'atomic': argument 1 ('out'): expected inout=FILE.npy, as the kernel reads and writes it

tile.kernel @scatter(%in: memref<?xi32>, %out: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %in[%zero] : memref<?xi32> -> !tile.tile<8xi32>
  tile.scatter %x, %out[%zero] at %x axis 0 : !tile.tile<8xi32>, memref<?xi32>, !tile.tile<8xi32>
  tile.return
}

tile.kernel @masked(%in: memref<?xi32>, %out: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %in[%zero] : memref<?xi32> -> !tile.tile<8xi32>
  %four = arith.constant dense<4> : !tile.tile<8xi32>
  %m = arith.cmpi slt, %x, %four : !tile.tile<8xi32>
  tile.store %x, %out[%zero] mask %m : !tile.tile<8xi1> : !tile.tile<8xi32>, memref<?xi32>
  tile.return
}

tile.kernel @atomic(%in: memref<?xi32>, %out: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %x = tile.load %in[%zero] : memref<?xi32> -> !tile.tile<8xi32>
  tile.scatter %x, %out[%zero] at %x axis 0 atomic add : !tile.tile<8xi32>, memref<?xi32>, !tile.tile<8xi32>
  tile.return
}
