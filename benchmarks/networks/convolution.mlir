// The small convolution network of network_programs.py, written by hand. Each
// convolution is a matmul of its filter and of windows that are gathered from the
// images. The first convolution gathers all channels of a window at once. In the second
// convolution, a block computes all positions of an image and stores their means.

#places = #tile.grid<affine_map<() -> (16, 128)> of []>
#images = #tile.grid<affine_map<() -> (128)> of []>
#rows = #tile.grid<affine_map<() -> (32, 128)> of []>
#parts = #tile.grid<affine_map<() -> (4)> of []>

tile.kernel @first(%x: memref<128x3x64x64xf16>, %w: memref<64x27xf16>, %b: memref<64xf16>, %y: memref<128x64x4096xf16>) attributes {grid = #places} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = tile.program_id y
  %g = tile.program_id x
  %row = arith.muli %g, %c4 : index
  %row1 = arith.subi %row, %c1 : index
  %m1 = arith.constant -1 : index
  %first = arith.muli %g, %c256 : index
  %p = tile.iota axis 1 : !tile.tile<1x256xi32>
  %c64 = arith.constant dense<64> : !tile.tile<1x256xi32>
  %oy = arith.divui %p, %c64 : !tile.tile<1x256xi32>
  %ox = arith.remui %p, %c64 : !tile.tile<1x256xi32>
  %iyb = tile.broadcast %oy : !tile.tile<1x256xi32> to !tile.tile<32x256xi32>
  %ixb = tile.broadcast %ox : !tile.tile<1x256xi32> to !tile.tile<32x256xi32>
  %ki = tile.iota axis 0 : !tile.tile<32x1xi32>
  %nine = arith.constant dense<9> : !tile.tile<32x1xi32>
  %three = arith.constant dense<3> : !tile.tile<32x1xi32>
  %zero = arith.constant dense<0.0> : !tile.tile<64x256xf32>
  %ch = arith.divui %ki, %nine : !tile.tile<32x1xi32>
  %tap = arith.remui %ki, %nine : !tile.tile<32x1xi32>
  %kh = arith.divui %tap, %three : !tile.tile<32x1xi32>
  %kw = arith.remui %tap, %three : !tile.tile<32x1xi32>
  %khb = tile.broadcast %kh : !tile.tile<32x1xi32> to !tile.tile<32x256xi32>
  %kwb = tile.broadcast %kw : !tile.tile<32x1xi32> to !tile.tile<32x256xi32>
  %yy = arith.addi %khb, %iyb : !tile.tile<32x256xi32>
  %xx = arith.addi %kwb, %ixb : !tile.tile<32x256xi32>
  %v = tile.gather %x[%n, %c0, %row1, %m1] dims [1, 3] at %ch, %yy, %xx axes [1, 2, 3] : memref<128x3x64x64xf16>, !tile.tile<32x1xi32>, !tile.tile<32x256xi32>, !tile.tile<32x256xi32> -> !tile.tile<32x256xf16>
  %f = tile.load %w[%c0, %c0] : memref<64x27xf16> -> !tile.tile<64x32xf16>
  %sum = tile.matmul %f, %v, %zero : !tile.tile<64x32xf16>, !tile.tile<32x256xf16> -> !tile.tile<64x256xf32>
  %b0 = tile.load %b[%c0] : memref<64xf16> -> !tile.tile<64xf16>
  %b1 = tile.cast %b0 : !tile.tile<64xf16> to !tile.tile<64xf32>
  %b2 = tile.broadcast %b1 dims [0] : !tile.tile<64xf32> to !tile.tile<64x256xf32>
  %o = arith.addf %sum, %b2 : !tile.tile<64x256xf32>
  %q = arith.maximumf %o, %zero : !tile.tile<64x256xf32>
  %h = tile.cast %q : !tile.tile<64x256xf32> to !tile.tile<64x256xf16>
  tile.store %h, %y[%n, %c0, %first] : !tile.tile<64x256xf16>, memref<128x64x4096xf16>
  tile.return
}

// Computes the maximum of two by two positions, for rows of all channels.
tile.kernel @pool(%x: memref<128x64x64x64xf16>, %y: memref<128x64x32x32xf16>)
    attributes {grid = #rows} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tile.program_id y
  %row = tile.program_id x
  %from = arith.muli %row, %c2 : index
  %v = tile.load %x[%n, %c0, %from, %c0] : memref<128x64x64x64xf16> -> !tile.tile<64x2x64xf16>
  %two = tile.reshape %v : !tile.tile<64x2x64xf16> to !tile.tile<64x2x32x2xf16>
  %wide = tile.reduce max %two axis 3 : !tile.tile<64x2x32x2xf16> to !tile.tile<64x2x32xf16>
  %most = tile.reduce max %wide axis 1 : !tile.tile<64x2x32xf16> to !tile.tile<64x32xf16>
  tile.store %most, %y[%n, %c0, %row, %c0] dims [1, 3] : !tile.tile<64x32xf16>, memref<128x64x32x32xf16>
  tile.return
}

