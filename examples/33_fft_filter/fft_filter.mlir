// Applies a low-pass filter to signals of 1024 elements: each is transformed,
// multiplied by the filter's response and transformed back, in one pass over memory. A
// block takes four signals.

#grid = #tile.grid<affine_map<(signals) -> (signals ceildiv 4)> of [[0, 0]]>

tile.kernel @fft_filter(%signal: memref<?x1024xf32>, %response: memref<513xf32>,
                        %filtered: memref<?x1024xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %block = tile.program_id x
  %first = arith.muli %block, %c4 : index
  %h = tile.load %response[%c0] : memref<513xf32> -> !tile.tile<513xf32>
  %x = tile.load %signal[%first, %c0] : memref<?x1024xf32> -> !tile.tile<4x1024xf32>
  %spectrum = tile.rfft %x : !tile.tile<4x1024xf32> to !tile.tile<4x513xcomplex<f32>>
  %product = tile.map %spectrum, %h : !tile.tile<4x513xcomplex<f32>>, !tile.tile<513xf32> to !tile.tile<4x513xcomplex<f32>> {
  ^bb0(%y: complex<f32>, %factor: f32):
    %re = complex.re %y : complex<f32>
    %im = complex.im %y : complex<f32>
    %scaled_re = arith.mulf %re, %factor : f32
    %scaled_im = arith.mulf %im, %factor : f32
    %scaled = complex.create %scaled_re, %scaled_im : complex<f32>
    tile.yield %scaled : complex<f32>
  }
  %y = tile.irfft %product : !tile.tile<4x513xcomplex<f32>> to !tile.tile<4x1024xf32>
  tile.store %y, %filtered[%first, %c0] : !tile.tile<4x1024xf32>, memref<?x1024xf32>
  tile.return
}
