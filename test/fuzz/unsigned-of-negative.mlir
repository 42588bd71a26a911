// Numbers that are extended as signed ones and converted as unsigned ones: LLVM's
// vectoriser of straight code loses the upper half of those that are negative.
// RUN: tile-fuzz --seed=1 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
tile.kernel @f(%in: memref<?xi8>, %out: memref<16xf32>) attributes {grid = #tile.grid<affine_map<() -> (1, 1, 1)> of []>} {
  %zero = arith.constant 0 : index
  %minus = arith.constant -1 : i8
  %x = tile.load %in[%zero] pad %minus : memref<?xi8> -> !tile.tile<7xi8>
  %wide = tile.cast %x : !tile.tile<7xi8> to !tile.tile<7xi64>
  %y = tile.cast %wide unsigned : !tile.tile<7xi64> to !tile.tile<7xf32>
  tile.store %y, %out[%zero] : !tile.tile<7xf32>, memref<16xf32>
  tile.return
}
