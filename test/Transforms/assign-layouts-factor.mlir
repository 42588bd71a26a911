// RUN: tile-opt %s -tile-phases | FileCheck %s

// Up to 8 rows, each lane has a row. The matrices of a batch are distributed over the
// remaining lanes, then over warps. Arrays are loaded in this layout.
// CHECK-LABEL: tile.kernel @lane_a_row(
// CHECK-SAME:    block = 64 : i64
// CHECK-SAME:    tile.shared_bytes = 0
// CHECK:         tile.load {{.*}}vector = 4, {{.*}} -> !tile.tile<8x8x8xf32, #tile.register<((8,4),2,(4,2)):((8,64),256,(1,4)), box = [8, 8, 8]>>
// CHECK-NEXT:    tile.cholesky
// CHECK:         tile.store {{.*}}vector = 4,
tile.kernel @lane_a_row(%a: memref<8x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<8x8x8xf32> -> !tile.tile<8x8x8xf32>
  %l = tile.cholesky %x : !tile.tile<8x8x8xf32>
  tile.store %l, %a[%c0, %c0, %c0] : !tile.tile<8x8x8xf32>, memref<8x8x8xf32>
  tile.return
}

// Up to 16 rows, four by four lanes hold a matrix.
// CHECK-LABEL: tile.kernel @half_warp(
// CHECK-SAME:    block = 64 : i64
// CHECK-SAME:    tile.shared_bytes = 0
// CHECK:         tile.load {{.*}}vector = 2, {{.*}} -> !tile.tile<4x16x16xf32, #tile.register<((4,4,2),2,(2,2,2,2)):((2,32,256),512,(1,8,16,128)), box = [4, 16, 16]>>
// CHECK-NEXT:    tile.cholesky
// CHECK:         tile.store {{.*}}vector = 2,
tile.kernel @half_warp(%a: memref<4x16x16xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<4x16x16xf32> -> !tile.tile<4x16x16xf32>
  %l = tile.cholesky %x : !tile.tile<4x16x16xf32>
  tile.store %l, %a[%c0, %c0, %c0] : !tile.tile<4x16x16xf32>, memref<4x16x16xf32>
  tile.return
}

// Above 16 rows, eight lanes along the rows and four along the columns hold a matrix. A
// row of 18 f32 is loaded in vectors of two. Every lane has the status.
// CHECK-LABEL: tile.kernel @warp(
// CHECK-SAME:    tile.shared_bytes = 0
// CHECK:         tile.load {{.*}}vector = 2,
// CHECK-NEXT:    tile.cholesky {{.*}} : !tile.tile<18x18xf32, #tile.register<((4,2,4),1,(2,3,3)):((2,24,48),0,(1,8,192)), box = [24, 24]>> status !tile.tile<i32, #tile.register<((4,2,4),1,1):((0,0,0),0,0), box = []>>
tile.kernel @warp(%a: memref<18x18xf32>, %s: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %l, %i = tile.cholesky %x : !tile.tile<18x18xf32> status !tile.tile<i32>
  tile.store %l, %a[%c0, %c0] : !tile.tile<18x18xf32>, memref<18x18xf32>
  %n = tile.reshape %i : !tile.tile<i32> to !tile.tile<1xi32>
  tile.store %n, %s[%c0] : !tile.tile<1xi32>, memref<1xi32>
  tile.return
}

// Rows of right-hand sides are in the lanes of the triangle's rows.
// CHECK-LABEL: tile.kernel @sides(
// CHECK-SAME:    tile.shared_bytes = 0
// CHECK:         tile.triangular_solve {{.*}} : !tile.tile<20x20xf64, #tile.register<((4,2,4),1,(2,3,3)):((2,24,48),0,(1,8,192)), box = [24, 24]>>, !tile.tile<20x3xf64, #tile.register<((4,2,4),1,3):((1,4,8),0,32), box = [24, 4]>>
tile.kernel @sides(%a: memref<20x20xf64>, %b: memref<20x3xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<20x20xf64> -> !tile.tile<20x20xf64>
  %x = tile.load %b[%c0, %c0] : memref<20x3xf64> -> !tile.tile<20x3xf64>
  %y = tile.triangular_solve %t, %x : !tile.tile<20x20xf64>, !tile.tile<20x3xf64>
  tile.store %y, %b[%c0, %c0] : !tile.tile<20x3xf64>, memref<20x3xf64>
  tile.return
}

// With many right-hand sides, a lane has whole ones. The lanes read the triangle from a
// buffer, which also has two rows for the reciprocals of its diagonal.
// CHECK-LABEL: tile.kernel @whole_sides(
// CHECK:         tile.triangular_solve {{.*}} transposed scratch {{.*}} of memref<1x27x28xf32, {{.*}} : !tile.tile<20x20xf32, {{.*}}>, !tile.tile<20x37xf32, #tile.register<(32,1,(20,2)):(1,0,(64,32)), box = [20, 64]>>
tile.kernel @whole_sides(%a: memref<20x20xf32>, %b: memref<20x37xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<20x20xf32> -> !tile.tile<20x20xf32>
  %x = tile.load %b[%c0, %c0] : memref<20x37xf32> -> !tile.tile<20x37xf32>
  %y = tile.triangular_solve %t, %x transposed : !tile.tile<20x20xf32>, !tile.tile<20x37xf32>
  tile.store %y, %b[%c0, %c0] : !tile.tile<20x37xf32>, memref<20x37xf32>
  tile.return
}

