// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// The matmul's layout is the one that a factorization requires, in another notation:
// source and result of the factorization have the same notation.
// CHECK-LABEL: @one_notation
tile.kernel @one_notation(%x: memref<18x6xf32>, %h: memref<18x18xf32>, %y: memref<18x18xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x6xf32> -> !tile.tile<18x6xf32>
  %b = tile.transpose %a [1, 0] : !tile.tile<18x6xf32> to !tile.tile<6x18xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<18x18xf32>
  // CHECK: %[[D:.*]] = tile.matmul {{.*}} -> !tile.tile<18x18xf32, [[LAYOUT:#tile.register<.*>]]>{{$}}
  %d = tile.matmul %a, %b, %zero tiling <warps = [1, 1], sub = [3, 3], thread = [1, 2]>
      : !tile.tile<18x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<18x18xf32>
  tile.store %d, %h[%c0, %c0] : !tile.tile<18x18xf32>, memref<18x18xf32>
  // CHECK: %{{.*}} = tile.cholesky %[[D]] : !tile.tile<18x18xf32, [[LAYOUT]]>
  %l = tile.cholesky %d : !tile.tile<18x18xf32>
  tile.store %l, %y[%c0, %c0] : !tile.tile<18x18xf32>, memref<18x18xf32>
  tile.return
}
