// y = x + 1, then y = 2 y, by a function that launches both; x + 1 is a temporary,
// the ones are a constant.
#grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>

memref.global "private" constant @ones : memref<64xf32> = dense<1.0>

tile.kernel @increment(%x: memref<?xf32>, %ones: memref<64xf32>, %y: memref<?xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %width = arith.constant 64 : index
  %block = tile.program_id x
  %start = arith.muli %block, %width : index
  %one = tile.load %ones[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %a = tile.load %x[%start] : memref<?xf32> -> !tile.tile<64xf32>
  %b = arith.addf %a, %one : !tile.tile<64xf32>
  tile.store %b, %y[%start] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

tile.kernel @double(%x: memref<?xf32>, %y: memref<?xf32>)
    attributes {grid = #grid} {
  %width = arith.constant 64 : index
  %block = tile.program_id x
  %start = arith.muli %block, %width : index
  %a = tile.load %x[%start] : memref<?xf32> -> !tile.tile<64xf32>
  %b = arith.addf %a, %a : !tile.tile<64xf32>
  tile.store %b, %y[%start] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %between = memref.alloc(%n) : memref<?xf32>
  %ones = memref.get_global @ones : memref<64xf32>
  tile.launch @increment(%x, %ones, %between) : memref<?xf32>, memref<64xf32>, memref<?xf32>
  tile.launch @double(%between, %y) : memref<?xf32>, memref<?xf32>
  return
}
