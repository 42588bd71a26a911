// The two layers of network_programs.py, written by hand: matmuls like those of
// product.py, with the bias added to their results.

#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 128, n ceildiv 256)>
                   of [[0, 0], [1, 0]]>

tile.kernel @first(
    %A: memref<4096x1024xf16>,
    %B: memref<4096x1024xf16>,
    %bias: memref<4096xf16>,
    %C: memref<4096x4096xf16>)
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
  %end = memref.dim %A, %dim : memref<4096x1024xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<4096x1024xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<4096x1024xf16> -> !tile.tile<256x64xf16>
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
  %none = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %relu = arith.maximumf %biased, %none : !tile.tile<128x256xf32>
  %c = tile.cast %relu : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<4096x4096xf16>
  tile.return
}

tile.kernel @second(
    %A: memref<4096x4096xf16>,
    %B: memref<1024x4096xf16>,
    %bias: memref<1024xf16>,
    %C: memref<4096x1024xf16>)
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
  %end = memref.dim %A, %dim : memref<4096x4096xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %start to %end step %step
      iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %A[%m, %k]
        : memref<4096x4096xf16> -> !tile.tile<128x64xf16>
    %rows_of_b = tile.load %B[%n, %k]
        : memref<1024x4096xf16> -> !tile.tile<256x64xf16>
    %b = tile.transpose %rows_of_b [1, 0]
        : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x256xf16>
        -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  %b0 = tile.load %bias[%n] : memref<1024xf16> -> !tile.tile<256xf16>
  %b1 = tile.cast %b0 : !tile.tile<256xf16> to !tile.tile<256xf32>
  %b2 = tile.broadcast %b1 : !tile.tile<256xf32> to !tile.tile<128x256xf32>
  %biased = arith.addf %sum, %b2 : !tile.tile<128x256xf32>
  %c = tile.cast %biased : !tile.tile<128x256xf32>
      to !tile.tile<128x256xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<128x256xf16>, memref<4096x1024xf16>
  tile.return
}

func.func @main(%x: memref<4096x1024xf16>, %w0: memref<4096x1024xf16>, %b0: memref<4096xf16>, %w1: memref<1024x4096xf16>, %b1: memref<1024xf16>, %y: memref<4096x1024xf16>) {
  %h = memref.alloc() : memref<4096x4096xf16>
  tile.launch @first(%x, %w0, %b0, %h) : memref<4096x1024xf16>, memref<4096x1024xf16>, memref<4096xf16>, memref<4096x4096xf16>
  tile.launch @second(%h, %w1, %b1, %y) : memref<4096x4096xf16>, memref<1024x4096xf16>, memref<1024xf16>, memref<4096x1024xf16>
  return
}
