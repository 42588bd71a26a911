// RUN: tile-opt %s -split-input-file -verify-diagnostics

// The columns of the next pass do not hold those of this one.
tile.kernel @order_columns(%x: memref<1x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x6x4xcomplex<f32>> -> !tile.tile<1x6x4xcomplex<f32>, #tile.register>
  // expected-error@+1 {{expected columns of 1 places, and as many elements in columns of the next pass, got '!tile.tile<1x6x4xcomplex<f32>, #tile.register>' and '!tile.tile<1x3x8xcomplex<f32>, #tile.shared>'}}
  %y = tile.order_fft %a places 1 : !tile.tile<1x6x4xcomplex<f32>, #tile.register> to !tile.tile<1x3x8xcomplex<f32>, #tile.shared>
  tile.return
}

// -----

tile.kernel @order_storage(%x: memref<1x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x6x4xcomplex<f32>> -> !tile.tile<1x6x4xcomplex<f32>, #tile.register>
  // expected-error@+1 {{expected a source in registers and a result in shared memory, got '!tile.tile<1x6x4xcomplex<f32>, #tile.register>' and '!tile.tile<1x4x6xcomplex<f32>, #tile.register>'}}
  %y = tile.order_fft %a places 1 : !tile.tile<1x6x4xcomplex<f32>, #tile.register> to !tile.tile<1x4x6xcomplex<f32>, #tile.register>
  tile.return
}
