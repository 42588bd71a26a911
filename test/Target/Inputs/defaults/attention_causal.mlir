// Causal attention of blocks of 128 queries and 128 keys, with 128 columns.
#grid = #tile.grid<affine_map<(heads, length) -> (length ceildiv 128, heads)>
                   of [[0, 0], [0, 1]]>
tile.kernel @attention(%Q: memref<?x?x128xf16>, %K: memref<?x?x128xf16>, %V: memref<?x?x128xf16>,
                       %O: memref<?x?x128xf16>) attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 128 : index
  %step = arith.constant 128 : index
  %block = tile.program_id x
  %head = tile.program_id y
  %m = arith.muli %block, %rows : index
  %length = memref.dim %K, %c1 : memref<?x?x128xf16>
  %whole = arith.addi %m, %c1 : index
  %last = affine.apply affine_map<(m) -> (m + 128)>(%m)
  %end = arith.minui %last, %length : index
  %q = tile.load %Q[%head, %m, %c0] : memref<?x?x128xf16> -> !tile.tile<128x128xf16>
  %least = arith.constant dense<-1.0e30> : !tile.tile<128x1xf32>
  %none = arith.constant dense<0.0> : !tile.tile<128x1xf32>
  %nothing = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %all:3 = scf.for %k = %c0 to %end step %step
      iter_args(%top = %least, %sum = %none, %out = %nothing)
      -> (!tile.tile<128x1xf32>, !tile.tile<128x1xf32>, !tile.tile<128x128xf32>) {
    %kt = tile.load %K[%head, %k, %c0] : memref<?x?x128xf16> -> !tile.tile<128x128xf16>
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
    %v = tile.load %V[%head, %k, %c0] : memref<?x?x128xf16> -> !tile.tile<128x128xf16>
    %newOut = tile.matmul %pp, %v, %shrunk : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %newTop, %newSum, %newOut : !tile.tile<128x1xf32>, !tile.tile<128x1xf32>, !tile.tile<128x128xf32>
  }
  %one = arith.constant dense<1.0> : !tile.tile<128x1xf32>
  %inverse = arith.divf %one, %all#1 : !tile.tile<128x1xf32>
  %inverses = tile.broadcast %inverse : !tile.tile<128x1xf32> to !tile.tile<128x128xf32>
  %result = arith.mulf %all#2, %inverses : !tile.tile<128x128xf32>
  %narrow = tile.cast %result : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
  tile.store %narrow, %O[%head, %m, %c0] : !tile.tile<128x128xf16>, memref<?x?x128xf16>
  tile.return
}
