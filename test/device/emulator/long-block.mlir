// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulator compiles hundreds of accesses in a row, each with a call, without the
// instruction scheduler that would take half a minute for them.
// RUN: timeout 20 tile-fuzz %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly
tile.kernel @f(%x: memref<?x?x?x?xi1, strided<[?, ?, ?, 1]>>, %n: index, %y: memref<?x?x?x?xi1, strided<[1, ?, ?, ?]>>) attributes {block = 128 : i64, grid = #tile.grid<affine_map<() -> (1, 1, 1)> of []>} {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %v = tile.load %x[%z, %z, %z, %z] : memref<?x?x?x?xi1, strided<[?, ?, ?, 1]>> -> !tile.tile<64x12x2x1xi1>
  %w = tile.convert_layout %v : !tile.tile<64x12x2x1xi1> to !tile.tile<64x12x2x1xi1, #tile.register<((1,2,2,1,8),(1,4,1,1,1),(1,1,6,64)):((1,1,48,6144,0),(1,2,96,6144,0),(1,1,8,96)), box = [64,12,8,1]>>
  %c = arith.constant dense<true> : !tile.tile<64xi1>
  %c2 = tile.load %x[%z, %z, %z, %n] : memref<?x?x?x?xi1, strided<[?, ?, ?, 1]>> -> !tile.tile<1x1x1x64xi1>
  tile.store %c2, %y[%z, %z, %z, %z] : !tile.tile<1x1x1x64xi1>, memref<?x?x?x?xi1, strided<[1, ?, ?, ?]>>
  tile.store %w, %y[%z, %z, %z, %z] : !tile.tile<64x12x2x1xi1, #tile.register<((1,2,2,1,8),(1,4,1,1,1),(1,1,6,64)):((1,1,48,6144,0),(1,2,96,6144,0),(1,1,8,96)), box = [64,12,8,1]>>, memref<?x?x?x?xi1, strided<[1, ?, ?, ?]>>
  tile.return
}