tile.kernel @second(%x: memref<128x64x32x32xf16>, %w: memref<128x64x3x3xf16>, %b: memref<128xf16>, %y: memref<128x128xf16>) attributes {grid = #images} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tile.program_id x
  %p = tile.iota axis 1 : !tile.tile<1x256xi32>
  %c15 = arith.constant dense<15> : !tile.tile<1x256xi32>
  %two = arith.constant dense<2> : !tile.tile<1x256xi32>
  %oy = arith.divui %p, %c15 : !tile.tile<1x256xi32>
  %ox = arith.remui %p, %c15 : !tile.tile<1x256xi32>
  %iy = arith.muli %oy, %two : !tile.tile<1x256xi32>
  %ix = arith.muli %ox, %two : !tile.tile<1x256xi32>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %kh = %c0 to %c3 step %c1 iter_args(%r = %zero) -> !tile.tile<128x256xf32> {
    %s = scf.for %kw = %c0 to %c3 step %c1 iter_args(%a = %r) -> !tile.tile<128x256xf32> {
      %v = tile.gather %x[%n, %c0, %kh, %kw] dims [1, 3] at %iy, %ix axes [2, 3] : memref<128x64x32x32xf16>, !tile.tile<1x256xi32>, !tile.tile<1x256xi32> -> !tile.tile<64x256xf16>
      %f = tile.load %w[%c0, %c0, %kh, %kw] dims [0, 1] : memref<128x64x3x3xf16> -> !tile.tile<128x64xf16>
      %d = tile.matmul %f, %v, %a : !tile.tile<128x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<128x256xf32>
      scf.yield %d : !tile.tile<128x256xf32>
    }
    scf.yield %s : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %b[%c0] : memref<128xf16> -> !tile.tile<128xf16>
  %b1 = tile.cast %b0 : !tile.tile<128xf16> to !tile.tile<128xf32>
  %b2 = tile.broadcast %b1 dims [0] : !tile.tile<128xf32> to !tile.tile<128x256xf32>
  %o = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %q = arith.maximumf %o, %zero : !tile.tile<128x256xf32>
  %h = tile.cast %q : !tile.tile<128x256xf32> to !tile.tile<128x256xf16>
  %lim = arith.constant dense<225> : !tile.tile<1x256xi32>
  %in = arith.cmpi ult, %p, %lim : !tile.tile<1x256xi32>
  %inb = tile.broadcast %in : !tile.tile<1x256xi1> to !tile.tile<128x256xi1>
  %zz = arith.constant dense<0.0> : !tile.tile<128x256xf16>
  %hm = tile.select %inb, %h, %zz : !tile.tile<128x256xi1>, !tile.tile<128x256xf16>
  %rs = tile.reduce add %hm axis 1 : !tile.tile<128x256xf16> to !tile.tile<128xf16>
  %nn = arith.constant dense<225.0> : !tile.tile<128xf16>
  %mean = arith.divf %rs, %nn : !tile.tile<128xf16>
  tile.store %mean, %y[%n, %c0] : !tile.tile<128xf16>, memref<128x128xf16>
  tile.return
}

tile.kernel @last(%x: memref<128x128xf16>, %w: memref<10x128xf16>, %b: memref<10xf16>, %y: memref<128x10xf16>)
    attributes {grid = #parts} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %first = arith.muli %p, %c32 : index
  %a = tile.load %x[%first, %c0] : memref<128x128xf16> -> !tile.tile<32x128xf16>
  %f = tile.load %w[%c0, %c0] : memref<10x128xf16> -> !tile.tile<16x128xf16>
  %ft = tile.transpose %f [1, 0] : !tile.tile<16x128xf16> to !tile.tile<128x16xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<32x16xf32>
  %d = tile.matmul %a, %ft, %zero : !tile.tile<32x128xf16>, !tile.tile<128x16xf16> -> !tile.tile<32x16xf32>
  %b0 = tile.load %b[%c0] : memref<10xf16> -> !tile.tile<16xf16>
  %b1 = tile.cast %b0 : !tile.tile<16xf16> to !tile.tile<16xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<16xf32> to !tile.tile<32x16xf32>
  %o = arith.addf %d, %b2 : !tile.tile<32x16xf32>
  %h = tile.cast %o : !tile.tile<32x16xf32> to !tile.tile<32x16xf16>
  tile.store %h, %y[%first, %c0] : !tile.tile<32x16xf16>, memref<128x10xf16>
  tile.return
}

func.func @main(%x: memref<128x3x64x64xf16>, %w0: memref<64x3x3x3xf16>, %b0: memref<64xf16>, %w1: memref<128x64x3x3xf16>, %b1: memref<128xf16>, %w2: memref<10x128xf16>, %b2: memref<10xf16>, %y: memref<128x10xf16>) {
  %f = memref.collapse_shape %w0 [[0], [1, 2, 3]] : memref<64x3x3x3xf16> into memref<64x27xf16>
  %a = memref.alloc() : memref<128x64x64x64xf16>
  %c = memref.collapse_shape %a [[0], [1], [2, 3]] : memref<128x64x64x64xf16> into memref<128x64x4096xf16>
  tile.launch @first(%x, %f, %b0, %c) : memref<128x3x64x64xf16>, memref<64x27xf16>, memref<64xf16>, memref<128x64x4096xf16>
  %p = memref.alloc() : memref<128x64x32x32xf16>
  tile.launch @pool(%a, %p) : memref<128x64x64x64xf16>, memref<128x64x32x32xf16>
  %m = memref.alloc() : memref<128x128xf16>
  tile.launch @second(%p, %w1, %b1, %m) : memref<128x64x32x32xf16>, memref<128x64x3x3xf16>, memref<128xf16>, memref<128x128xf16>
  tile.launch @last(%m, %w2, %b2, %y) : memref<128x128xf16>, memref<10x128xf16>, memref<10xf16>, memref<128x10xf16>
  return
}
