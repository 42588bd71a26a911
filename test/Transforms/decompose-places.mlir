// RUN: tile-opt %s -tile-decompose -canonicalize -cse | FileCheck %s

// Masked accesses become accesses by index, vectorized along the contiguous dimension.
// CHECK-LABEL: @masks
tile.kernel @masks(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[1, ?]>>, %m: memref<?x?xi1>, %i: index, %p: f32) {
  %c0 = arith.constant 0 : index
  %mask = tile.load %m[%c0, %c0] : memref<?x?xi1> -> !tile.tile<9x5xi1>
  // CHECK: %[[ROW:.*]] = tile.iota axis 1 : !tile.tile<1x5xi32>
  // CHECK: %[[T:.*]] = tile.gather %{{.*}}[%{{.*}}, %{{.*}}] at %[[ROW]] axis 1 mask %{{.*}} : !tile.tile<9x5xi1> pad %{{.*}} :
  %t = tile.load %x[%i, %i] mask %mask : !tile.tile<9x5xi1> pad %p : memref<?x?xf32> -> !tile.tile<9x5xf32>
  // CHECK: %[[COLUMN:.*]] = tile.iota axis 0 : !tile.tile<9x1xi32>
  // CHECK: tile.scatter %[[T]], %{{.*}}[%{{.*}}, %{{.*}}] at %[[COLUMN]] axis 0 mask %{{.*}} : !tile.tile<9x5xi1> in_bounds
  tile.store %t, %y[%i, %i] mask %mask : !tile.tile<9x5xi1> in_bounds : !tile.tile<9x5xf32>, memref<?x?xf32, strided<[1, ?]>>
  tile.return
}

// A single element becomes a row of one element.
// CHECK-LABEL: @mask_of_one
tile.kernel @mask_of_one(%x: memref<?xf32>, %m: memref<?xi1>, %i: index, %y: memref<?xf32>) {
  %mask = tile.load %m[%i] : memref<?xi1> -> !tile.tile<i1>
  // CHECK: %[[T:.*]] = tile.gather %{{.*}} : memref<?xf32>, !tile.tile<1xi32> -> !tile.tile<1xf32>
  // CHECK: tile.reshape %[[T]] : !tile.tile<1xf32> to !tile.tile<f32>
  %t = tile.load %x[%i] mask %mask : !tile.tile<i1> : memref<?xf32> -> !tile.tile<f32>
  tile.store %t, %y[%i] : !tile.tile<f32>, memref<?xf32>
  tile.return
}

// A dimension of one element becomes a box; a step other than one becomes a tile.take.
// CHECK-LABEL: @steps
tile.kernel @steps(%x: memref<8x64xf32>, %i: index, %j: index, %y: memref<20xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  // CHECK: %[[BOX:.*]] = tile.view %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<8x64xf32> to !tile.tile<1x64xf32>
  // CHECK: %[[START:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: %[[PLACES:.*]] = arith.addi %{{.*}}, %{{.*}} : !tile.tile<1x20xi32>
  // CHECK: %[[TAKEN:.*]] = tile.take %[[BOX]] at %[[PLACES]] axis 1 : !tile.tile<1x64xf32>, !tile.tile<1x20xi32> to !tile.tile<1x20xf32>
  // CHECK: tile.reshape %[[TAKEN]] : !tile.tile<1x20xf32> to !tile.tile<20xf32>
  %v = tile.view %t[%i, %j] steps [1, -2] : !tile.tile<8x64xf32> to !tile.tile<20xf32>
  tile.store %v, %y[%c0] : !tile.tile<20xf32>, memref<20xf32>
  tile.return
}

// One of several rows needs a view and a reshape, and no indices.
// CHECK-LABEL: @row
// CHECK-NOT: tile.take
// CHECK: %[[ROW:.*]] = tile.view %{{.*}} to !tile.tile<1x64xf32>
// CHECK: tile.reshape %[[ROW]] : !tile.tile<1x64xf32> to !tile.tile<64xf32>
tile.kernel @row(%x: memref<8x64xf32>, %i: index, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %v = tile.view %t[%i, %c0] : !tile.tile<8x64xf32> to !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// CHECK-LABEL: @histogram
// CHECK: %[[NUMBERS:.*]] = tile.reshape %{{.*}} : !tile.tile<8x32xi32> to !tile.tile<256xi32>
// CHECK: tile.put add %{{.*}} into %{{.*}} at %[[NUMBERS]] axis 0 : !tile.tile<256xi64>, !tile.tile<256xi32> into !tile.tile<10xi64>
tile.kernel @histogram(%x: memref<8x32xi32>, %y: memref<10xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x32xi32> -> !tile.tile<8x32xi32>
  %h = tile.histogram %t : !tile.tile<8x32xi32> to !tile.tile<10xi64>
  tile.store %h, %y[%c0] : !tile.tile<10xi64>, memref<10xi64>
  tile.return
}

// The indices at which elements are put and from which they are taken are scans of
// masks.
// CHECK-LABEL: @stack
// CHECK: tile.scan add %{{.*}} axis 0 exclusive : !tile.tile<15xi32>
// CHECK: %[[PUSHED:.*]] = tile.put %{{.*}} into %{{.*}} at %{{.*}} axis 0 mask %{{.*}} : !tile.tile<15xi1>
// CHECK: arith.minsi
// CHECK: tile.scan add %{{.*}} axis 0 exclusive : !tile.tile<15xi32>
// CHECK: tile.take %[[PUSHED]] at
// CHECK: arith.maxsi
tile.kernel @stack(%x: memref<3x5xf32>, %m: memref<3x5xi1>, %q: memref<3x5xi1>, %n: i32, %y: memref<3x5xf32>, %z: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<3x5xf32> -> !tile.tile<3x5xf32>
  %mask = tile.load %m[%c0, %c0] : memref<3x5xi1> -> !tile.tile<3x5xi1>
  %pops = tile.load %q[%c0, %c0] : memref<3x5xi1> -> !tile.tile<3x5xi1>
  %empty = arith.constant dense<0.0> : !tile.tile<100xf32>
  %s, %count, %to = tile.push %t mask %mask onto %empty, %n : !tile.tile<3x5xf32> onto !tile.tile<100xf32>
  %v, %rest, %from = tile.pop %s, %count mask %pops : !tile.tile<100xf32> to !tile.tile<3x5xf32>
  tile.store %v, %y[%c0, %c0] : !tile.tile<3x5xf32>, memref<3x5xf32>
  %f = tile.fill %rest : !tile.tile<1xi32>
  tile.store %f, %z[%c0] : !tile.tile<1xi32>, memref<1xi32>
  tile.return
}
