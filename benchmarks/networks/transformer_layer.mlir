// The transformer layer of network_programs.py, written by hand: norms as in
// layer_norm.mlir, matmuls like those of product.py with fused operations, and
// attention as in chain_programs.py, which reads queries, keys and values directly from
// the result of their matmul.

#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 128, n ceildiv 256)>
                   of [[0, 0], [1, 0]]>
#rows = #tile.grid<affine_map<() -> (2048)> of []>
#heads = #tile.grid<affine_map<() -> (16, 32)> of []>

tile.kernel @norm(%x: memref<2048x4096xf16>, %g: memref<4096xf16>, %s: memref<4096xf16>, %y: memref<2048x4096xf16>)
    attributes {block = 256 : i64, grid = #rows} {
  %c0 = arith.constant 0 : index
  %row = tile.program_id x
  %loaded = tile.load %x[%row, %c0] : memref<2048x4096xf16> -> !tile.tile<1x4096xf16>
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
  tile.store %out, %y[%row, %c0] : !tile.tile<1x4096xf16>, memref<2048x4096xf16>
  tile.return
}


tile.kernel @project(
    %A: memref<2048x4096xf16>,
    %B: memref<12288x4096xf16>,
    %bias: memref<12288xf16>,
    %C: memref<2048x12288xf16>)
    attributes {grid = #grid} {
  %dim = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 256 : index
  %step = arith.constant 64 : index
  // Blocks start in the order of %id. They are grouped by %group columns of
  // tiles; the last group has the remaining columns. Within a group they go
  // through the tiles row by row.
  %x = tile.program_id x
  %y = tile.program_id y
  %num_m = tile.num_programs x
  %num_n = tile.num_programs y
  %before = arith.muli %y, %num_m : index
  %id = arith.addi %before, %x : index
  %group = arith.constant 8 : index
  %size = arith.muli %num_m, %group : index
  %index = arith.divui %id, %size : index
  %first = arith.muli %index, %group : index
  %left = arith.subi %num_n, %first : index
  %width = arith.minui %left, %group : index
  %rest = arith.remui %id, %size : index
  %bm = arith.divui %rest, %width : index
  %column = arith.remui %rest, %width : index
  %bn = arith.addi %first, %column : index
  %m = arith.muli %bm, %rows : index
  %n = arith.muli %bn, %columns : index
  %start = arith.constant 0 : index
  %end = memref.dim %A, %dim : memref<2048x4096xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<2048x4096xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<12288x4096xf16> -> !tile.tile<256x64xf16>
    %b = tile.transpose %rows_of_b [1, 0]
        : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x256xf16>
        -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %bias[%n] : memref<12288xf16> -> !tile.tile<256xf16>
  %b1 = tile.cast %b0 : !tile.tile<256xf16> to !tile.tile<256xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<256xf32> to !tile.tile<128x256xf32>
  %biased = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %c = tile.cast %biased : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<2048x12288xf16>
  tile.return
}


