// A grid with an extent that is one size times another, batches times heads. There is
// one block for each row of each head of each batch, and it writes its linear index.
// REQUIRES: cpu, emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.zeros((3, 5, 2), 'i4'))"
// RUN: tile-run %s number %t.npy out=%t.o.npy:3x5x2 --on=emulator
// RUN: %python -c "import numpy as np; print((np.load('%t.o.npy').ravel() == np.arange(30)).all())" | FileCheck %s
// RUN: tile-run %s number %t.npy out=%t.o.npy:3x5x2 --on=cpu
// RUN: %python -c "import numpy as np; print((np.load('%t.o.npy').ravel() == np.arange(30)).all())" | FileCheck %s
// CHECK: True
// RUN: tile-compile %s --emit=metadata -o - | FileCheck %s --check-prefix=METADATA
// METADATA: "grid": [{{\[}}"size", 0, 2], ["*", ["size", 0, 0], ["size", 0, 1]], 1]

#grid = #tile.grid<affine_map<(b, h, m) -> (m, b, h)> of [[0, 0], [0, 1], [0, 2]] factors [1, 2]>
tile.kernel @number(%in: memref<?x?x?xi32>, %out: memref<?x?x?xi32>) attributes {grid = #grid} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tile.program_id x
  %bh = tile.program_id y
  %heads = memref.dim %in, %c1 : memref<?x?x?xi32>
  %rows = memref.dim %in, %c2 : memref<?x?x?xi32>
  %b = arith.divui %bh, %heads : index
  %h = arith.remui %bh, %heads : index
  %before = arith.muli %bh, %rows : index
  %number = arith.addi %before, %m : index
  %narrow = arith.index_cast %number : index to i32
  %n = tile.fill %narrow : !tile.tile<1xi32>
  %x = tile.load %in[%b, %h, %m] : memref<?x?x?xi32> -> !tile.tile<1xi32>
  %y = arith.addi %x, %n : !tile.tile<1xi32>
  tile.store %y, %out[%b, %h, %m] : !tile.tile<1xi32>, memref<?x?x?xi32>
  tile.return
}
