// The layer norm of network_programs.py, written by hand: one row per block. The
// variance and the mean are in f64, as torch-mlir computes the variance.

#grid = #tile.grid<affine_map<() -> (8192)> of []>
tile.kernel @layer_norm(%x: memref<8192x4096xf16>, %g: memref<4096xf16>, %s: memref<4096xf16>, %y: memref<8192x4096xf16>)
    attributes {block = 256 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %row = tile.program_id x
  %loaded = tile.load %x[%row, %c0] : memref<8192x4096xf16> -> !tile.tile<1x4096xf16>
  %v = tile.cast %loaded : !tile.tile<1x4096xf16> to !tile.tile<1x4096xf32>
  %part = arith.constant dense<2.441406250000e-04> : !tile.tile<1xf32>
  %epsilon = arith.constant dense<1.000000000000e-05> : !tile.tile<1xf32>
  %sum = tile.reduce add %v axis 1 : !tile.tile<1x4096xf32> to !tile.tile<1xf32>
  %mean = arith.mulf %sum, %part : !tile.tile<1xf32>
  %means_column = tile.reshape %mean : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %means = tile.broadcast %means_column : !tile.tile<1x1xf32> to !tile.tile<1x4096xf32>
  %d = arith.subf %v, %means : !tile.tile<1x4096xf32>
  %w = tile.cast %loaded : !tile.tile<1x4096xf16> to !tile.tile<1x4096xf64>
  %part64 = arith.constant dense<2.441406250000e-04> : !tile.tile<1xf64>
  %sum64 = tile.reduce add %w axis 1 : !tile.tile<1x4096xf64> to !tile.tile<1xf64>
  %mean64 = arith.mulf %sum64, %part64 : !tile.tile<1xf64>
  %mc64 = tile.reshape %mean64 : !tile.tile<1xf64> to !tile.tile<1x1xf64>
  %means64 = tile.broadcast %mc64 : !tile.tile<1x1xf64> to !tile.tile<1x4096xf64>
  %d64 = arith.subf %w, %means64 : !tile.tile<1x4096xf64>
  %square = arith.mulf %d64, %d64 : !tile.tile<1x4096xf64>
  %squares = tile.reduce add %square axis 1 : !tile.tile<1x4096xf64> to !tile.tile<1xf64>
  %variance64 = arith.mulf %squares, %part64 : !tile.tile<1xf64>
  %variance = tile.cast %variance64 : !tile.tile<1xf64> to !tile.tile<1xf32>
  %more = arith.addf %variance, %epsilon : !tile.tile<1xf32>
  %scale = math.rsqrt %more : !tile.tile<1xf32>
  %scales_column = tile.reshape %scale : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %scales = tile.broadcast %scales_column : !tile.tile<1x1xf32> to !tile.tile<1x4096xf32>
  %r = arith.mulf %d, %scales : !tile.tile<1x4096xf32>
  %g0 = tile.load %g[%c0] : memref<4096xf16> -> !tile.tile<4096xf16>
  %g1 = tile.cast %g0 : !tile.tile<4096xf16> to !tile.tile<4096xf32>
  %g2 = tile.broadcast %g1 : !tile.tile<4096xf32> to !tile.tile<1x4096xf32>
  %s0 = tile.load %s[%c0] : memref<4096xf16> -> !tile.tile<4096xf16>
  %s1 = tile.cast %s0 : !tile.tile<4096xf16> to !tile.tile<4096xf32>
  %s2 = tile.broadcast %s1 : !tile.tile<4096xf32> to !tile.tile<1x4096xf32>
  %p = arith.mulf %r, %g2 : !tile.tile<1x4096xf32>
  %q = arith.addf %p, %s2 : !tile.tile<1x4096xf32>
  %out = tile.cast %q : !tile.tile<1x4096xf32> to !tile.tile<1x4096xf16>
  tile.store %out, %y[%row, %c0] : !tile.tile<1x4096xf16>, memref<8192x4096xf16>
  tile.return
}

func.func @main(%x: memref<8192x4096xf16>, %g: memref<4096xf16>, %s: memref<4096xf16>, %y: memref<8192x4096xf16>) {
  tile.launch @layer_norm(%x, %g, %s, %y) : memref<8192x4096xf16>, memref<4096xf16>, memref<4096xf16>, memref<8192x4096xf16>
  return
}
