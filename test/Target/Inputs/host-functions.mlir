// Functions of the host: row sums of s (x - 1), by way of a temporary array.

#blocks = #tile.grid<affine_map<(m, n) -> (n ceildiv 32, m ceildiv 16)>
                     of [[0, 0], [0, 1]]>
#rows = #tile.grid<affine_map<(m) -> (m)> of [[0, 0]]>
!any = memref<?x?xf32, strided<[?, 1], offset: ?>>
!dense = memref<?x?xf32>

tile.kernel @scale(%x: !any, %s: f32, %less: f32, %out: !dense)
    attributes {grid = #blocks} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %i = tile.program_id y
  %j = tile.program_id x
  %m = arith.muli %i, %c16 : index
  %n = arith.muli %j, %c32 : index
  %t = tile.load %x[%m, %n] : !any -> !tile.tile<16x32xf32>
  %lesses = tile.fill %less : !tile.tile<16x32xf32>
  %factors = tile.fill %s : !tile.tile<16x32xf32>
  %u = arith.subf %t, %lesses : !tile.tile<16x32xf32>
  %v = arith.mulf %u, %factors : !tile.tile<16x32xf32>
  tile.store %v, %out[%m, %n] : !tile.tile<16x32xf32>, !dense
  tile.return
}

tile.kernel @sum(%x: !dense, %count: index, %out: memref<?xf32>)
    attributes {grid = #rows} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %row = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<1x64xf32>
  %sums = scf.for %j = %c0 to %count step %step iter_args(%acc = %zero)
      -> !tile.tile<1x64xf32> {
    %t = tile.load %x[%row, %j] : !dense -> !tile.tile<1x64xf32>
    %next = arith.addf %acc, %t : !tile.tile<1x64xf32>
    scf.yield %next : !tile.tile<1x64xf32>
  }
  %sum = tile.reduce add %sums axis 1 : !tile.tile<1x64xf32> to !tile.tile<1xf32>
  tile.store %sum, %out[%row] : !tile.tile<1xf32>, memref<?xf32>
  tile.return
}

func.func @main(%x: memref<?x?xf32>, %s: f32, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %one = arith.constant 1.0 : f32
  %scaled = memref.alloc(%m, %n) : memref<?x?xf32>
  %view = memref.cast %x : memref<?x?xf32> to !any
  tile.launch @scale(%view, %s, %one, %scaled) : !any, f32, f32, !dense
  tile.launch @sum(%scaled, %n, %out) : !dense, index, memref<?xf32>
  memref.dealloc %scaled : memref<?x?xf32>
  return
}

// Computes the rows from %first on, with an explicit grid.
func.func @last_rows(%x: memref<?x?xf32>, %first: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %rows = arith.subi %m, %first : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %scaled = memref.alloc(%rows, %n) : memref<?x?xf32>
  %view = memref.subview %x[%first, 0] [%rows, %n] [1, 1]
      : memref<?x?xf32> to !any
  %gx = affine.apply affine_map<(n) -> (n ceildiv 32)>(%n)
  %gy = arith.ceildivsi %rows, %c16 : index
  tile.launch @scale grid(%gx, %gy) (%view, %half, %one, %scaled)
      : !any, f32, f32, !dense
  tile.launch @sum(%scaled, %n, %out) : !dense, index, memref<?xf32>
  return
}
