// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// Halves of a row: 16 lanes hold a row, and half of each lane's values in it are in
// each half. The parts take these values, and the joined row has all of them again.
// CHECK-LABEL: @halves_of_rows
// CHECK-NOT: #tile.shared
// CHECK-NOT: convert_layout
tile.kernel @halves_of_rows(%x: memref<64x128xf32> {tile.alignment = 16 : i64}, %y: memref<64x128xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: = tile.load {{.*}} #tile.register<((16,2),4,(4,8,2)):((4,128),256,(1,1024,64)), box = [64, 128]>
  %t = tile.load %x[%c0, %c0] : memref<64x128xf32> -> !tile.tile<64x128xf32>
  // CHECK: = tile.view {{.*}} to !tile.tile<64x64xf32, #tile.register<((16,2),4,(4,8)):((4,64),128,(1,512)), box = [64, 64]>>
  %a = tile.view %t[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  // CHECK: = tile.view
  %b = tile.view %t[%c0, %c64] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  // CHECK: = arith.negf
  %n = arith.negf %b : !tile.tile<64x64xf32>
  // CHECK: = tile.join {{.*}} to !tile.tile<64x128xf32, #tile.register<((16,2),4,(4,8,2)):((4,128),256,(1,1024,64)), box = [64, 128]>>
  %r = tile.join %n, %a axis 1 : !tile.tile<64x64xf32>, !tile.tile<64x64xf32> to !tile.tile<64x128xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %r, %y[%c0, %c0] : !tile.tile<64x128xf32>, memref<64x128xf32>
  tile.return
}

// The halves are columns of an accumulator, each of whose rows one warp holds.
// CHECK-LABEL: @halves_of_an_accumulator
tile.kernel @halves_of_an_accumulator(%x: memref<64x16xf16>, %y: memref<16x128xf16>, %z: memref<64x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %a = tile.load %x[%c0, %c0] : memref<64x16xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %y[%c0, %c0] : memref<16x128xf16> -> !tile.tile<16x128xf16>
  // CHECK: tile.matmul
  %d = tile.matmul %a, %b, %zero tiling <warps = [4, 1]> : !tile.tile<64x16xf16>, !tile.tile<16x128xf16> -> !tile.tile<64x128xf32>
  // CHECK-NOT: convert_layout
  // CHECK: = tile.view {{.*}} to !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>
  %g = tile.view %d[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %u = tile.view %d[%c0, %c64] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  // CHECK: = arith.mulf
  %h = arith.mulf %g, %u : !tile.tile<64x64xf32>
  tile.store %h, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Warps that share rows hold different columns: one conversion serves both halves.
// CHECK-LABEL: @columns_of_several_warps
tile.kernel @columns_of_several_warps(%x: memref<64x16xf16>, %y: memref<16x128xf16>, %z: memref<64x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %a = tile.load %x[%c0, %c0] : memref<64x16xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %y[%c0, %c0] : memref<16x128xf16> -> !tile.tile<16x128xf16>
  // CHECK: %[[SUM:.*]] = tile.matmul
  %d = tile.matmul %a, %b, %zero tiling <warps = [1, 4]> : !tile.tile<64x16xf16>, !tile.tile<16x128xf16> -> !tile.tile<64x128xf32>
  // CHECK-NEXT: %[[SHARED:.*]] = tile.convert_layout %[[SUM]] {{.*}} to !tile.tile<64x128xf32, #tile.shared
  // CHECK-NEXT: tile.view %[[SHARED]]
  %g = tile.view %d[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  // CHECK-NEXT: tile.view %[[SHARED]]
  %u = tile.view %d[%c0, %c64] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %h = arith.mulf %g, %u : !tile.tile<64x64xf32>
  tile.store %h, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// The parts have several extents. All but the last end where the layout's lanes repeat.
// CHECK-LABEL: @parts_of_several_extents
// CHECK-NOT: #tile.shared
tile.kernel @parts_of_several_extents(%x: memref<8x64xf32>, %y: memref<5x64xf32>, %z: memref<13x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %b = tile.load %y[%c0, %c0] : memref<5x64xf32> -> !tile.tile<5x64xf32>
  // CHECK: = tile.join {{.*}} to !tile.tile<13x64xf32, #tile.register<{{.*}}, box = [14, 64]>>
  %r = tile.join %a, %b axis 0 : !tile.tile<8x64xf32>, !tile.tile<5x64xf32> to !tile.tile<13x64xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %r, %z[%c0, %c0] : !tile.tile<13x64xf32>, memref<13x64xf32>
  tile.return
}

// A part that can be created in any layout is created in the layout of the first part.
// CHECK-LABEL: @constant_behind_a_part
// CHECK-NOT: #tile.shared
// CHECK-NOT: convert_layout
tile.kernel @constant_behind_a_part(%x: memref<16x64xf32>, %z: memref<32x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<16x64xf32> -> !tile.tile<16x64xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<16x64xf32>
  // CHECK: tile.join
  %r = tile.join %a, %zero axis 0 : !tile.tile<16x64xf32>, !tile.tile<16x64xf32> to !tile.tile<32x64xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %r, %z[%c0, %c0] : !tile.tile<32x64xf32>, memref<32x64xf32>
  tile.return
}

// Five rows are padded to eight, so the second part would start inside the first.
// CHECK-LABEL: @padded_parts
// CHECK: = tile.join {{.*}} to !tile.tile<10x64xf32, #tile.shared
tile.kernel @padded_parts(%x: memref<5x64xf32>, %z: memref<10x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<5x64xf32> -> !tile.tile<5x64xf32>
  %r = tile.join %a, %a axis 0 : !tile.tile<5x64xf32>, !tile.tile<5x64xf32> to !tile.tile<10x64xf32>
  tile.store %r, %z[%c0, %c0] : !tile.tile<10x64xf32>, memref<10x64xf32>
  tile.return
}

// A view that would be half padding does not get a part of the source's values.
// CHECK-LABEL: @first_of_each_row
// CHECK: = tile.view {{.*}} to !tile.tile<32x1xf32, #tile.shared
tile.kernel @first_of_each_row(%x: memref<32x64xf32>, %z: memref<32x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<32x64xf32> -> !tile.tile<32x64xf32>
  %e = math.exp %a : !tile.tile<32x64xf32>
  %v = tile.view %e[%c0, %c0] : !tile.tile<32x64xf32> to !tile.tile<32x1xf32>
  tile.store %v, %z[%c0, %c0] : !tile.tile<32x1xf32>, memref<32x1xf32>
  tile.return
}

// A tile that is already in shared memory is not written there again.
// CHECK-LABEL: @view_of_a_view
// CHECK: %[[SHARED:.*]] = tile.convert_layout {{.*}} to !tile.tile<32x64xf32, #tile.shared
// CHECK: %[[OUTER:.*]] = tile.view %[[SHARED]]
// CHECK: tile.view %[[OUTER]]{{.*}} to !tile.tile<4x4xf32, #tile.shared
tile.kernel @view_of_a_view(%x: memref<32x64xf32>, %y: memref<8x8xf32>, %z: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = tile.load %x[%c0, %c0] : memref<32x64xf32> -> !tile.tile<32x64xf32>
  %e = math.exp %a : !tile.tile<32x64xf32>
  %v = tile.view %e[%c3, %c3] : !tile.tile<32x64xf32> to !tile.tile<8x8xf32>
  %w = tile.view %v[%c3, %c3] : !tile.tile<8x8xf32> to !tile.tile<4x4xf32>
  tile.store %v, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.store %w, %z[%c0, %c0] : !tile.tile<4x4xf32>, memref<4x4xf32>
  tile.return
}

// Some rows of a tile are replaced by inserted ones.
// CHECK-LABEL: @insert_of_rows
// CHECK-NOT: #tile.shared
tile.kernel @insert_of_rows(%x: memref<32x64xf32>, %y: memref<8x64xf32>, %z: memref<32x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = tile.load %x[%c0, %c0] : memref<32x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.load %y[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  // CHECK: tile.insert
  %r = tile.insert %b into %a[%c16, %c0] : !tile.tile<8x64xf32> into !tile.tile<32x64xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %r, %z[%c0, %c0] : !tile.tile<32x64xf32>, memref<32x64xf32>
  tile.return
}

// An inserted element replaces one that the same threads hold; its layout is the same
// in another notation.
// CHECK-LABEL: @insert_of_a_number
// CHECK: tile.insert {{.*}} into !tile.tile<f16, #tile.register<(32,1,1):(0,0,0), box = []>>
tile.kernel @insert_of_a_number(%x: memref<16xf16>, %y: memref<1xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<16xf16> -> !tile.tile<16xf16>
  %s = tile.reduce add %t axis 0 : !tile.tile<16xf16> to !tile.tile<f16>
  %r = tile.insert %s into %s[] : !tile.tile<f16> into !tile.tile<f16>
  %a = math.absf %r : !tile.tile<f16>
  %b = tile.reshape %a : !tile.tile<f16> to !tile.tile<1xf16>
  tile.store %b, %y[%c0] : !tile.tile<1xf16>, memref<1xf16>
  tile.return
}
