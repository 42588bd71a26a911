// RUN: tile-opt %s -tile-bufferize | FileCheck %s

#rows = #tile.shared<(40):(1)>
#few = #tile.shared<(8):(1)>
#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>
#eight = #tile.register<((8,4),1,1):((1,0),0,0), box = [8]>

// tile.take reads elements from the buffer at the indices.
// CHECK-LABEL: @take
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK: tile.take %[[BUFFER]] at %{{.*}} axis 0 : memref<40xf32, {{.*}}>, !tile.tile<32xi32
tile.kernel @take(%x: memref<40xf32>, %i: memref<32xi32>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<40xf32> -> !tile.tile<40xf32, #rows>
  %n = tile.load %i[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.take %t at %n axis 0 : !tile.tile<40xf32, #rows>, !tile.tile<32xi32, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// tile.put changes the buffer of a tile that is not read afterwards, ...
// CHECK-LABEL: @put_in_place
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK: tile_gpu.store_shared %{{.*}}, %[[BUFFER]]
// CHECK-NOT: memref.alloc
// CHECK: tile_gpu.put_shared add %{{.*}} into %[[BUFFER]] at %{{.*}} axis 0
// CHECK: tile_gpu.load_shared %[[BUFFER]]
tile.kernel @put_in_place(%i: memref<32xi32>, %y: memref<8xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %zeros = arith.constant dense<0> : !tile.tile<8xi32, #eight>
  %t = tile.convert_layout %zeros : !tile.tile<8xi32, #eight> to !tile.tile<8xi32, #few>
  %p = tile.put add %n into %t at %n axis 0 : !tile.tile<32xi32, #lanes>, !tile.tile<32xi32, #lanes> into !tile.tile<8xi32, #few>
  %r = tile.convert_layout %p : !tile.tile<8xi32, #few> to !tile.tile<8xi32, #eight>
  tile.store %r, %y[%c0] : !tile.tile<8xi32, #eight>, memref<8xi32>
  tile.return
}

// ... and otherwise a copy of the buffer.
// CHECK-LABEL: @put_into_a_copy
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: tile_gpu.put_shared %{{.*}} into %[[COPY]] at
// CHECK: tile_gpu.load_shared %[[COPY]]
// CHECK: tile_gpu.load_shared %[[BUFFER]]
tile.kernel @put_into_a_copy(%i: memref<32xi32>, %x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %t = tile.load %x[%c0] : memref<8xi32> -> !tile.tile<8xi32, #few>
  %p = tile.put %n into %t at %n axis 0 : !tile.tile<32xi32, #lanes>, !tile.tile<32xi32, #lanes> into !tile.tile<8xi32, #few>
  %r = tile.convert_layout %p : !tile.tile<8xi32, #few> to !tile.tile<8xi32, #eight>
  tile.store %r, %y[%c0] : !tile.tile<8xi32, #eight>, memref<8xi32>
  %s = tile.convert_layout %t : !tile.tile<8xi32, #few> to !tile.tile<8xi32, #eight>
  tile.store %s, %z[%c0] : !tile.tile<8xi32, #eight>, memref<8xi32>
  tile.return
}
