// Convolves by Fourier transforms, which replace a sum over taps for each element by a
// multiplication for each frequency. Multiplied transforms give a cyclic convolution,
// whose first elements contain values that wrapped around. Blocks read that many more
// elements before theirs, and drop the results (overlap-save). Arrays are zero outside.

// Computes all samples + taps - 1 elements of the convolution of each signal with a
// filter. A block computes 768 elements of four signals, by transforms of 1024. A
// filter of any length is divided into parts of 256 taps, for which samples further
// back are read. The spectra of all parts are added up, and transformed back once.
#segments = #tile.grid<affine_map<(signals, samples)
                                  -> (samples ceildiv 768, signals ceildiv 4)>
                       of [[2, 0], [2, 1]]>

tile.kernel @convolve_signals(%signal: memref<?x?xf32>, %taps: memref<?xf32>,
                              %convolved: memref<?x?xf32>)
    attributes {grid = #segments} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %part = arith.constant 256 : index
  %segment = arith.constant 768 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %begin = arith.muli %x, %segment : index
  %first = arith.muli %y, %c4 : index
  %end = memref.dim %taps, %c0 : memref<?xf32>
  %no_taps = arith.constant dense<0.0> : !tile.tile<768xf32>
  %nothing = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %zero = tile.fill %nothing : !tile.tile<4x513xcomplex<f32>>
  %sum = scf.for %tap = %c0 to %end step %part
      iter_args(%acc = %zero) -> !tile.tile<4x513xcomplex<f32>> {
    %h = tile.load %taps[%tap] : memref<?xf32> -> !tile.tile<256xf32>
    %filter = tile.join %h, %no_taps axis 0
        : !tile.tile<256xf32>, !tile.tile<768xf32> to !tile.tile<1024xf32>
    %response = tile.rfft %filter
        : !tile.tile<1024xf32> to !tile.tile<513xcomplex<f32>>
    %behind = arith.addi %tap, %part : index
    %start = arith.subi %begin, %behind : index
    %s = tile.load %signal[%first, %start] : memref<?x?xf32> -> !tile.tile<4x1024xf32>
    %spectrum = tile.rfft %s
        : !tile.tile<4x1024xf32> to !tile.tile<4x513xcomplex<f32>>
    %next = tile.map %acc, %spectrum, %response : !tile.tile<4x513xcomplex<f32>>, !tile.tile<4x513xcomplex<f32>>, !tile.tile<513xcomplex<f32>> to !tile.tile<4x513xcomplex<f32>> {
    ^bb0(%a: complex<f32>, %f: complex<f32>, %g: complex<f32>):
      %product = complex.mul %f, %g : complex<f32>
      %added = complex.add %a, %product : complex<f32>
      tile.yield %added : complex<f32>
    }
    scf.yield %next : !tile.tile<4x513xcomplex<f32>>
  }
  %cyclic = tile.irfft %sum
      : !tile.tile<4x513xcomplex<f32>> to !tile.tile<4x1024xf32>
  %r = tile.view %cyclic[%c0, %part]
      : !tile.tile<4x1024xf32> to !tile.tile<4x768xf32>
  tile.store %r, %convolved[%first, %begin] : !tile.tile<4x768xf32>, memref<?x?xf32>
  tile.return
}

// A transform in two dimensions transforms rows, then columns between two transposes.
// This kernel computes the spectrum of a filter of up to 17x17 taps once for all
// images. All spectra stay transposed.
#one = #tile.grid<affine_map<() -> (1)> of []>

tile.kernel @transform_filter(%taps: memref<?x?xf32>,
                              %response: memref<33x64xcomplex<f32>>)
    attributes {grid = #one} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 17 : index
  %height = memref.dim %taps, %c0 : memref<?x?xf32>
  %width = memref.dim %taps, %c1 : memref<?x?xf32>
  %greater = arith.maxui %height, %width : index
  %fits = arith.cmpi ule, %greater, %most : index
  tile.assert %fits, "expected a filter of at most 17x17" : i1
  %h = tile.load %taps[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %rows = tile.rfft %h : !tile.tile<64x64xf32> to !tile.tile<64x33xcomplex<f32>>
  %columns = tile.transpose %rows [1, 0]
      : !tile.tile<64x33xcomplex<f32>> to !tile.tile<33x64xcomplex<f32>>
  %spectrum = tile.fft %columns : !tile.tile<33x64xcomplex<f32>>
  tile.store %spectrum, %response[%c0, %c0]
      : !tile.tile<33x64xcomplex<f32>>, memref<33x64xcomplex<f32>>
  tile.return
}

// Computes the whole convolution of images with the filter. A block computes 48x48
// elements, by transforms of 64x64.
#boxes = #tile.grid<affine_map<(images, height, width)
                               -> (width ceildiv 48, height ceildiv 48, images)>
                    of [[2, 0], [2, 1], [2, 2]]>

tile.kernel @convolve_images(%images: memref<?x?x?xf32>,
                             %response: memref<33x64xcomplex<f32>>,
                             %convolved: memref<?x?x?xf32>)
    attributes {grid = #boxes} {
  %c0 = arith.constant 0 : index
  %before = arith.constant 16 : index
  %size = arith.constant 48 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %image = tile.program_id z
  %n = arith.muli %x, %size : index
  %m = arith.muli %y, %size : index
  %left = arith.subi %n, %before : index
  %top = arith.subi %m, %before : index
  %g = tile.load %response[%c0, %c0]
      : memref<33x64xcomplex<f32>> -> !tile.tile<33x64xcomplex<f32>>
  %box = tile.load %images[%image, %top, %left]
      : memref<?x?x?xf32> -> !tile.tile<64x64xf32>
  %rows = tile.rfft %box : !tile.tile<64x64xf32> to !tile.tile<64x33xcomplex<f32>>
  %columns = tile.transpose %rows [1, 0]
      : !tile.tile<64x33xcomplex<f32>> to !tile.tile<33x64xcomplex<f32>>
  %spectrum = tile.fft %columns : !tile.tile<33x64xcomplex<f32>>
  %product = tile.complex mul %spectrum, %g : !tile.tile<33x64xcomplex<f32>>, !tile.tile<33x64xcomplex<f32>> to !tile.tile<33x64xcomplex<f32>>
  %back = tile.ifft %product : !tile.tile<33x64xcomplex<f32>>
  %back_rows = tile.transpose %back [1, 0]
      : !tile.tile<33x64xcomplex<f32>> to !tile.tile<64x33xcomplex<f32>>
  %cyclic = tile.irfft %back_rows
      : !tile.tile<64x33xcomplex<f32>> to !tile.tile<64x64xf32>
  %r = tile.view %cyclic[%before, %before]
      : !tile.tile<64x64xf32> to !tile.tile<48x48xf32>
  tile.store %r, %convolved[%image, %m, %n]
      : !tile.tile<48x48xf32>, memref<?x?x?xf32>
  tile.return
}
