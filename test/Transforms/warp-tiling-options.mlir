// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{warps=2,4 sub=1,2 thread=4,2 stages=3 vector=4}))' | FileCheck %s
// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{atom=fma operands=global vector=1}))' | FileCheck %s --check-prefix=GLOBAL
// RUN: not tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{warps=2}))' 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{warps=2,two}))' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{warp=2,2}))' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling{operands=local}))' 2>&1 | FileCheck %s --check-prefix=PLACE

// PAIR: warp-tiling-options.mlir:[[# @LINE + 16]]:{{[0-9]+}}: error: 'tile.matmul' op expected 'warps' to be two or three numbers from 1 to 65536, got [2]
// NUMBER: 'two' value invalid for long argument
// NAME: no such option warp
// PLACE: Cannot find option named 'local'

// The options apply to parameters that the matmul does not specify.
// CHECK-LABEL: tile.kernel @says_nothing(
// CHECK-SAME:    attributes {block = 256 : i64, {{.*}}tile.exact_accesses}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 4], sub = [1, 2], thread = [4, 2], atom = #tile.fma, vector = 4, stages = 3> :
// GLOBAL-LABEL: tile.kernel @says_nothing(
// GLOBAL:         tile.matmul {{.*}} atom = #tile.fma, operands = global, vector = 1> :
tile.kernel @says_nothing(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// Parameters that the matmul specifies are kept.
// CHECK-LABEL: tile.kernel @says_all(
// CHECK:         tile.matmul {{.*}} tiling <warps = [4, 2], sub = [2, 1], thread = [1, 8], atom = #tile.fma, vector = 2, stages = 1> :
tile.kernel @says_all(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c tiling <warps = [4, 2], sub = [2, 1], thread = [1, 8], vector = 2, stages = 1> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}
