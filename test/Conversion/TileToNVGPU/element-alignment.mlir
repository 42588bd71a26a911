// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// An element of 64 bits is aligned to its size, so it is one access.
// CHECK-LABEL: llvm.func @take
// CHECK: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> i64
// CHECK: llvm.return
module attributes {tile.target = "sm_80"} {
tile.kernel @take(%x: memref<64xi64>, %i: memref<64xi32>, %y: memref<64xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xi64> -> !tile.tile<64xi64>
  %n = tile.load %i[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %u = tile.take %t at %n axis 0 : !tile.tile<64xi64>, !tile.tile<64xi32> to !tile.tile<64xi64>
  tile.store %u, %y[%c0] : !tile.tile<64xi64>, memref<64xi64>
  tile.return
}
}
