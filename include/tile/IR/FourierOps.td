// Fourier transforms: discrete transforms along the last axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_FOURIEROPS
#define TILE_IR_FOURIEROPS

include "tile/IR/TileOpBase.td"

def Tile_FourierGroup : OpDocGroup {
  let summary = "Fourier transforms";
  let description = [{
    Discrete Fourier transforms along the last axis; the other axes are a batch. Each
    row, along the last axis, has up to 16384 complex elements of f32, or 8192 of f64.
    docs/FourierTransforms.md describes the algorithm for each length, and its accuracy.
  }];
}

/// A Fourier transform along the last axis of `$source`.
class Tile_FourierOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [
          Pure, Tile_StorageOpInterface,
          Tile_Promises<Tile_LayoutOpInterface>,
          Tile_Promises<Tile_CooperativeOpInterface>] # traits> {
  let results = (outs Tile_Tile:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the parameters of the transform.
    ::tile::FourierTransform getTransform();
  }];
}

/// A Fourier transform of complex elements.
class Tile_ComplexFourierOp<string mnemonic, string norm>
    : Tile_FourierOp<mnemonic, [AllTypesMatch<["source", "result"]>]> {
  let arguments = (ins Tile_Tile:$source,
                       DefaultValuedAttr<Tile_FftNormAttr,
                                         "::tile::FftNorm::" # norm>:$norm,
                       OptionalAttr<Tile_FftPlanAttr>:$plan);
  let assemblyFormat = [{
    $source (`norm` `` $norm^)? (`plan` $plan^)? attr-dict
    `:` qualified(type($source))
  }];
}

