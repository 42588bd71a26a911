// RUN: tile-opt %s -tile-gradient=atomics -verify-diagnostics -split-input-file

// The gradient of a gather is added atomically, which complex elements cannot be.
tile.kernel @gathers(%x: memref<64xcomplex<f32>>, %y: memref<64xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  // expected-error @below {{expected a gather of elements that can be added atomically, got 'complex<f32>'}}
  %v = tile.gather %x[%c0] at %i axis 0 : memref<64xcomplex<f32>>, !tile.tile<64xi32> -> !tile.tile<64xcomplex<f32>>
  tile.store %v, %y[%c0] : !tile.tile<64xcomplex<f32>>, memref<64xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pad(%x: memref<64xf32>, %z: memref<1xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  %t = tile.load %z[%c0] : memref<1xf32> -> !tile.tile<1xf32>
  %pad = tile.extract %t[%c0] : !tile.tile<1xf32>
  // expected-error @below {{expected a 'pad' that no gradient depends on}}
  %v = tile.gather %x[%c0] at %i axis 0 pad %pad : memref<64xf32>, !tile.tile<64xi32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// Atomic operations add real elements only.
tile.kernel @shared(%x: memref<16xcomplex<f32>>, %y: memref<?x16xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  // expected-error @below {{expected a load of elements that can be added atomically, got 'complex<f32>'}}
  %v = tile.load %x[%c0] : memref<16xcomplex<f32>> -> !tile.tile<16xcomplex<f32>>
  tile.store %v, %y[%p, %c0] : !tile.tile<16xcomplex<f32>>, memref<?x16xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pad_of_a_load(%x: memref<64xf32>, %z: memref<1xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %z[%c0] : memref<1xf32> -> !tile.tile<1xf32>
  %pad = tile.extract %t[%c0] : !tile.tile<1xf32>
  // expected-error @below {{expected a 'pad' that no gradient depends on}}
  %v = tile.load %x[%c0] pad %pad : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
