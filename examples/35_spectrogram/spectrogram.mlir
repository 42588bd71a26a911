// Computes the spectrogram of a signal: how loud each frequency is at each time. Frames
// of 400 samples start `hop` samples apart, and are multiplied by a Hann window. The
// power of their transform is stored in decibels; powers below `least` are replaced by
// it. Frames overlap. They are rows of a view of the signal whose stride is the hop, so
// nothing is copied. A block takes eight frames.

#grid = #tile.grid<affine_map<(frames) -> (frames ceildiv 8)> of [[3, 0]]>

tile.kernel @spectrogram(%signal: memref<?xf32>, %hop: index, %least: f32,
                         %decibels: memref<?x201xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %c8 : index
  %frames = memref.dim %decibels, %c0 : memref<?x201xf32>
  %rows = memref.reinterpret_cast %signal to
      offset: [0], sizes: [%frames, 400], strides: [%hop, 1]
      : memref<?xf32> to memref<?x400xf32, strided<[?, 1]>>
  %x = tile.load %rows[%first, %c0]
      : memref<?x400xf32, strided<[?, 1]>> -> !tile.tile<8x400xf32>

  // The window is the square of half a sine wave.
  %start = arith.constant 0.0 : f32
  %step = arith.constant 0.00785398163 : f32  // pi / 400
  %angle = tile.iota axis 0 from %start step %step : !tile.tile<400xf32>
  %wave = math.sin %angle : !tile.tile<400xf32>
  %window = arith.mulf %wave, %wave : !tile.tile<400xf32>
  %frame = tile.map %x, %window : !tile.tile<8x400xf32>, !tile.tile<400xf32> to !tile.tile<8x400xf32> {
  ^bb0(%sample: f32, %w: f32):
    %weighted = arith.mulf %sample, %w : f32
    tile.yield %weighted : f32
  }

  %spectrum = tile.rfft %frame : !tile.tile<8x400xf32> to !tile.tile<8x201xcomplex<f32>>
  %level = tile.map %spectrum : !tile.tile<8x201xcomplex<f32>> to !tile.tile<8x201xf32> {
  ^bb0(%y: complex<f32>):
    %re = complex.re %y : complex<f32>
    %im = complex.im %y : complex<f32>
    %square = arith.mulf %im, %im : f32
    %power = math.fma %re, %re, %square : f32
    %heard = arith.maximumf %power, %least : f32
    %log = math.log2 %heard : f32
    %scale = arith.constant 3.01029996 : f32  // 10 log10(2)
    %db = arith.mulf %log, %scale : f32
    tile.yield %db : f32
  }
  tile.store %level, %decibels[%first, %c0]
      : !tile.tile<8x201xf32>, memref<?x201xf32>
  tile.return
}