/// A Fourier transform whose source or result has real elements.
class Tile_RealFourierOp<string mnemonic, string norm>
    : Tile_FourierOp<mnemonic> {
  let arguments = (ins Tile_Tile:$source,
                       DefaultValuedAttr<Tile_FftNormAttr,
                                         "::tile::FftNorm::" # norm>:$norm);
  let assemblyFormat = [{
    $source (`norm` `` $norm^)? attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
}

let opDocGroup = Tile_FourierGroup in {

def Tile_FftOp : Tile_ComplexFourierOp<"fft", "none"> {
  let summary = "discrete Fourier transform";
  let description = [{
    Transforms each row x of n elements along the last axis to the row y with
    y_q = s sum_k x_k e^(-2 pi i k q / n). The factor s is 1 with `norm none`, which is
    the default, 1/n with `norm by_n`, and 1/sqrt(n) with `norm ortho`.

    - If all prime factors of n are at most 31, passes transform a row in registers,
      with an exchange between two passes. A radix is from 2 to 16, or a prime up to 31
      (Stockham's order; Cochran et al., "What is the fast Fourier transform?", 1967).
    - If n is a larger prime and all prime factors of n - 1 are at most 31, such
      transforms compute a convolution of n - 1 elements (Rader, "Discrete Fourier
      transforms when the number of data samples is prime", 1968).
    - Any other row is transformed by a convolution of at least 2 n - 1 elements
      (Bluestein, "A linear filtering approach to the computation of discrete Fourier
      transform", 1970), if a block has room for these. If not, a composite n is split
      into its greatest prime factor and the quotient, such as 8325 into 37 and 225
      (Good, "The interaction algorithm and practical Fourier analysis", 1958), and a
      prime n takes a convolution of n - 1 elements whose transforms follow these rules.

    Twiddle factors are read from tables, whose values were computed with more digits
    and rounded once. Let u be half the distance from 1 to the next value of f32 or f64.
    The relative error of a row in the L2 norm, averaged (RMS) over random rows, is at
    most c u sqrt(log2 n). The factor c is 0.8, or 1.1 if n has a prime factor above 13,
    or 1.4 if convolutions are nested. The error of an element is at most
    4 u (log2(n) ||x|| + |y_q|); for structured rows, such as tones and their
    transforms, it is at most twice that.

    `plan` specifies the radices of the passes, in order, and the number of threads of
    a row. Without it the compiler chooses both.

    Cost: 5 n log2(n) operations for each row, and an exchange of the row for each pass
    after the first.

    Constraints:
    - (C1) the source has at least one dimension, and elements of complex<f32> or
      complex<f64>. Its extent along the last axis is at most 16384 for complex<f32> and
      8192 for complex<f64>. The limits are halved if the length has a prime factor p,
      p - 1 has a prime factor q, and q - 1 has a prime factor, all three above 31: for
      example p = 8219, q = 587, and 293.
    - (C2) the radices of a plan are from 2 to 16, or primes up to 31. Multiplied, they
      give the length, or the length less one if the length is a prime.

    Examples: `%y = tile.fft %x : !tile.tile<4x1024xcomplex<f32>>` and
    `%y = tile.fft %x norm ortho plan <radices = [8, 8, 16], threads = 128> : !tile.tile<4x1024xcomplex<f32>>`
  }];
}

def Tile_IfftOp : Tile_ComplexFourierOp<"ifft", "by_n"> {
  let summary = "inverse discrete Fourier transform";
  let description = [{
    Transforms each row y of n elements along the last axis to the row x with
    x_k = s sum_q y_q e^(2 pi i k q / n). The factor s is 1/n with `norm by_n`, which is
    the default and makes the operation the inverse of `tile.fft`; it is 1 with
    `norm none`, and 1/sqrt(n) with `norm ortho`.

    Algorithm, accuracy, cost and plan are those of `tile.fft`.

    Constraints: those of `tile.fft`.

    Example: `%x = tile.ifft %y : !tile.tile<4x1024xcomplex<f32>>`
  }];
}

def Tile_RfftOp : Tile_RealFourierOp<"rfft", "none"> {
  let summary = "discrete Fourier transform of real elements";
  let description = [{
    Computes the first n / 2 + 1 (rounded down) elements of the `tile.fft` of n real
    elements; the other elements are conjugates of these. `norm` is that of `tile.fft`.

    If n is even and at least 16, a row is transformed as n / 2 complex elements, and
    the transforms of the elements with even and with odd index are then separated.
    Other rows are transformed as n complex elements. The accuracy is that of
    `tile.fft`.

    Cost: that of a `tile.fft` of half the length, and an exchange of its result.

    Constraints:
    - (C1) the source has at least one dimension, and elements of f32 or f64. Its extent
      n along the last axis is at most 32768 for f32 and 16384 for f64, and n / 2, or n
      if n is odd, is a length that `tile.fft` accepts.
    - (C2) the result has the source's extents, except for the last one, which is
      n / 2 + 1 (rounded down). Its element type is complex<T> for a source of T.

    Example: `%y = tile.rfft %x : !tile.tile<4x1024xf32> to !tile.tile<4x513xcomplex<f32>>`
  }];
}

def Tile_IrfftOp : Tile_RealFourierOp<"irfft", "by_n"> {
  let summary = "inverse discrete Fourier transform to real elements";
  let description = [{
    Computes the n real elements of which the source is the `tile.rfft`, where n is the
    result's last extent. The imaginary part of a row's first element is not read, and
    that of its last element is not read if n is even. `norm` is that of `tile.ifft`.

    Cost and accuracy are those of `tile.rfft`.

    Constraints:
    - (C1) the source has at least one dimension, and elements of complex<f32> or
      complex<f64>; n is a length that `tile.rfft` accepts.
    - (C2) the source has the result's extents, except for the last one, which is
      n / 2 + 1 (rounded down). The result's element type is T for a source of
      complex<T>.

    Example: `%x = tile.irfft %y : !tile.tile<4x513xcomplex<f32>> to !tile.tile<4x1024xf32>`
  }];
}

def Tile_PartialFftOp : Tile_Op<"partial_fft", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_StorageOpInterface,
    Tile_Promises<Tile_LayoutOpInterface>, Tile_Promises<Tile_CostOpInterface>,
    Tile_MadeBy<"kAssignLayouts">]> {
  let summary = "one pass of a Fourier transform";
  let description = [{
    Multiplies a tile (batch, r, columns) by twiddle factors, and transforms it along
    its second dimension, of extent r:
    y[b, q, j] = f sum_k x[b, k, j] e^(-2 pi i k (j mod s + q s) / (r s)). `inverse`
    changes the sign of the exponent. s is `places`. f is the sum of the two values of
    `scale`, or one without `scale`. Each thread holds whole columns, and `threads`
    threads hold the columns of one batch index. `-tile-assign-layouts` creates the
    operation.

    Constraints:
    - (C1) the source has complex elements and three dimensions; the second extent is
      from 2 to 16, or a prime up to 31.
    - (C2) `threads` is a power of two, at most 1024.
    - (C3) `places` is positive and divides the third extent.
    - (C4) `scale`, if given, has two values.

    Example: see test/Transforms/assign-layouts-fft.mlir.
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$places, I64Attr:$threads,
                       UnitAttr:$inverse,
                       OptionalAttr<DenseF64ArrayAttr>:$scale);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `places` $places `threads` $threads (`inverse` $inverse^)?
    (`scale` $scale^)? attr-dict `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def Tile_OrderFftOp : Tile_Op<"order_fft", [
    Pure, DeclareOpInterfaceMethods<Tile_StorageOpInterface,
                                    ["getResultPlacement"]>,
    Tile_LayoutOpInterface,
    Tile_Promises<Tile_BufferizeOpInterface>,
    Tile_MadeBy<"kAssignLayouts">]> {
  let summary = "reorder elements between two passes of a Fourier transform";
  let description = [{
    Reorders the result of a `tile.partial_fft` for the next pass. The source is a tile
    (batch, r, columns), whose batch elements are rows of n = r * columns elements. The
    result is a tile (batch, r', n / r'), where r' is the radix of the next pass. With s
    the value of `places` and a below s, element (q, c s + a) of a row of the source is
    the element with row-major index (c r + q) s + a of the same row of the result. The
    result is in shared memory, where the elements stay in the source's order: no
    register layout of padded columns can express this exchange of dimensions.
    `-tile-assign-layouts` creates the operation.

    Cost: one trip through shared memory.

    Constraints:
    - (C1) source and result have three dimensions, the same first extent, element type
      and number of elements; `places` is positive, and r * r' * `places` divides n.
    - (C2) the source is in registers, the result in shared memory.

    Example: see test/Transforms/assign-layouts-fft.mlir.
  }];
  let arguments = (ins Tile_Tile:$source, I64Attr:$places);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `places` $places attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // TILE_IR_FOURIEROPS
