// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

module attributes {tile.target = "sm_80"} {
// Elements are read at their indices. The layout is larger than the tile: its padding
// reads the first element.
// CHECK-LABEL: tile.kernel @take
// CHECK: %[[INDEX:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %[[INDEX]], %{{.*}} : index
// CHECK: memref.load %{{.*}}[%[[AT]]] : memref<36xf32, #gpu.address_space<workgroup>>
tile.kernel @take(%x: memref<33xf32>, %i: memref<20xi32>, %y: memref<20xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<33xf32> -> !tile.tile<33xf32>
  %n = tile.load %i[%c0] : memref<20xi32> -> !tile.tile<20xi32>
  %u = tile.take %t at %n axis 0 : !tile.tile<33xf32>, !tile.tile<20xi32> to !tile.tile<20xf32>
  tile.store %u, %y[%c0] : !tile.tile<20xf32>, memref<20xf32>
  tile.return
}

// Mask and index are tested before a put; with a combining kind, the put is an atomic.
// CHECK-LABEL: tile.kernel @put
// CHECK: scf.if
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, i32
tile.kernel @put(%x: memref<64xi32>, %i: memref<64xi32>, %m: memref<64xi1>, %y: memref<10xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %n = tile.load %i[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %mask = tile.load %m[%c0] : memref<64xi1> -> !tile.tile<64xi1>
  %zeros = arith.constant dense<0> : !tile.tile<10xi32>
  %u = tile.put add %t into %zeros at %n axis 0 mask %mask : !tile.tile<64xi1> : !tile.tile<64xi32>, !tile.tile<64xi32> into !tile.tile<10xi32>
  tile.store %u, %y[%c0] : !tile.tile<10xi32>, memref<10xi32>
  tile.return
}
}
