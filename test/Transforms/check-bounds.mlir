// RUN: tile-opt %s -tile-check-bounds | FileCheck %s

#dense = #tile.shared<(8,16):(16,1)>

// CHECK-LABEL: tile.kernel @view(
tile.kernel @view(%x: memref<1xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !tile.tile<8x16xf32>
  // CHECK: %[[LOW:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
  // CHECK: %[[LAST:.*]] = arith.constant 6 : index
  // CHECK: %[[HIGH:.*]] = arith.cmpi sle, %{{.*}}, %[[LAST]] : index
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]] : i1
  // CHECK: tile.assert %[[INSIDE]], "expected offsets of a box of 2x16 in a tile of 8x16" : i1
  // CHECK: tile.view
  %v = tile.view %t[%i, %c0] : !tile.tile<8x16xf32> to !tile.tile<2x16xf32>
  // A constant index needs no check: the verifier has checked it.
  // CHECK-NOT: tile.assert
  // CHECK: tile.view
  %w = tile.view %t[%c0, %c0] : !tile.tile<8x16xf32> to !tile.tile<2x16xf32>
  tile.return
}

// The last element of a box with steps is tested, and the first one if a step is negative.
// CHECK-LABEL: tile.kernel @steps(
tile.kernel @steps(%x: memref<1xf32>, %i: index, %j: index) {
  %t = arith.constant dense<0.0> : !tile.tile<3x8x16xf32>
  // CHECK: %[[FIRST:.*]] = arith.constant 7 : index
  // CHECK: arith.cmpi sge, %[[I:.*]], %[[FIRST]] : index
  // CHECK: %[[TOP:.*]] = arith.constant 7 : index
  // CHECK: arith.cmpi sle, %[[I]], %[[TOP]] : index
  // CHECK: %[[LAST:.*]] = arith.constant 3 : index
  // CHECK: arith.cmpi sle, %[[J:.*]], %[[LAST]] : index
  // CHECK: tile.assert %{{.*}}, "expected offsets of a box of 1x8x5 in steps of 1x-1x3 in a tile of 3x8x16" : i1
  // CHECK: tile.view
  %c2 = arith.constant 2 : index
  %v = tile.view %t[%c2, %i, %j] steps [1, -1, 3] : !tile.tile<3x8x16xf32> to !tile.tile<8x5xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @extract(
tile.kernel @extract(%x: memref<1xf32>, %i: index) {
  %t = arith.constant dense<0.0> : !tile.tile<8x16xf32>
  // CHECK: tile.assert %{{.*}}, "expected offsets of a box of 1x1 in a tile of 8x16" : i1
  // CHECK-NEXT: tile.extract
  %e = tile.extract %t[%i, %i] : !tile.tile<8x16xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @insert(
tile.kernel @insert(%x: memref<1xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<0.0> : !tile.tile<8x16xf32>
  %p = arith.constant dense<1.0> : !tile.tile<1x16xf32>
  // CHECK: tile.assert %{{.*}}, "expected offsets of a box of 1x16 in a tile of 8x16" : i1
  // CHECK-NEXT: tile.insert
  %v = tile.insert %p into %t[%i, %c0] : !tile.tile<1x16xf32> into !tile.tile<8x16xf32>
  tile.return
}

// An index of i8 cannot exceed 300, one of i32 can.
// CHECK-LABEL: tile.kernel @take(
tile.kernel @take(%x: memref<1xf32>) {
  %t = arith.constant dense<0.0> : !tile.tile<301xf32>
  // CHECK: %[[NARROW:.*]] = arith.constant dense<5> : !tile.tile<4xi8>
  %i = arith.constant dense<5> : !tile.tile<4xi8>
  %j = arith.constant dense<5> : !tile.tile<4xi32>
  // CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[NARROW]], %{{.*}} : !tile.tile<4xi8>
  // CHECK: tile.assert %[[LOW]], "expected indices from 0 to 300 along axis 0" : !tile.tile<4xi1>
  %v = tile.take %t at %i axis 0 : !tile.tile<301xf32>, !tile.tile<4xi8> to !tile.tile<4xf32>
  // CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : !tile.tile<4xi32>
  // CHECK: tile.assert
  %w = tile.take %t at %j axis 0 : !tile.tile<301xf32>, !tile.tile<4xi32> to !tile.tile<4xf32>
  tile.return
}

// After phase 8, views are memref.subview of buffers, and are checked, too.
// CHECK-LABEL: tile.kernel @buffer(
tile.kernel @buffer(%x: memref<1xf32>, %i: index) attributes {block = 32 : i64} {
  %b = memref.alloc() : memref<8x16xf32, #dense>
  // CHECK: tile.assert %{{.*}}, "expected offsets of a box of 1x1 in a tile of 8x16" : i1
  // CHECK-NEXT: memref.subview
  %v = memref.subview %b[%i, 0] [1, 1] [1, 1] : memref<8x16xf32, #dense> to memref<1x1xf32, strided<[16, 1], offset: ?>, #dense>
  tile.return
}
