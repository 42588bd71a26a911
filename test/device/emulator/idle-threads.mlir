// Only seven threads print and are counted, although the block is a whole warp.
// REQUIRES: emulator, numpy, tile-run
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.zeros(1, 'i4'))"
// RUN: tile-run %s f inout=%t.npy --on=emulator --arch=sm_80 --verbose 2> %t.err | FileCheck %s --implicit-check-not=hello
// CHECK-COUNT-14: hello
// RUN: FileCheck %s --check-prefix=LAUNCH < %t.err
// LAUNCH: grid: 2,1,1, block: 32,1,1 (7 threads), shared bytes
// RUN: %python -c "import numpy as np; print('count', *np.load('%t.npy'))" | FileCheck %s --check-prefix=COUNT
// COUNT: count 14
// RUN: sed /printf/d %s > %t.mlir
// RUN: tile-run --list %t.mlir | FileCheck %s --check-prefix=LIST
// LIST: f: cpu, block 32,1,1 (7 threads), grid 2, 1, 1
tile.kernel @f(%sum: memref<1xi32>) attributes {block = 7 : i64, grid = #tile.grid<affine_map<() -> (2)> of []>} {
  gpu.printf "hello\0A"
  tile.per_thread {
  ^bb0(%thread: index):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %sum[%zero] : (i32, memref<1xi32>) -> i32
    tile.yield
  }
  tile.return
}
