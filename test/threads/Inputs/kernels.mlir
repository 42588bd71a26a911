// Eight kernels, each of two 64x64 arrays, use registers and shared memory,
// barriers, prefetched copies, shuffles, matrix instructions and atomic additions.

#blocks = #tile.grid<affine_map<() -> (2)> of []>

tile.kernel @elementwise(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = math.sqrt %a : !tile.tile<32x64xf32>
  %c = arith.addf %a, %b : !tile.tile<32x64xf32>
  tile.store %c, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @reduction(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.reduce add %a axis 1 : !tile.tile<32x64xf32> to !tile.tile<32xf32>
  %c = tile.reshape %b : !tile.tile<32xf32> to !tile.tile<32x1xf32>
  %d = tile.broadcast %c : !tile.tile<32x1xf32> to !tile.tile<32x64xf32>
  %e = arith.divf %a, %d : !tile.tile<32x64xf32>
  tile.store %e, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @transpose(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.transpose %a [1, 0] : !tile.tile<32x64xf32> to !tile.tile<64x32xf32>
  tile.store %b, %y[%c0, %i] : !tile.tile<64x32xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @scan(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.scan add %a axis 0 : !tile.tile<32x64xf32>
  tile.store %b, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @sort(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.sort %a axis 1 : !tile.tile<32x64xf32>
  tile.store %b, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @product(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %step = arith.constant 16 : index
  %all = arith.constant 64 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %sum = scf.for %k = %c0 to %all step %step iter_args(%acc = %zero) -> !tile.tile<32x64xf32> {
    %a = tile.load %x[%i, %k] : memref<64x64xf32> -> !tile.tile<32x16xf32>
    %b = tile.load %x[%k, %c0] : memref<64x64xf32> -> !tile.tile<16x64xf32>
    %c = tile.matmul %a, %b, %acc : !tile.tile<32x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<32x64xf32>
    scf.yield %c : !tile.tile<32x64xf32>
  }
  tile.store %sum, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

tile.kernel @tensor_cores(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %c = tile.cast %a : !tile.tile<32x64xf32> to !tile.tile<32x64xf16>
  %d = tile.cast %b : !tile.tile<64x64xf32> to !tile.tile<64x64xf16>
  %e = tile.matmul %c, %d, %zero : !tile.tile<32x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<32x64xf32>
  tile.store %e, %y[%i, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

// Both blocks add integers to the same elements: the sums are exact.
tile.kernel @additions(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %block = tile.program_id x
  %i = arith.muli %block, %rows : index
  %a = tile.load %x[%i, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  %b = math.floor %a : !tile.tile<32x64xf32>
  tile.atomic_rmw add %b, %y[%c0, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}
