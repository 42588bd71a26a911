// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts that ptxas compiles in less than a minute are accepted: these take 16 s and 26 s.
// RUN: tile-opt %s -split-input-file -tile-phases | FileCheck %s

// CHECK: tile.kernel @follower
tile.kernel @follower(%keys: memref<1536xi32>, %values: memref<1536xi64>)
    attributes {block = 96 : i64} {
  %zero = arith.constant 0 : index
  %k = tile.load %keys[%zero] : memref<1536xi32> -> !tile.tile<1536xi32>
  %v = tile.load %values[%zero] : memref<1536xi64> -> !tile.tile<1536xi64>
  %s:2 = tile.sort %k, %v axis 0 descending : !tile.tile<1536xi32>, !tile.tile<1536xi64>
  tile.store %s#0, %keys[%zero] : !tile.tile<1536xi32>, memref<1536xi32>
  tile.store %s#1, %values[%zero] : !tile.tile<1536xi64>, memref<1536xi64>
  tile.return
}

// -----

// CHECK: tile.kernel @followers
tile.kernel @followers(%x: memref<16x31x4xindex>, %y: memref<16x31x4xi16>,
                       %z: memref<16x31x4xf16>) attributes {block = 32 : i64} {
  %zero = arith.constant 0 : index
  %k = tile.load %x[%zero, %zero, %zero] : memref<16x31x4xindex> -> !tile.tile<16x31x4xindex>
  %a = tile.load %y[%zero, %zero, %zero] : memref<16x31x4xi16> -> !tile.tile<16x31x4xi16>
  %b = tile.load %z[%zero, %zero, %zero] : memref<16x31x4xf16> -> !tile.tile<16x31x4xf16>
  %s:3 = tile.sort %k, %a, %b axis 0 : !tile.tile<16x31x4xindex>, !tile.tile<16x31x4xi16>, !tile.tile<16x31x4xf16>
  %t:3 = tile.sort %s#0, %s#1, %s#2 axis 0 descending : !tile.tile<16x31x4xindex>, !tile.tile<16x31x4xi16>, !tile.tile<16x31x4xf16>
  tile.store %t#0, %x[%zero, %zero, %zero] : !tile.tile<16x31x4xindex>, memref<16x31x4xindex>
  tile.store %t#1, %y[%zero, %zero, %zero] : !tile.tile<16x31x4xi16>, memref<16x31x4xi16>
  tile.store %t#2, %z[%zero, %zero, %zero] : !tile.tile<16x31x4xf16>, memref<16x31x4xf16>
  tile.return
}
