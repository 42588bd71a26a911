// Computes C = A (B s) + bias, where A is f16, the weights B are i8, and s has a scale
// for each column; accumulators are f32 and C is f16. On sm_90a the weights are
// converted to f16 on their way to shared memory; elsewhere they stay i8 there, and are
// converted in the registers from which the tensor cores read them. Each block
// computes 128x128 elements of C, in steps of 64 along K.

#grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 128)>
                   of [[0, 0], [1, 1]]>

tile.kernel @dequantise(
    %A: memref<?x?xf16, strided<[?, 1]>>,
    %B: memref<?x?xi8, strided<[?, 1]>>,
    %scale: memref<?xf16>,
    %bias: memref<?xf32>,
    %C: memref<?x?xf16, strided<[?, 1]>>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 128 : index
  %step = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %y, %rows : index
  %n = arith.muli %x, %columns : index
  %K = memref.dim %A, %c1 : memref<?x?xf16, strided<[?, 1]>>
  %s = tile.load %scale[%n] : memref<?xf16> -> !tile.tile<128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %A[%m, %k]
        : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<128x64xf16>
    %bytes = tile.load %B[%k, %n]
        : memref<?x?xi8, strided<[?, 1]>> -> !tile.tile<64x128xi8>
    %weights = tile.cast %bytes
        : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %factors = tile.broadcast %s
        : !tile.tile<128xf16> to !tile.tile<64x128xf16>
    %b = arith.mulf %weights, %factors : !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  %row = tile.load %bias[%n] : memref<?xf32> -> !tile.tile<128xf32>
  %biases = tile.broadcast %row
      : !tile.tile<128xf32> to !tile.tile<128x128xf32>
  %biased = arith.addf %sum, %biases : !tile.tile<128x128xf32>
  %c = tile.cast %biased : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x128xf16>, memref<?x?xf16, strided<[?, 1]>>
  tile.return
}
