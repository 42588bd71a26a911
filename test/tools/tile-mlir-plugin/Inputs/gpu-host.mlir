// A host program in MLIR's gpu dialect, with every kind of launch.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>
!view = memref<?x64xf32, strided<[?, 1], offset: ?>>

tile.kernel @double(%a: !view) attributes {block = 64 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %i = arith.muli %x, %c64 : index
  %t = tile.load %a[%i, %c0] : !view -> !tile.tile<64x64xf32>
  %u = arith.addf %t, %t : !tile.tile<64x64xf32>
  tile.store %u, %a[%i, %c0] : !tile.tile<64x64xf32>, !view
  tile.return
}

tile.kernel @total(%a: memref<?xf32>, %factor: index, %out: memref<1xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %x = tile.program_id x
  %i = arith.muli %x, %c32 : index
  %t = tile.load %a[%i] : memref<?xf32> -> !tile.tile<32xf32>
  %sum = tile.reduce add %t axis 0 keep : !tile.tile<32xf32> to !tile.tile<1xf32>
  tile.atomic_rmw add %sum, %out[%c0] ordered : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 130 : index
  %width = arith.constant 64 : index
  %a = memref.alloc(%n) {alignment = 64} : memref<?x64xf32>
  %whole = memref.cast %a : memref<?x64xf32> to !view
  // Arrays are aligned, so the specialized variant is launched; 130 rows are 3 blocks.
  tile.launch @double(%whole) : !view
  // The array starts at the second element.
  %one = arith.constant 1 : index
  %short = arith.constant 100 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x64xf32> into memref<?xf32>
  %part = memref.reinterpret_cast %flat to offset: [%one], sizes: [%short, 64], strides: [%width, 1]
      : memref<?xf32> to !view
  tile.launch @double(%part) : !view
  // Without rows there is nothing to launch.
  %none = memref.reinterpret_cast %flat to offset: [%one], sizes: [%c0, 64], strides: [%width, 1]
      : memref<?xf32> to !view
  tile.launch @double(%none) : !view
  // A workspace, and a grid of the host's.
  %out = memref.alloc() : memref<1xf32>
  tile.launch @total grid(%c2, %c3) (%flat, %short, %out) : memref<?xf32>, index, memref<1xf32>
  return
}
