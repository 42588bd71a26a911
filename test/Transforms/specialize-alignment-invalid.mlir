// RUN: tile-opt %s -tile-specialize-alignment -verify-diagnostics

// The program already contains a kernel with the name of the generic variant.
// expected-error @below {{expected the name 'taken__general' to be free for the kernel's generic variant}}
tile.kernel @taken(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %a[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}
// expected-note @below {{it has the name}}
tile.kernel @taken__general() {
  tile.return
}
