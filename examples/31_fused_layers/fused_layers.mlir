// Computes three layers of a network in one kernel, Y = relu(relu(X W0) W1) W2, with 32
// inputs, 64 hidden columns and 10 outputs, f16 with f32 accumulators. A block keeps
// the weights in shared memory and loops over the rows, 128 at a time; the launch
// chooses how many blocks share the rows. Values between the layers stay in registers,
// since each warp has whole rows of them.

#grid = #tile.grid<affine_map<(rows) -> (rows ceildiv 512)> of [[0, 0]]>
!hidden = !tile.tile<128x64xf16>
!sums = !tile.tile<128x64xf32>

tile.kernel @fused_layers(
    %X: memref<?x32xf16>, %W0: memref<32x64xf16>, %W1: memref<64x64xf16>,
    %W2: memref<64x10xf16>, %Y: memref<?x10xf16>) attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 128 : index
  %count = memref.dim %X, %c0 : memref<?x32xf16>
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %first = arith.muli %block, %rows : index
  %step = arith.muli %blocks, %rows : index
  %w0 = tile.load %W0[%c0, %c0] : memref<32x64xf16> -> !tile.tile<32x64xf16>
  %w1 = tile.load %W1[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %w2 = tile.load %W2[%c0, %c0] : memref<64x10xf16> -> !tile.tile<64x10xf16>
  %zero = arith.constant dense<0.0> : !sums
  %none = arith.constant dense<0.0> : !tile.tile<128x10xf32>
  scf.for %row = %first to %count step %step {
    %x = tile.load %X[%row, %c0] : memref<?x32xf16> -> !tile.tile<128x32xf16>
    %s0 = tile.matmul %x, %w0, %zero
        : !tile.tile<128x32xf16>, !tile.tile<32x64xf16> -> !sums
    %r0 = arith.maximumf %s0, %zero : !sums
    %h0 = tile.cast %r0 : !sums to !hidden
    %s1 = tile.matmul %h0, %w1, %zero
        : !hidden, !tile.tile<64x64xf16> -> !sums
    %r1 = arith.maximumf %s1, %zero : !sums
    %h1 = tile.cast %r1 : !sums to !hidden
    %s2 = tile.matmul %h1, %w2, %none
        : !hidden, !tile.tile<64x10xf16> -> !tile.tile<128x10xf32>
    %y = tile.cast %s2 : !tile.tile<128x10xf32> to !tile.tile<128x10xf16>
    tile.store %y, %Y[%row, %c0] : !tile.tile<128x10xf16>, memref<?x10xf16>
  }
  tile.return
}