tile.kernel @attention(%QKV: memref<2048x3x32x128xf16>,
                       %O: memref<2048x32x128xf16>) attributes {grid = #heads} {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %step = arith.constant 128 : index
  %block = tile.program_id x
  %head = tile.program_id y
  %m = arith.muli %block, %rows : index
  %length = arith.constant 2048 : index
  %whole = arith.addi %m, %c1 : index
  %last = affine.apply affine_map<(m) -> (m + 128)>(%m)
  %end = arith.minui %last, %length : index
  %q = tile.load %QKV[%m, %c0, %head, %c0] dims [0, 3] : memref<2048x3x32x128xf16> -> !tile.tile<128x128xf16>
  %least = arith.constant dense<-1.0e30> : !tile.tile<128x1xf32>
  %none = arith.constant dense<0.0> : !tile.tile<128x1xf32>
  %nothing = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %all:3 = scf.for %k = %c0 to %end step %step
      iter_args(%top = %least, %sum = %none, %out = %nothing)
      -> (!tile.tile<128x1xf32>, !tile.tile<128x1xf32>, !tile.tile<128x128xf32>) {
    %kt = tile.load %QKV[%k, %c1, %head, %c0] dims [0, 3] : memref<2048x3x32x128xf16> -> !tile.tile<128x128xf16>
    %kk = tile.transpose %kt [1, 0] : !tile.tile<128x128xf16> to !tile.tile<128x128xf16>
    %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
    %qk = tile.matmul %q, %kk, %zero : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    %next = arith.addi %k, %step : index
    %isCut = arith.cmpi sgt, %next, %whole : index
    %score = scf.if %isCut -> (!tile.tile<128x128xf32>) {
      %column = tile.iota axis 1 : !tile.tile<128x128xi32>
      %key = arith.index_cast %k : index to i32
      %first = tile.fill %key : !tile.tile<128x128xi32>
      %keys = arith.addi %column, %first : !tile.tile<128x128xi32>
      %row = tile.iota axis 0 : !tile.tile<128x128xi32>
      %query = arith.index_cast %m : index to i32
      %one = arith.constant 1 : i32
      %behind = arith.addi %query, %one : i32
      %firsts = tile.fill %behind : !tile.tile<128x128xi32>
      %limits = arith.addi %row, %firsts : !tile.tile<128x128xi32>
      %counts = arith.cmpi slt, %keys, %limits : !tile.tile<128x128xi32>
      %below = arith.constant dense<0xFF800000> : !tile.tile<128x128xf32>
      %kept = tile.select %counts, %qk, %below : !tile.tile<128x128xi1>, !tile.tile<128x128xf32>
      scf.yield %kept : !tile.tile<128x128xf32>
    } else {
      scf.yield %qk : !tile.tile<128x128xf32>
    }
    %most = tile.reduce max %score axis 1 keep : !tile.tile<128x128xf32> to !tile.tile<128x1xf32>
    %scale = arith.constant dense<1.275174308e-01> : !tile.tile<128x1xf32>
    %scales = arith.constant dense<1.275174308e-01> : !tile.tile<128x128xf32>
    %mostScaled = arith.mulf %most, %scale : !tile.tile<128x1xf32>
    %newTop = arith.maximumf %top, %mostScaled : !tile.tile<128x1xf32>
    %negative = arith.negf %newTop : !tile.tile<128x1xf32>
    %tops = tile.broadcast %negative : !tile.tile<128x1xf32> to !tile.tile<128x128xf32>
    %less = math.fma %score, %scales, %tops : !tile.tile<128x128xf32>
    %p = math.exp2 %less fastmath<afn> : !tile.tile<128x128xf32>
    %fall = arith.subf %top, %newTop : !tile.tile<128x1xf32>
    %shrink = math.exp2 %fall fastmath<afn> : !tile.tile<128x1xf32>
    %added = tile.reduce add %p axis 1 keep : !tile.tile<128x128xf32> to !tile.tile<128x1xf32>
    %old = arith.mulf %sum, %shrink : !tile.tile<128x1xf32>
    %newSum = arith.addf %old, %added : !tile.tile<128x1xf32>
    %shrinks = tile.broadcast %shrink : !tile.tile<128x1xf32> to !tile.tile<128x128xf32>
    %shrunk = arith.mulf %out, %shrinks : !tile.tile<128x128xf32>
    %pp = tile.cast %p : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
    %v = tile.load %QKV[%k, %c2, %head, %c0] dims [0, 3] : memref<2048x3x32x128xf16> -> !tile.tile<128x128xf16>
    %newOut = tile.matmul %pp, %v, %shrunk : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %newTop, %newSum, %newOut : !tile.tile<128x1xf32>, !tile.tile<128x1xf32>, !tile.tile<128x128xf32>
  }
  %one = arith.constant dense<1.0> : !tile.tile<128x1xf32>
  %inverse = arith.divf %one, %all#1 : !tile.tile<128x1xf32>
  %inverses = tile.broadcast %inverse : !tile.tile<128x1xf32> to !tile.tile<128x128xf32>
  %result = arith.mulf %all#2, %inverses : !tile.tile<128x128xf32>
  %narrow = tile.cast %result : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
  tile.store %narrow, %O[%m, %head, %c0] dims [0, 2] : !tile.tile<128x128xf16>, memref<2048x32x128xf16>
  tile.return
}

