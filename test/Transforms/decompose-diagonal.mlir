// RUN: tile-opt %s -tile-decompose | FileCheck %s

// With more columns than rows, the bits of elements are combined along the columns.
// CHECK-LABEL: @diagonal
tile.kernel @diagonal(%a: memref<3x5x9xf32>, %b: memref<3x5xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x5x9xf32> -> !tile.tile<3x5x9xf32>
  // CHECK: %[[I:.*]] = tile.iota axis 1 : !tile.tile<3x5x9xi32>
  // CHECK: %[[J:.*]] = tile.iota axis 2 : !tile.tile<3x5x9xi32>
  // CHECK: %[[C:.*]] = arith.cmpi eq, %[[I]], %[[J]]
  // CHECK: %[[B:.*]] = tile.cast %{{.*}} bitcast : !tile.tile<3x5x9xf32> to !tile.tile<3x5x9xi32>
  // CHECK: %[[S:.*]] = tile.select %[[C]], %[[B]], %{{.*}}
  // CHECK: %[[R:.*]] = tile.reduce or %[[S]] axis 2 : !tile.tile<3x5x9xi32> to !tile.tile<3x5xi32>
  // CHECK: tile.cast %[[R]] bitcast : !tile.tile<3x5xi32> to !tile.tile<3x5xf32>
  %d = tile.diagonal %x : !tile.tile<3x5x9xf32> to !tile.tile<3x5xf32>
  tile.store %d, %b[%c0, %c0] : !tile.tile<3x5xf32>, memref<3x5xf32>
  tile.return
}

// With more rows than columns, they are combined along the rows.
// CHECK-LABEL: @more_rows
tile.kernel @more_rows(%a: memref<9x5xi8>, %b: memref<5xi8>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<9x5xi8> -> !tile.tile<9x5xi8>
  // CHECK: tile.reduce or %{{.*}} axis 0 : !tile.tile<9x5xi8> to !tile.tile<5xi8>
  %d = tile.diagonal %x : !tile.tile<9x5xi8> to !tile.tile<5xi8>
  tile.store %d, %b[%c0] : !tile.tile<5xi8>, memref<5xi8>
  tile.return
}

// CHECK-LABEL: @add
tile.kernel @add(%a: memref<4x4xf32>, %b: memref<4xf32>, %n: f32) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<4x4xf32> -> !tile.tile<4x4xf32>
  %d = tile.load %b[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  // CHECK: %[[T:.*]] = tile.reshape %{{.*}} : !tile.tile<4xf32> to !tile.tile<4x1xf32>
  // CHECK: %[[D:.*]] = tile.broadcast %[[T]] : !tile.tile<4x1xf32> to !tile.tile<4x4xf32>
  // CHECK: %[[S:.*]] = arith.addf %[[X:.*]], %[[D]]
  // CHECK: %[[Y:.*]] = tile.select %{{.*}}, %[[S]], %[[X]]
  %y = tile.add_diagonal %x, %d : !tile.tile<4x4xf32>, !tile.tile<4xf32>
  // CHECK: %[[N:.*]] = tile.fill
  // CHECK: %[[U:.*]] = arith.addf %[[Y]], %[[N]]
  // CHECK: tile.select %{{.*}}, %[[U]], %[[Y]]
  %z = tile.add_diagonal %y, %n : !tile.tile<4x4xf32>, f32
  tile.store %z, %a[%c0, %c0] : !tile.tile<4x4xf32>, memref<4x4xf32>
  tile.return
}
