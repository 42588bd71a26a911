// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -verify-diagnostics -split-input-file | FileCheck %s

#rows = #tile.register<(32,1,(2,2)):(1,0,(32,64)), box = [128]>
#turned = #tile.register<(32,1,(2,2)):(1,0,(64,32)), box = [128]>

// Elements that stay in their thread are only reordered.
// CHECK-LABEL: @reorders
tile.kernel @reorders(%x: memref<128xf32>, %y: memref<128xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = memref.load
  // CHECK: %[[B:.*]] = memref.load
  // CHECK: %[[C:.*]] = memref.load
  // CHECK: %[[D:.*]] = memref.load
  %t = tile.load %x[%c0] in_bounds : memref<128xf32> -> !tile.tile<128xf32, #rows>
  %u = tile.convert_layout %t : !tile.tile<128xf32, #rows> to !tile.tile<128xf32, #turned>
  // CHECK: memref.store %[[A]],
  // CHECK: memref.store %[[C]],
  // CHECK: memref.store %[[B]],
  // CHECK: memref.store %[[D]],
  tile.store %u, %y[%c0] in_bounds : !tile.tile<128xf32, #turned>, memref<128xf32>
  tile.return
}

// Elements of other lanes are shuffled: those of lane i come from lanes 4 i to 4 i + 3,
// modulo 32, each as one of four values.
// CHECK-LABEL: @shuffles
#vectors = #tile.register<(32,1,4):(4,0,1), box = [128]>
tile.kernel @shuffles(%x: memref<128xf32>, %y: memref<128xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] in_bounds : memref<128xf32> -> !tile.tile<128xf32, #rows>
  // CHECK-COUNT-16: gpu.shuffle idx
  // CHECK-NOT: gpu.shuffle
  %u = tile.convert_layout %t : !tile.tile<128xf32, #rows> to !tile.tile<128xf32, #vectors>
  tile.store %u, %y[%c0] in_bounds : !tile.tile<128xf32, #vectors>, memref<128xf32>
  tile.return
}

// -----

#rows = #tile.register<(32,1,8):(1,0,32), box = [256]>
#vectors = #tile.register<(32,1,8):(8,0,1), box = [256]>

// Elements that would need too many shuffles go through a buffer, which phase 6 creates.
tile.kernel @moves(%x: memref<256xf32>, %y: memref<256xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] in_bounds : memref<256xf32> -> !tile.tile<256xf32, #rows>
  // expected-error @below {{'tile.convert_layout' op expected elements that stay in their threads, or are cheap to shuffle (run -tile-bufferize before)}}
  %u = tile.convert_layout %t : !tile.tile<256xf32, #rows> to !tile.tile<256xf32, #vectors>
  tile.store %u, %y[%c0] in_bounds : !tile.tile<256xf32, #vectors>, memref<256xf32>
  tile.return
}
