// RUN: tile-opt %s -convert-tile-to-nvgpu | FileCheck %s

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>
#row = #tile.shared<(128):(1)>

// The lowering follows a plan whose accesses are narrower than possible.
// CHECK-LABEL: @narrower
tile.kernel @narrower(%x: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<128xf32, #row>
  // CHECK-COUNT-2: vector.load {{.*}} {alignment = 8 : i64} {{.*}} vector<2xf32>
  %t = tile.load %x[%c0] in_bounds {tile.access = #tile.access<vector = 2, kind = vector, guard = none>} : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK-COUNT-4: memref.store {{.*}} #gpu.address_space<workgroup>
  tile_gpu.store_shared %t, %a {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<128xf32, #v4>, memref<128xf32, #row>
  // CHECK: tile.return
  tile.return
}

// The lowering also follows a plan with more bounds tests than necessary.
// CHECK-LABEL: @guarded
tile.kernel @guarded(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: vector.load
  // CHECK: vector.maskedload
  %t = tile.load %x[%c0] {tile.access = #tile.access<vector = 4, kind = vector, guard = element>} : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK-NOT: vector.store
  // CHECK: vector.maskedstore
  tile.store %t, %y[%c0] in_bounds {tile.access = #tile.access<vector = 4, kind = vector, guard = element>} : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: tile.return
  tile.return
}
