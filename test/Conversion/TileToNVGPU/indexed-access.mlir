// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

// The widths of accesses, on which phases 1, 4 and 9 agree. With one index for each
// row, the specialised variant accesses four elements of a row at once, or two of f64.
// The generic variant assumes no alignment.
// CHECK-LABEL: tile.kernel @rows(
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK-LABEL: tile.kernel @rows__general(
// CHECK-NOT:   vector.load
// CHECK-NOT:   vector.store
// CHECK-LABEL: tile.kernel @wide_rows(
tile.kernel @rows(%a: memref<?x?xf32>, %i: memref<8x1xi32>) {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<8x1xi32> -> !tile.tile<8x1xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 in_bounds : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x128xf32>
  tile.scatter %t, %a[%c0, %c0] at %n axis 0 in_bounds : !tile.tile<8x128xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  tile.return
}

// CHECK-COUNT-4: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<2xf64>
tile.kernel @wide_rows(%a: memref<?x?xf64>, %i: memref<8x1xi32>) {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<8x1xi32> -> !tile.tile<8x1xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 in_bounds : memref<?x?xf64>, !tile.tile<8x1xi32> -> !tile.tile<8x128xf64>
  tile.scatter %t, %a[%c0, %c0] at %n axis 0 in_bounds : !tile.tile<8x128xf64>, memref<?x?xf64>, !tile.tile<8x1xi32>
  tile.return
}

// With an index for each element, each access has one element. There is no specialised
// variant, and adjacent lanes have adjacent elements.
// CHECK-LABEL: tile.kernel @elements(%{{[a-z0-9]*}}: memref<?x?xf32, #gpu.address_space<global>>,
// CHECK-NOT:   vector.load
// CHECK-NOT:   vector.store
// CHECK-LABEL: tile.kernel @elements_of_columns(%{{[a-z0-9]*}}: memref<?x?xf16, strided<[1, ?]>, #gpu.address_space<global>>,
tile.kernel @elements(%a: memref<?x?xf32>, %i: memref<8x128xi32>) {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<8x128xi32> -> !tile.tile<8x128xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 in_bounds : memref<?x?xf32>, !tile.tile<8x128xi32> -> !tile.tile<8x128xf32>
  tile.scatter %t, %a[%c0, %c0] at %n axis 0 in_bounds : !tile.tile<8x128xf32>, memref<?x?xf32>, !tile.tile<8x128xi32>
  tile.return
}

// With an index for each element along axis 1 of a column-major array.
// CHECK-NOT:   vector.load
// CHECK-LABEL: tile.kernel @columns(
tile.kernel @elements_of_columns(%a: memref<?x?xf16, strided<[1, ?]>>, %i: memref<16x64xi32>) {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<16x64xi32> -> !tile.tile<16x64xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 1 in_bounds : memref<?x?xf16, strided<[1, ?]>>, !tile.tile<16x64xi32> -> !tile.tile<16x64xf16>
  tile.scatter %t, %a[%c0, %c0] at %n axis 1 in_bounds : !tile.tile<16x64xf16>, memref<?x?xf16, strided<[1, ?]>>, !tile.tile<16x64xi32>
  tile.return
}

// With one index for each column, an access has eight elements of a column.
// CHECK:       vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<8xf16>
// CHECK-LABEL: tile.kernel @columns__general(
// CHECK-LABEL: tile.kernel @masked(%{{[a-z0-9]*}}: memref<?x?xf32, #gpu.address_space<global>>,
tile.kernel @columns(%a: memref<?x?xf16, strided<[1, ?]>>, %i: memref<1x64xi32>) {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0, %c0] in_bounds : memref<1x64xi32> -> !tile.tile<1x64xi32>
  %t = tile.gather %a[%c0, %c0] at %n axis 1 in_bounds : memref<?x?xf16, strided<[1, ?]>>, !tile.tile<1x64xi32> -> !tile.tile<16x64xf16>
  tile.scatter %t, %a[%c0, %c0] at %n axis 1 in_bounds : !tile.tile<16x64xf16>, memref<?x?xf16, strided<[1, ?]>>, !tile.tile<1x64xi32>
  tile.return
}

// Accesses with a mask, and atomic updates, are of single elements.
// CHECK-NOT:   vector.
// CHECK-LABEL: tile.kernel @updated(
tile.kernel @masked(%a: memref<?x?xf32>, %m: memref<8x128xi1>) {
  %c0 = arith.constant 0 : index
  %n = tile.iota axis 0 : !tile.tile<8x1xi32>
  %p = tile.load %m[%c0, %c0] in_bounds : memref<8x128xi1> -> !tile.tile<8x128xi1>
  %t = tile.gather %a[%c0, %c0] at %n axis 0 mask %p : !tile.tile<8x128xi1> in_bounds : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x128xf32>
  tile.scatter %t, %a[%c0, %c0] at %n axis 0 mask %p : !tile.tile<8x128xi1> in_bounds : !tile.tile<8x128xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  tile.return
}

// CHECK-NOT:   tile.alignment
// CHECK-NOT:   vector.
// CHECK:       llvm.atomicrmw fadd
// CHECK-NOT:   vector.
tile.kernel @updated(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tile.iota axis 0 : !tile.tile<8x1xi32>
  %t = arith.constant dense<1.0> : !tile.tile<8x128xf32>
  tile.scatter %t, %a[%c0, %c0] at %n axis 0 atomic add in_bounds : !tile.tile<8x128xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  tile.return
}