// A matmul alone would have two warps. A second warp would repeat the factorisation, which
// takes most of the time.
// CHECK-LABEL: tile.kernel @factor_and_matmul(
// CHECK-SAME:    block = 32
tile.kernel @factor_and_matmul(%a: memref<32x32xf32>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %x = tile.load %a[%c0, %c0] : memref<32x32xf32> -> !tile.tile<32x32xf32>
  %y = tile.load %b[%c0, %c0] : memref<32x32xf32> -> !tile.tile<32x32xf32>
  %l = tile.cholesky %x : !tile.tile<32x32xf32>
  %z = tile.matmul %l, %y, %zero : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<32x32xf32>
  tile.store %z, %b[%c0, %c0] : !tile.tile<32x32xf32>, memref<32x32xf32>
  tile.return
}

// A matrix gets as few lanes as fill a warp together with the other matrices, here
// eight lanes of two rows each. An index of a permutation is in the lane of its row.
// The determinant is computed from the factors in place. Lanes exchange rows in a
// buffer of 4 x 17 x 20 elements.
// CHECK-LABEL: tile.kernel @determinant(
// CHECK-SAME:    tile.shared_bytes = 5440
// CHECK:         tile.lu {{.*}} unordered scratch {{.*}} of memref<4x17x20xf32, {{.*}} : !tile.tile<4x16x16xf32, #tile.register<((8,4),1,(16,2)):((16,256),0,(1,128)), box = [4, 16, 16]>>, !tile.tile<4x16xi32, #tile.register<((8,4),1,2):((1,16),0,8), box = [4, 16]>>
// CHECK-NOT:     tile.take
tile.kernel @determinant(%a: memref<4x16x16xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<4x16x16xf32> -> !tile.tile<4x16x16xf32>
  %d = tile.determinant %x : !tile.tile<4x16x16xf32> to !tile.tile<4xf32>
  tile.store %d, %b[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}

// Above 32 rows a lane has two rows. Right-hand sides are in the same lanes.
// CHECK-LABEL: tile.kernel @solve(
// CHECK:         tile.solve {{.*}} scratch {{.*}} of memref<1x41x44xf32, {{.*}} : !tile.tile<40x40xf32, #tile.register<(32,1,(40,2)):(40,0,(1,1280)), box = [64, 40]>>, !tile.tile<40x1xf32, #tile.register<(32,1,2):(1,0,32), box = [64, 1]>>
tile.kernel @solve(%a: memref<40x40xf32>, %b: memref<40x1xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<40x40xf32> -> !tile.tile<40x40xf32>
  %y = tile.load %b[%c0, %c0] : memref<40x1xf32> -> !tile.tile<40x1xf32>
  %r = tile.solve %x, %y : !tile.tile<40x40xf32>, !tile.tile<40x1xf32>
  tile.store %r, %b[%c0, %c0] : !tile.tile<40x1xf32>, memref<40x1xf32>
  tile.return
}

// Many small matrices: each is held by one lane, and lanes exchange nothing.
// CHECK-LABEL: tile.kernel @whole(
// CHECK-NOT:     scratch
// CHECK:         tile.inverse {{.*}} : !tile.tile<64x4x4xf32, #tile.register<(32,2,(4,4)):(16,512,(1,4)), box = [64, 4, 4]>>
// CHECK-NOT:     scratch
// CHECK:         tile.return
tile.kernel @whole(%a: memref<64x4x4xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<64x4x4xf32> -> !tile.tile<64x4x4xf32>
  %r = tile.inverse %x : !tile.tile<64x4x4xf32>
  tile.store %r, %a[%c0, %c0, %c0] : !tile.tile<64x4x4xf32>, memref<64x4x4xf32>
  tile.return
}

// Q and R are computed in the layout of the reflections, without a conversion
// through shared memory.
// CHECK-LABEL: tile.kernel @reflections(
// CHECK-SAME:    tile.shared_bytes = 0
// CHECK:         tile.householder
// CHECK:         tile.apply_householder
tile.kernel @reflections(%a: memref<4x18x18xf32>, %b: memref<4x18x18xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<4x18x18xf32> -> !tile.tile<4x18x18xf32>
  %q, %r = tile.qr %x : !tile.tile<4x18x18xf32> to !tile.tile<4x18x18xf32>, !tile.tile<4x18x18xf32>
  tile.store %q, %a[%c0, %c0, %c0] : !tile.tile<4x18x18xf32>, memref<4x18x18xf32>
  tile.store %r, %b[%c0, %c0, %c0] : !tile.tile<4x18x18xf32>, memref<4x18x18xf32>
  tile.return
}

// A matrix has more rows than a warp's registers hold: a thread has one row, and a
// matrix is in adjacent warps. An array is loaded through shared memory.
// CHECK-LABEL: tile.kernel @row_a_thread(
// CHECK-SAME:    block = 256 : i64
// CHECK:         tile.lu {{.*}} scratch {{.*}} of memref<2x129x132xf32, {{.*}} : !tile.tile<2x128x128xf32, #tile.register<(32,(4,2),128):(128,(4096,16384),1), box = [2, 128, 128]>>, !tile.tile<2x128xi32, #tile.register<(32,(4,2),1):(1,(32,128),0), box = [2, 128]>>
tile.kernel @row_a_thread(%a: memref<2x128x128xf32>, %b: memref<2x128xi32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x128x128xf32> -> !tile.tile<2x128x128xf32>
  %f, %p = tile.lu %x : !tile.tile<2x128x128xf32>, !tile.tile<2x128xi32>
  tile.store %f, %a[%c0, %c0, %c0] : !tile.tile<2x128x128xf32>, memref<2x128x128xf32>
  tile.store %p, %b[%c0, %c0] : !tile.tile<2x128xi32>, memref<2x128xi32>
  tile.return
}