tile.kernel @output(
    %A: memref<2048x4096xf16>,
    %B: memref<4096x4096xf16>,
    %bias: memref<4096xf16>,
    %residual: memref<2048x4096xf16>,
    %C: memref<2048x4096xf16>)
    attributes {grid = #grid} {
  %dim = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 256 : index
  %step = arith.constant 64 : index
  // Blocks start in the order of %id. They are grouped by %group columns of
  // tiles; the last group has the remaining columns. Within a group they go
  // through the tiles row by row.
  %x = tile.program_id x
  %y = tile.program_id y
  %num_m = tile.num_programs x
  %num_n = tile.num_programs y
  %before = arith.muli %y, %num_m : index
  %id = arith.addi %before, %x : index
  %group = arith.constant 8 : index
  %size = arith.muli %num_m, %group : index
  %index = arith.divui %id, %size : index
  %first = arith.muli %index, %group : index
  %left = arith.subi %num_n, %first : index
  %width = arith.minui %left, %group : index
  %rest = arith.remui %id, %size : index
  %bm = arith.divui %rest, %width : index
  %column = arith.remui %rest, %width : index
  %bn = arith.addi %first, %column : index
  %m = arith.muli %bm, %rows : index
  %n = arith.muli %bn, %columns : index
  %start = arith.constant 0 : index
  %end = memref.dim %A, %dim : memref<2048x4096xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<2048x4096xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<4096x4096xf16> -> !tile.tile<256x64xf16>
    %b = tile.transpose %rows_of_b [1, 0]
        : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x256xf16>
        -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %bias[%n] : memref<4096xf16> -> !tile.tile<256xf16>
  %b1 = tile.cast %b0 : !tile.tile<256xf16> to !tile.tile<256xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<256xf32> to !tile.tile<128x256xf32>
  %biased = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %r0 = tile.load %residual[%m, %n] : memref<2048x4096xf16> -> !tile.tile<128x256xf16>
  %r1 = tile.cast %r0 : !tile.tile<128x256xf16> to !tile.tile<128x256xf32>
  %result = arith.addf %biased, %r1 : !tile.tile<128x256xf32>
  %c = tile.cast %result : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<2048x4096xf16>
  tile.return
}


tile.kernel @first(
    %A: memref<2048x4096xf16>,
    %B: memref<16384x4096xf16>,
    %bias: memref<16384xf16>,
    %C: memref<2048x16384xf16>)
    attributes {grid = #grid} {
  %dim = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 256 : index
  %step = arith.constant 64 : index
  // Blocks start in the order of %id. They are grouped by %group columns of
  // tiles; the last group has the remaining columns. Within a group they go
  // through the tiles row by row.
  %x = tile.program_id x
  %y = tile.program_id y
  %num_m = tile.num_programs x
  %num_n = tile.num_programs y
  %before = arith.muli %y, %num_m : index
  %id = arith.addi %before, %x : index
  %group = arith.constant 8 : index
  %size = arith.muli %num_m, %group : index
  %index = arith.divui %id, %size : index
  %first = arith.muli %index, %group : index
  %left = arith.subi %num_n, %first : index
  %width = arith.minui %left, %group : index
  %rest = arith.remui %id, %size : index
  %bm = arith.divui %rest, %width : index
  %column = arith.remui %rest, %width : index
  %bn = arith.addi %first, %column : index
  %m = arith.muli %bm, %rows : index
  %n = arith.muli %bn, %columns : index
  %start = arith.constant 0 : index
  %end = memref.dim %A, %dim : memref<2048x4096xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<2048x4096xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<16384x4096xf16> -> !tile.tile<256x64xf16>
    %b = tile.transpose %rows_of_b [1, 0]
        : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x256xf16>
        -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %bias[%n] : memref<16384xf16> -> !tile.tile<256xf16>
  %b1 = tile.cast %b0 : !tile.tile<256xf16> to !tile.tile<256xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<256xf32> to !tile.tile<128x256xf32>
  %biased = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %root = arith.constant dense<0.707106781> : !tile.tile<128x256xf32>
  %half = arith.constant dense<0.5> : !tile.tile<128x256xf32>
  %one = arith.constant dense<1.0> : !tile.tile<128x256xf32>
  %scaled = arith.mulf %biased, %root : !tile.tile<128x256xf32>
  %erf = math.erf %scaled : !tile.tile<128x256xf32>
  %more = arith.addf %erf, %one : !tile.tile<128x256xf32>
  %part = arith.mulf %more, %half : !tile.tile<128x256xf32>
  %result = arith.mulf %biased, %part : !tile.tile<128x256xf32>
  %c = tile.cast %result : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<2048x16384xf16>
  tile.return
}


