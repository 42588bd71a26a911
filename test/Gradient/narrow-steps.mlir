// RUN: tile-opt %s -tile-gradient=kernel=product -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=short -canonicalize -cse | FileCheck %s --check-prefix=SHORT

// The owners of B loop over the programs along x, whose tiles have 128 rows: each
// iteration becomes two, with 128 bytes of K.
// CHECK-LABEL: tile.kernel @product__adjoint__b(
// CHECK-SAME:    %[[N:[^:]*]]: index {tile.name = "programs_x"})
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[END:.*]] = arith.muli %[[N]], %[[C2]] : index
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step
// CHECK:           %[[K:.*]] = arith.muli %[[I]], %[[C64]] : index
// CHECK-DAG:       tile.load %{{.*}}[%[[K]], %{{.*}}] : memref<?x?xf16> -> !tile.tile<64x128xf16>
// CHECK-DAG:       tile.load %{{.*}}[%[[K]], %{{.*}}] : memref<?x?xf16> -> !tile.tile<64x128xf16>
// CHECK:           tile.matmul %{{.*}} : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
tile.kernel @product(%a: memref<?x?xf16> {tile.name = "a"}, %b: memref<?x?xf16> {tile.name = "b"}, %y: memref<?x?xf16> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %p = tile.program_id x
  %q = tile.program_id y
  %i = arith.muli %p, %c128 : index
  %j = arith.muli %q, %c128 : index
  %n = memref.dim %a, %c1 : memref<?x?xf16>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %u = tile.load %a[%i, %k] : memref<?x?xf16> -> !tile.tile<128x64xf16>
    %v = tile.load %b[%k, %j] : memref<?x?xf16> -> !tile.tile<64x128xf16>
    %s = tile.matmul %u, %v, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  %h = tile.cast %r : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
  tile.store %h, %y[%i, %j] : !tile.tile<128x128xf16>, memref<?x?xf16>
  tile.return
}

// Steps of 128 bytes stay.
// SHORT-LABEL: tile.kernel @short__adjoint__b(
// SHORT-SAME:    %[[N:[^:]*]]: index {tile.name = "programs_x"})
// SHORT:         scf.for %{{.*}} = %{{.*}} to %[[N]] step
// SHORT:           tile.matmul %{{.*}} : !tile.tile<{{.*}}x32xf32>, !tile.tile<32x32xf32>
tile.kernel @short(%a: memref<?x?xf32> {tile.name = "a"}, %b: memref<?x?xf32> {tile.name = "b"}, %y: memref<?x?xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %p = tile.program_id x
  %q = tile.program_id y
  %i = arith.muli %p, %c32 : index
  %j = arith.muli %q, %c32 : index
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<32x32xf32> {
    %u = tile.load %a[%i, %k] : memref<?x?xf32> -> !tile.tile<32x32xf32>
    %v = tile.load %b[%k, %j] : memref<?x?xf32> -> !tile.tile<32x32xf32>
    %s = tile.matmul %u, %v, %acc : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<32x32xf32>
    scf.yield %s : !tile.tile<32x32xf32>
  }
  tile.store %r, %y[%i, %j] : !tile.tile<32x32xf32>, memref<?x?xf32>
  tile.return
}
