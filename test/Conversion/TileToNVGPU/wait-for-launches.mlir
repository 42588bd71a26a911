// RUN: tile-opt %s -tile-set-target=arch=sm_90 -tile-to-nvvm | FileCheck %s --check-prefixes=CHECK,WAIT
// RUN: tile-opt %s -tile-set-target=arch=sm_120 -tile-to-nvvm | FileCheck %s --check-prefixes=CHECK,WAIT
// RUN: tile-opt %s -tile-set-target=arch=sm_89 -tile-to-nvvm | FileCheck %s --check-prefixes=CHECK,NONE

// A kernel waits for earlier launches before anything else, so that a launcher may start
// it while they run. Architectures before sm_90 have no such launches.
// CHECK-LABEL: llvm.func @negate
// WAIT-NEXT: nvvm.griddepcontrol wait
// NONE-NOT: griddepcontrol
// CHECK: llvm.return
tile.kernel @negate(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %in[%c0] : memref<?xf32> -> !tile.tile<16xf32>
  %y = arith.negf %x : !tile.tile<16xf32>
  tile.store %y, %out[%c0] : !tile.tile<16xf32>, memref<?xf32>
  tile.return
}
