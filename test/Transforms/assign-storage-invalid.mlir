// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-assign-storage))' -verify-diagnostics -split-input-file

tile.kernel @refuses_sparse_constants(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a constant tile of the form dense<...>, got sparse<0, 1.000000e+00> : !tile.tile<4xf32>}}
  %x = arith.constant sparse<0, 1.0> : !tile.tile<4xf32>
  tile.store %x, %c[%c0] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

// After -tile-bufferize.
!buffer = memref<64xf32, #tile.shared<(64):(1)>>
tile.kernel @refuses_copies_to_buffers(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : !buffer
  // expected-error @below {{expected a kernel from before -tile-expand-pipeline, got an operation that it makes}}
  tile.copy_async %a[%c0] to %b : memref<64xf32> to !buffer
  tile.return
}

// -----

tile.kernel @refuses_resources(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a constant tile of the form dense<...>, got dense_resource<numbers> : !tile.tile<4xf32>}}
  %x = arith.constant dense_resource<numbers> : !tile.tile<4xf32>
  tile.store %x, %c[%c0] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
