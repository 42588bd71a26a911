// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

// An operation of another dialect gets single elements, in the order of the layout's
// values, and its code computes single elements of the result.
!rows = !tile.tile<2x32xi32, #tile.register<(32,1,2):(1,0,32), box = [2, 32]>>
// CHECK-LABEL: tile.kernel @butterfly
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle xor %[[X:.*]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[SECOND:.*]], %{{.*}} = gpu.shuffle xor %[[Y:.*]], %{{.*}}, %{{.*}} : i32
// CHECK: arith.subi %[[FIRST]], %[[X]] : i32
// CHECK: arith.subi %[[SECOND]], %[[Y]] : i32
tile.kernel @butterfly(%a: memref<2x32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<2x32xi32> -> !rows
  %y = example.butterfly %x mask 3 : !rows to !rows
  %z = arith.subi %y, %x : !rows
  tile.store %z, %a[%c0, %c0] : !rows, memref<2x32xi32>
  tile.return
}

// Elements of 16 bits are unpacked for this code, and their results are packed again.
!halves = !tile.tile<64xf16, #tile.register<(32,1,2):(2,0,1), box = [64]>>
// CHECK-LABEL: tile.kernel @mean
// CHECK: %[[A0:.*]] = vector.extract %[[A:.*]][0] : f16 from vector<2xf16>
// CHECK: %[[A1:.*]] = vector.extract %[[A]][1] : f16 from vector<2xf16>
// CHECK: arith.addf %[[A0]], %{{.*}} : f16
// CHECK: arith.addf %[[A1]], %{{.*}} : f16
// CHECK: vector.from_elements {{.*}} : vector<2xf16>
tile.kernel @mean(%a: memref<64xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<64xf16> -> !halves
  %y = example.mean %x, %x : !halves
  tile.store %y, %a[%c0] : !halves, memref<64xf16>
  tile.return
}
