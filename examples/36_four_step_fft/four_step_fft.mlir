// Computes Fourier transforms that are too long for one block, by two kernels in four
// steps (Bailey, "FFTs in external or hierarchical memory", 1990). The n = h w elements
// form rows of h x w, and the result rows of w x h. For index j = w p + q and frequency
// k = r + h s, with e(x) = exp(-2 pi i x),
//   e(j k / n) = e(p r / h) e(q r / n) e(q s / w).
// So columns are transformed, each element is multiplied by e(q r / n), rows are
// transformed, and the store transposes the result. A block takes several whole columns
// or rows. The pairs of kernels differ only in h and w.

// Returns y times e(m / n), as accurate as f32 allows. The turn m / n is split, in
// integers, into quarters, which are exact, and a rest of at most pi / 4, whose only
// errors are those of its multiplication and of `scale`, which is pi / (2 n).
func.func private @turn(%y: complex<f32>, %m: i32, %n: i32, %scale: f32)
    -> complex<f32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %four_m = arith.shli %m, %c2 : i32
  %half = arith.shrui %n, %c1 : i32
  %rounded = arith.addi %four_m, %half : i32
  %quarter = arith.divui %rounded, %n : i32
  %whole = arith.muli %quarter, %n : i32
  %rest = arith.subi %four_m, %whole : i32
  %rest_float = arith.sitofp %rest : i32 to f32
  %angle = arith.mulf %rest_float, %scale : f32
  // The series has all terms that matter in f32; math.sin would reduce the angle first.
  %x2 = arith.mulf %angle, %angle : f32
  %s9 = arith.constant 2.75573192e-06 : f32
  %s7 = arith.constant -1.98412698e-04 : f32
  %s5 = arith.constant 8.33333333e-03 : f32
  %s3 = arith.constant -1.66666667e-01 : f32
  %sin_9 = math.fma %x2, %s9, %s7 : f32
  %sin_7 = math.fma %x2, %sin_9, %s5 : f32
  %sin_5 = math.fma %x2, %sin_7, %s3 : f32
  %x3 = arith.mulf %x2, %angle : f32
  %sin = math.fma %x3, %sin_5, %angle : f32
  %k10 = arith.constant -2.75573192e-07 : f32
  %k8 = arith.constant 2.48015873e-05 : f32
  %k6 = arith.constant -1.38888889e-03 : f32
  %k4 = arith.constant 4.16666667e-02 : f32
  %k2 = arith.constant -5.0e-01 : f32
  %k0 = arith.constant 1.0 : f32
  %cos_10 = math.fma %x2, %k10, %k8 : f32
  %cos_8 = math.fma %x2, %cos_10, %k6 : f32
  %cos_6 = math.fma %x2, %cos_8, %k4 : f32
  %cos_4 = math.fma %x2, %cos_6, %k2 : f32
  %cos = math.fma %x2, %cos_4, %k0 : f32
  // The factor is cos - i sin, times -i for each quarter.
  %minus_sin = arith.negf %sin : f32
  %odd = arith.andi %quarter, %c1 : i32
  %is_odd = arith.cmpi ne, %odd, %c0 : i32
  %a = arith.select %is_odd, %minus_sin, %cos : f32
  %minus_cos = arith.negf %cos : f32
  %b = arith.select %is_odd, %minus_cos, %minus_sin : f32
  %second = arith.andi %quarter, %c2 : i32
  %is_second = arith.cmpi ne, %second, %c0 : i32
  %minus_a = arith.negf %a : f32
  %minus_b = arith.negf %b : f32
  %re = arith.select %is_second, %minus_a, %a : f32
  %im = arith.select %is_second, %minus_b, %b : f32
  %factor = complex.create %re, %im : complex<f32>
  %turned = complex.mul %y, %factor : complex<f32>
  return %turned : complex<f32>
}

// 945 = 27 x 35.
#columns_945 = #tile.grid<affine_map<(w) -> (w ceildiv 8)> of [[0, 1]]>
#rows_945 = #tile.grid<affine_map<(h) -> (h ceildiv 8)> of [[0, 0]]>

tile.kernel @columns_945(%x: memref<27x35xcomplex<f32>>,
                         %turned: memref<27x35xcomplex<f32>>)
    attributes {grid = #columns_945} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %x[%c0, %first] dims [1, 0]
      : memref<27x35xcomplex<f32>> -> !tile.tile<8x27xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<8x27xcomplex<f32>>
  %q0 = arith.index_cast %first : index to i32
  %one = arith.constant 1 : i32
  %q = tile.iota axis 0 from %q0 step %one : !tile.tile<8x27xi32>
  %r = tile.iota axis 1 : !tile.tile<8x27xi32>
  %u = tile.map %y, %q, %r : !tile.tile<8x27xcomplex<f32>>, !tile.tile<8x27xi32>, !tile.tile<8x27xi32> to !tile.tile<8x27xcomplex<f32>> {
  ^bb0(%e: complex<f32>, %i: i32, %j: i32):
    %m = arith.muli %i, %j : i32
    %n = arith.constant 945 : i32
    %scale = arith.constant 1.662218335e-03 : f32
    %z = func.call @turn(%e, %m, %n, %scale)
        : (complex<f32>, i32, i32, f32) -> complex<f32>
    tile.yield %z : complex<f32>
  }
  tile.store %u, %turned[%c0, %first] dims [1, 0]
      : !tile.tile<8x27xcomplex<f32>>, memref<27x35xcomplex<f32>>
  tile.return
}

