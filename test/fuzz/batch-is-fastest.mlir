// Elements that are contiguous only along the batch are not a thread's vector.
// RUN: tile-fuzz --seed=508938 %s | FileCheck %s --check-prefix=RIGHT
// RIGHT: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
// RUN: tile-opt %s -tile-phases | FileCheck %s
// CHECK: tile.matmul {{.*}} memref<7x16x1xf32, strided<[1, 7, 112]>
module attributes {tile.target = "sm_80"} {
tile.kernel @f(%a: memref<?x?x1xf32, strided<[1, ?, ?]>>, %out: memref<7x33x1xf32>, %part: memref<1x8x6xf32>) {
  %zero = arith.constant 0 : index
  %x = arith.constant dense<3.0> : !tile.tile<33x16xf32>
  %t = tile.load %a[%zero, %zero, %zero] : memref<?x?x1xf32, strided<[1, ?, ?]>> -> !tile.tile<1x16x7xf32>
  %y = tile.transpose %t [2, 1, 0] : !tile.tile<1x16x7xf32> to !tile.tile<7x16x1xf32>
  %z = arith.constant dense<0.0> : !tile.tile<7x33x1xf32>
  %d = tile.matmul %x, %y, %z tiling <atom = "fma"> : !tile.tile<33x16xf32>, !tile.tile<7x16x1xf32> -> !tile.tile<7x33x1xf32>
  %eight = arith.constant 8 : index
  %p = tile.view %t[%zero, %eight, %zero] : !tile.tile<1x16x7xf32> to !tile.tile<1x8x6xf32>
  %program = tile.program_id x
  %first = arith.muli %program, %eight : index
  tile.store %d, %out[%first, %zero, %zero] : !tile.tile<7x33x1xf32>, memref<7x33x1xf32>
  tile.store %p, %part[%first, %zero, %zero] : !tile.tile<1x8x6xf32>, memref<1x8x6xf32>
  tile.return
}
}
