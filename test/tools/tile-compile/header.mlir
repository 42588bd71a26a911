// A header compiles as C11 and C++17, and launches the kernel: with the program's
// grid, by the entry point whose conditions the pointers and strides fulfil.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-compile %s -o %t/launch.h --emit=header --arch=sm_80
// RUN: cc -std=c11 -Wall -Wextra -Werror -I%t -I%S/Inputs %S/Inputs/launch.c -o %t/c11
// RUN: %t/c11 | FileCheck %s
// RUN: c++ -std=c++17 -Wall -Wextra -Werror -I%t -I%S/Inputs -x c++ %S/Inputs/launch.c -o %t/cxx17
// RUN: %t/cxx17 | FileCheck %s
// REQUIRES: nvptx, ptxas

// CHECK: double_rows grid 3 13 1 block 128 1 1 shared 0 parameters 8 first 1000
// CHECK-NEXT: double_rows__general grid 3 13 1 block 128 1 1 shared 0 parameters 8 first 1004
// CHECK-NEXT: double_rows__general grid 3 13 1 block 128 1 1 shared 0 parameters 8 first 1000
// CHECK-NEXT: fill grid 7 2 1 block 64 1 1 shared 0 parameters 2 first 3fc00000
// CHECK-NOT: {{.}}

tile.kernel @double_rows(%x: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>)
    attributes {block = 128 : i64,
                grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 8)>
                                  of [[0, 0], [0, 1]]>} {
  %column = tile.program_id x
  %row = tile.program_id y
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %i = arith.muli %row, %c8 : index
  %j = arith.muli %column, %c128 : index
  %t = tile.load %x[%i, %j] : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<8x128xf32>
  %u = arith.addf %t, %t : !tile.tile<8x128xf32>
  tile.store %u, %y[%i, %j] : !tile.tile<8x128xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}

tile.kernel @fill(%float: f32, %out: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %float : !tile.tile<64xf32>
  tile.store %t, %out[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