tile.kernel @rows_945(%turned: memref<27x35xcomplex<f32>>,
                      %spectrum: memref<35x27xcomplex<f32>>)
    attributes {grid = #rows_945} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %turned[%first, %c0]
      : memref<27x35xcomplex<f32>> -> !tile.tile<8x35xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<8x35xcomplex<f32>>
  tile.store %y, %spectrum[%c0, %first] dims [1, 0]
      : !tile.tile<8x35xcomplex<f32>>, memref<35x27xcomplex<f32>>
  tile.return
}

// 1048576 = 1024 x 1024.
#columns_1048576 = #tile.grid<affine_map<(w) -> (w ceildiv 8)> of [[0, 1]]>
#rows_1048576 = #tile.grid<affine_map<(h) -> (h ceildiv 8)> of [[0, 0]]>

tile.kernel @columns_1048576(%x: memref<1024x1024xcomplex<f32>>,
                             %turned: memref<1024x1024xcomplex<f32>>)
    attributes {grid = #columns_1048576} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %x[%c0, %first] dims [1, 0]
      : memref<1024x1024xcomplex<f32>> -> !tile.tile<8x1024xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<8x1024xcomplex<f32>>
  %q0 = arith.index_cast %first : index to i32
  %one = arith.constant 1 : i32
  %q = tile.iota axis 0 from %q0 step %one : !tile.tile<8x1024xi32>
  %r = tile.iota axis 1 : !tile.tile<8x1024xi32>
  %u = tile.map %y, %q, %r : !tile.tile<8x1024xcomplex<f32>>, !tile.tile<8x1024xi32>, !tile.tile<8x1024xi32> to !tile.tile<8x1024xcomplex<f32>> {
  ^bb0(%e: complex<f32>, %i: i32, %j: i32):
    %m = arith.muli %i, %j : i32
    %n = arith.constant 1048576 : i32
    %scale = arith.constant 1.498028113e-06 : f32
    %z = func.call @turn(%e, %m, %n, %scale)
        : (complex<f32>, i32, i32, f32) -> complex<f32>
    tile.yield %z : complex<f32>
  }
  tile.store %u, %turned[%c0, %first] dims [1, 0]
      : !tile.tile<8x1024xcomplex<f32>>, memref<1024x1024xcomplex<f32>>
  tile.return
}

tile.kernel @rows_1048576(%turned: memref<1024x1024xcomplex<f32>>,
                          %spectrum: memref<1024x1024xcomplex<f32>>)
    attributes {grid = #rows_1048576} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 8 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %turned[%first, %c0]
      : memref<1024x1024xcomplex<f32>> -> !tile.tile<8x1024xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<8x1024xcomplex<f32>>
  tile.store %y, %spectrum[%c0, %first] dims [1, 0]
      : !tile.tile<8x1024xcomplex<f32>>, memref<1024x1024xcomplex<f32>>
  tile.return
}

// 16777216 = 4096 x 4096.
#columns_16777216 = #tile.grid<affine_map<(w) -> (w ceildiv 4)> of [[0, 1]]>
#rows_16777216 = #tile.grid<affine_map<(h) -> (h ceildiv 4)> of [[0, 0]]>

tile.kernel @columns_16777216(%x: memref<4096x4096xcomplex<f32>>,
                              %turned: memref<4096x4096xcomplex<f32>>)
    attributes {grid = #columns_16777216} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 4 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %x[%c0, %first] dims [1, 0]
      : memref<4096x4096xcomplex<f32>> -> !tile.tile<4x4096xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<4x4096xcomplex<f32>>
  %q0 = arith.index_cast %first : index to i32
  %one = arith.constant 1 : i32
  %q = tile.iota axis 0 from %q0 step %one : !tile.tile<4x4096xi32>
  %r = tile.iota axis 1 : !tile.tile<4x4096xi32>
  %u = tile.map %y, %q, %r : !tile.tile<4x4096xcomplex<f32>>, !tile.tile<4x4096xi32>, !tile.tile<4x4096xi32> to !tile.tile<4x4096xcomplex<f32>> {
  ^bb0(%e: complex<f32>, %i: i32, %j: i32):
    %m = arith.muli %i, %j : i32
    %n = arith.constant 16777216 : i32
    %scale = arith.constant 9.362675707e-08 : f32
    %z = func.call @turn(%e, %m, %n, %scale)
        : (complex<f32>, i32, i32, f32) -> complex<f32>
    tile.yield %z : complex<f32>
  }
  tile.store %u, %turned[%c0, %first] dims [1, 0]
      : !tile.tile<4x4096xcomplex<f32>>, memref<4096x4096xcomplex<f32>>
  tile.return
}

tile.kernel @rows_16777216(%turned: memref<4096x4096xcomplex<f32>>,
                           %spectrum: memref<4096x4096xcomplex<f32>>)
    attributes {grid = #rows_16777216} {
  %c0 = arith.constant 0 : index
  %some = arith.constant 4 : index
  %block = tile.program_id x
  %first = arith.muli %block, %some : index
  %t = tile.load %turned[%first, %c0]
      : memref<4096x4096xcomplex<f32>> -> !tile.tile<4x4096xcomplex<f32>>
  %y = tile.fft %t : !tile.tile<4x4096xcomplex<f32>>
  tile.store %y, %spectrum[%c0, %first] dims [1, 0]
      : !tile.tile<4x4096xcomplex<f32>>, memref<4096x4096xcomplex<f32>>
  tile.return
}
