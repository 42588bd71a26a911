// Transforms: discrete Fourier transforms along the last axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_FOURIEROPS
#define TILE_IR_FOURIEROPS

include "tile/IR/TileOpBase.td"

def Tile_FourierGroup : OpDocGroup {
  let summary = "Fourier transforms";
  let description = [{
    Transforms along the last axis, of any length up to 16384 (f32) or 8192 (f64);
    the axes before it are a batch. docs/FourierTransforms.md describes the
    algorithm for each length, and its accuracy.
  }];
}

/// A transform along the last axis of `$source`.
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
    Along the last axis, of n elements: y_q = s sum_k x_k e^(-2 pi i k q / n). The
    factor s is 1 with `norm none`, which is the default, 1/n with `norm by_n`,
    1/sqrt(n) with `norm ortho`.

    Lengths whose prime factors are at most 31 are transformed by passes of radices
    up to 16 and prime ones up to 31 (Stockham's order; Cochran et al., "What is the
    fast Fourier transform?", 1967), in registers, with an exchange between two
    passes. For a prime length p a convolution of p - 1 elements is computed by such
    transforms, if those have such factors (Rader, "Discrete Fourier transforms when
    the number of data samples is prime", 1968); for others one of at least 2 n - 1
    elements (Bluestein, "A linear filtering approach to the computation of discrete
    Fourier transform", 1970). Composite lengths that have no room for it are
    transformed by factors, 8325 by 37 and 225 (Good, "The interaction algorithm and
    practical Fourier analysis", 1958). Twiddle factors come from tables, rounded
    from more digits. Relative error in norm: at most 0.8 u sqrt(log2 n), 1.1 where
    a prime factor is above 13, on average over random rows, u half the distance
    from 1 to the next value; elementwise at most 4 u (log2(n) ||x|| + |y_q|).

    `plan` specifies the radices, in order, and the threads of a row; both are
    chosen by the compiler if it is left out.

    Cost: 5 n log2(n) operations a row, and an exchange of the row a pass but
    the first.

    Constraints:
    - (C1) at least one dimension; elements of complex<f32>, at most 16384 along
      the last axis, or complex<f64>, at most 8192; half of that if the length has
      a prime factor p above 31, p - 1 a prime factor q above 31, and q - 1 a
      prime factor above 31.
    - (C2) the radices of a plan are from 2 to 16, or primes up to 31, and
      multiply to the length, or to one less than a prime length.

    Examples: `%y = tile.fft %x : !tile.tile<4x1024xcomplex<f32>>` and
    `%y = tile.fft %x norm ortho plan <radices = [8, 8, 16], threads = 128> : !tile.tile<4x1024xcomplex<f32>>`
  }];
}

def Tile_IfftOp : Tile_ComplexFourierOp<"ifft", "by_n"> {
  let summary = "inverse discrete Fourier transform";
  let description = [{
    Along the last axis, of n elements: x_k = s sum_q y_q e^(2 pi i k q / n). The
    factor s is 1/n with `norm by_n`, which is the default, so that it is the
    inverse of `tile.fft`; 1 with `norm none`, 1/sqrt(n) with `norm ortho`.

    Algorithm, accuracy, cost and plan are those of `tile.fft`.

    Constraints: those of `tile.fft`.

    Example: `%x = tile.ifft %y : !tile.tile<4x1024xcomplex<f32>>`
  }];
}

def Tile_RfftOp : Tile_RealFourierOp<"rfft", "none"> {
  let summary = "discrete Fourier transform of real elements";
  let description = [{
    Computes the first n / 2 + 1 (rounded down) elements of the `tile.fft` of n
    real elements; the others are their conjugates. The norm is that of
    `tile.fft`.

    A row of even length, from 16 on, is transformed as half as many complex
    elements, and the transforms of the elements with even and with odd index are
    then separated; others are transformed as complex elements. Accuracy as that of
    `tile.fft`.

    Cost: that of a `tile.fft` of half the length and an exchange of it.

    Constraints:
    - (C1) at least one dimension; elements of f32, at most 32768 along the last
      axis, or f64, at most 16384, of which half, or all if the length is odd,
      are within the lengths that `tile.fft` accepts.
    - (C2) the result has the source's extents, except that the last is
      n / 2 + 1 (rounded down), and complex elements with parts of the source's
      element type.

    Example: `%y = tile.rfft %x : !tile.tile<4x1024xf32> to !tile.tile<4x513xcomplex<f32>>`
  }];
}

def Tile_IrfftOp : Tile_RealFourierOp<"irfft", "by_n"> {
  let summary = "inverse discrete Fourier transform to real elements";
  let description = [{
    Computes the n real elements whose `tile.rfft` is the source; n is the result's
    last extent. The imaginary part of the first element is not read, nor, if n is
    even, that of the last one. The norm is that of `tile.ifft`.

    Cost, accuracy: those of `tile.rfft`.

    Constraints:
    - (C1) at least one dimension; elements of complex<f32> or complex<f64>; the
      result's length is one that `tile.rfft` accepts.
    - (C2) the source has the result's extents, except that the last is
      n / 2 + 1 (rounded down); the result's element type is that of the real
      and imaginary parts of the source.

    Example: `%x = tile.irfft %y : !tile.tile<4x513xcomplex<f32>> to !tile.tile<4x1024xf32>`
  }];
}

def Tile_PartialFftOp : Tile_Op<"partial_fft", [
    Pure, AllTypesMatch<["source", "result"]>, Tile_StorageOpInterface,
    Tile_Promises<Tile_LayoutOpInterface>, Tile_Promises<Tile_CostOpInterface>,
    Tile_MadeBy<"kAssignLayouts">]> {
  let summary = "one pass of a Fourier transform";
  let description = [{
    Transforms a tile of three dimensions (batch, r, columns), with length r along
    the second one, after a multiplication by twiddle factors:
    y[b, q, j] = f sum_k x[b, k, j] e^(-2 pi i k (j mod s + q s) / (r s)), with
    `inverse` with the conjugate factors. s is `places`, f is the sum of `scale`,
    one where it is left out. Made by `-tile-assign-layouts`; each thread has whole columns,
    and `threads` of them serve an element of the batch.

    Constraints:
    - (C1) complex elements, three dimensions, the second one from 2 to 16, or
      a prime up to 31.
    - (C2) a power of two of threads, at most 1024.
    - (C3) `places` divides the columns.
    - (C4) a scale is two values.

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
    Takes a tile (batch, r, columns) that a `tile.partial_fft` of s `places` has
    left, and rows of n = r columns elements: element (q, c s + a) of each row is
    element (c r + q) s + a of the row of the result, a tile (batch, r', n / r') of
    the columns of the next pass. The result is in shared memory, where elements are
    in the order of the source: a swap of dimensions that no register layout of
    padded columns can express. Made by `-tile-assign-layouts`.

    Cost: an exchange.

    Constraints:
    - (C1) three dimensions, as many elements; r r' s divides those of a row.
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
