// RUN: tile-opt %s -tile-gradient=atomics -verify-diagnostics

// Atomic operations add real elements only.
tile.kernel @shared(%x: memref<16xcomplex<f32>>, %y: memref<?x16xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  // expected-error @below {{expected an array of real elements, whose gradients atomic operations can add up, got 'complex<f32>'}}
  %v = tile.load %x[%c0] : memref<16xcomplex<f32>> -> !tile.tile<16xcomplex<f32>>
  tile.store %v, %y[%p, %c0] : !tile.tile<16xcomplex<f32>>, memref<?x16xcomplex<f32>>
  tile.return
}
