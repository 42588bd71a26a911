// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-assign-storage))' -verify-diagnostics -split-input-file

tile.kernel @refuses_sparse_constants(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a constant tile of the form dense<...>, got sparse<0, 1.000000e+00> : !tile.tile<4xf32>}}
  %x = arith.constant sparse<0, 1.0> : !tile.tile<4xf32>
  tile.store %x, %c[%c0] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

// A kernel that -tile-bufferize has lowered is refused.
!buffer = memref<64xf32, #tile.shared<(64):(1)>>
tile.kernel @refuses_copies_to_buffers(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : !buffer
  // expected-error @below {{expected a kernel from before -tile-expand-pipeline, got an operation that it makes}}
  tile_gpu.copy_async %a[%c0] to %b : memref<64xf32> to !buffer
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

// -----

// An operation that does not declare the storage of its tiles is refused.
tile.kernel @undeclared(%x: memref<8xf32>, %y: memref<2xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error @below {{expected an operation with StorageOpInterface, got 'tile.top_k'}}
  %v, %i = tile.top_k %t axis 0 : !tile.tile<8xf32> to !tile.tile<2xf32>, !tile.tile<2xi32>
  tile.store %v, %y[%c0] : !tile.tile<2xf32>, memref<2xf32>
  tile.return
}