tile.kernel @second(
    %A: memref<2048x16384xf16>,
    %B: memref<4096x16384xf16>,
    %bias: memref<4096xf16>,
    %residual: memref<2048x4096xf16>,
    %C: memref<2048x4096xf16>)
    attributes {grid = #grid} {
  %dim = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 256 : index
  %step = arith.constant 64 : index
  // Blocks start in the order of %id. They are grouped by %group columns of
  // tiles; the last group has the remaining columns. Within a group they go
  // through the tiles row by row.
  %x = tile.program_id x
  %y = tile.program_id y
  %num_m = tile.num_programs x
  %num_n = tile.num_programs y
  %before = arith.muli %y, %num_m : index
  %id = arith.addi %before, %x : index
  %group = arith.constant 8 : index
  %size = arith.muli %num_m, %group : index
  %index = arith.divui %id, %size : index
  %first = arith.muli %index, %group : index
  %left = arith.subi %num_n, %first : index
  %width = arith.minui %left, %group : index
  %rest = arith.remui %id, %size : index
  %bm = arith.divui %rest, %width : index
  %column = arith.remui %rest, %width : index
  %bn = arith.addi %first, %column : index
  %m = arith.muli %bm, %rows : index
  %n = arith.muli %bn, %columns : index
  %start = arith.constant 0 : index
  %end = memref.dim %A, %dim : memref<2048x16384xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<2048x16384xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<4096x16384xf16> -> !tile.tile<256x64xf16>
    %b = tile.transpose %rows_of_b [1, 0]
        : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x256xf16>
        -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %bias[%n] : memref<4096xf16> -> !tile.tile<256xf16>
  %b1 = tile.cast %b0 : !tile.tile<256xf16> to !tile.tile<256xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<256xf32> to !tile.tile<128x256xf32>
  %biased = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %r0 = tile.load %residual[%m, %n] : memref<2048x4096xf16> -> !tile.tile<128x256xf16>
  %r1 = tile.cast %r0 : !tile.tile<128x256xf16> to !tile.tile<128x256xf32>
  %result = arith.addf %biased, %r1 : !tile.tile<128x256xf32>
  %c = tile.cast %result : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<2048x4096xf16>
  tile.return
}


func.func @main(%x: memref<1x2048x4096xf16>, %g0: memref<4096xf16>, %s0: memref<4096xf16>, %wqkv: memref<12288x4096xf16>, %bqkv: memref<12288xf16>, %wo: memref<4096x4096xf16>, %bo: memref<4096xf16>, %g1: memref<4096xf16>, %s1: memref<4096xf16>, %w1: memref<16384x4096xf16>, %b1: memref<16384xf16>, %w2: memref<4096x16384xf16>, %b2: memref<4096xf16>, %y: memref<1x2048x4096xf16>) {
  %in = memref.collapse_shape %x [[0, 1], [2]] : memref<1x2048x4096xf16> into memref<2048x4096xf16>
  %out = memref.collapse_shape %y [[0, 1], [2]] : memref<1x2048x4096xf16> into memref<2048x4096xf16>
  %n0 = memref.alloc() : memref<2048x4096xf16>
  tile.launch @norm(%in, %g0, %s0, %n0) : memref<2048x4096xf16>, memref<4096xf16>, memref<4096xf16>, memref<2048x4096xf16>
  %p = memref.alloc() : memref<2048x12288xf16>
  tile.launch @project(%n0, %wqkv, %bqkv, %p) : memref<2048x4096xf16>, memref<12288x4096xf16>, memref<12288xf16>, memref<2048x12288xf16>
  %qkv = memref.expand_shape %p [[0], [1, 2, 3]] output_shape [2048, 3, 32, 128] : memref<2048x12288xf16> into memref<2048x3x32x128xf16>
  %a = memref.alloc() : memref<2048x32x128xf16>
  tile.launch @attention(%qkv, %a) : memref<2048x3x32x128xf16>, memref<2048x32x128xf16>
  %z = memref.collapse_shape %a [[0], [1, 2]] : memref<2048x32x128xf16> into memref<2048x4096xf16>
  %h = memref.alloc() : memref<2048x4096xf16>
  tile.launch @output(%z, %wo, %bo, %in, %h) : memref<2048x4096xf16>, memref<4096x4096xf16>, memref<4096xf16>, memref<2048x4096xf16>, memref<2048x4096xf16>
  %n1 = memref.alloc() : memref<2048x4096xf16>
  tile.launch @norm(%h, %g1, %s1, %n1) : memref<2048x4096xf16>, memref<4096xf16>, memref<4096xf16>, memref<2048x4096xf16>
  %m = memref.alloc() : memref<2048x16384xf16>
  tile.launch @first(%n1, %w1, %b1, %m) : memref<2048x4096xf16>, memref<16384x4096xf16>, memref<16384xf16>, memref<2048x16384xf16>
  tile.launch @second(%m, %w2, %b2, %h, %out) : memref<2048x16384xf16>, memref<4096x16384xf16>, memref<4096xf16>, memref<2048x4096xf16>, memref<2048x4096xf16>
  return
}
