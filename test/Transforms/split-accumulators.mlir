// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile-canonical-form,tile.kernel(tile-decompose,tile-split-accumulators))' -split-input-file > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REASON < %t

// REASON: about = "accumulator", chosen = "2 parts, one after the other"{{.*}}reason = "a block cannot hold 256 x 256 elements in registers"

// The columns of the accumulator, and of a bias that is added to its rows, in halves. The
// tile of the lhs stays whole.
// CHECK-LABEL: tile.kernel @columns(
// CHECK:         scf.for %[[PART:.*]] = %c0{{.*}} to %c2 step %c1
// CHECK:           %[[START:.*]] = arith.muli %[[PART]], %c128{{.*}} : index
// CHECK:           scf.for {{.*}} -> (!tile.tile<256x128xf32>) {
// CHECK:             tile.load %{{.*}} -> !tile.tile<256x64xf16>
// CHECK:             %[[J:.*]] = arith.addi %{{.*}}, %[[START]]
// CHECK:             tile.load %{{.*}}[%{{.*}}, %[[J]]] : memref<?x?xf16> -> !tile.tile<64x128xf16>
// CHECK:           %[[J:.*]] = arith.addi %{{.*}}, %[[START]]
// CHECK:           tile.load %{{.*}}[%[[J]]] : memref<?xf32> -> !tile.tile<128xf32>
// CHECK:           tile.broadcast %{{.*}} : !tile.tile<1x128xf32> to !tile.tile<256x128xf32>
// CHECK:           %[[J:.*]] = arith.addi %{{.*}}, %[[START]]
// CHECK:           tile.store %{{.*}}, %{{.*}}[%{{.*}}, %[[J]]] : !tile.tile<256x128xf16>
// CHECK:         }
// CHECK-NEXT:    tile.return
tile.kernel @columns(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %bias: memref<?xf32>, %C: memref<?x?xf16>, %i: index, %j: index, %K: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %s = scf.for %k = %c0 to %K step %c64 iter_args(%acc = %zero) -> !tile.tile<256x256xf32> {
    %a = tile.load %A[%i, %k] : memref<?x?xf16> -> !tile.tile<256x64xf16>
    %b = tile.load %B[%k, %j] : memref<?x?xf16> -> !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<256x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<256x256xf32>
    scf.yield %d : !tile.tile<256x256xf32>
  }
  %v = tile.load %bias[%j] : memref<?xf32> -> !tile.tile<256xf32>
  %row = tile.reshape %v : !tile.tile<256xf32> to !tile.tile<1x256xf32>
  %w = tile.broadcast %row : !tile.tile<1x256xf32> to !tile.tile<256x256xf32>
  %sum = arith.addf %s, %w : !tile.tile<256x256xf32>
  %t = tile.cast %sum : !tile.tile<256x256xf32> to !tile.tile<256x256xf16>
  tile.store %t, %C[%i, %j] : !tile.tile<256x256xf16>, memref<?x?xf16>
  tile.return
}

// -----

// Rows, as there are more of them, in quarters: of a factor for each row, and of a branch.
// CHECK-LABEL: tile.kernel @rows(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c4 step %c1
// CHECK:           tile.load %{{.*}} -> !tile.tile<256x1xf32>
// CHECK:           tile.broadcast %{{.*}} : !tile.tile<256x1xf32> to !tile.tile<256x128xf32>
// CHECK:           scf.if %{{.*}} -> (!tile.tile<256x128xf32>) {
// CHECK:           tile.store %{{.*}} : !tile.tile<256x128xf32>
tile.kernel @rows(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %f: memref<?x1xf32>, %C: memref<?x?xf32>, %i: index, %j: index, %condition: i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<1024x128xf32>
  %a = tile.load %A[%i, %c0] : memref<?x?xf16> -> !tile.tile<1024x64xf16>
  %b = tile.load %B[%c0, %j] : memref<?x?xf16> -> !tile.tile<64x128xf16>
  %d = tile.matmul %a, %b, %zero : !tile.tile<1024x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<1024x128xf32>
  %v = tile.load %f[%i, %c0] : memref<?x1xf32> -> !tile.tile<1024x1xf32>
  %w = tile.broadcast %v : !tile.tile<1024x1xf32> to !tile.tile<1024x128xf32>
  %x = scf.if %condition -> !tile.tile<1024x128xf32> {
    %product = arith.mulf %d, %w : !tile.tile<1024x128xf32>
    scf.yield %product : !tile.tile<1024x128xf32>
  } else {
    scf.yield %d : !tile.tile<1024x128xf32>
  }
  tile.store %x, %C[%i, %j] : !tile.tile<1024x128xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Columns are summed, so that rows are split.
// CHECK-LABEL: tile.kernel @chained(
// CHECK:         tile.matmul {{.*}} -> !tile.tile<128x256xf32>
// CHECK:         tile.matmul {{.*}} -> !tile.tile<128x64xf32>
tile.kernel @chained(%A: memref<256x64xf16>, %B: memref<64x256xf16>, %D: memref<256x64xf16>, %C: memref<256x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %none = arith.constant dense<0.0> : !tile.tile<256x64xf32>
  %a = tile.load %A[%c0, %c0] : memref<256x64xf16> -> !tile.tile<256x64xf16>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf16> -> !tile.tile<64x256xf16>
  %d = tile.load %D[%c0, %c0] : memref<256x64xf16> -> !tile.tile<256x64xf16>
  %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<256x256xf32>
  %t = tile.cast %s : !tile.tile<256x256xf32> to !tile.tile<256x256xf16>
  %u = tile.matmul %t, %d, %none : !tile.tile<256x256xf16>, !tile.tile<256x64xf16> -> !tile.tile<256x64xf32>
  tile.store %u, %C[%c0, %c0] : !tile.tile<256x64xf32>, memref<256x64xf32>
  tile.return
}

// -----

// 192 KiB fit.
// CHECK-LABEL: tile.kernel @fits(
// CHECK-NOT:     scf.for
// CHECK:         -> !tile.tile<192x256xf32>
tile.kernel @fits(%A: memref<192x64xf16>, %B: memref<64x256xf16>, %C: memref<192x256xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<192x256xf32>
  %a = tile.load %A[%c0, %c0] : memref<192x64xf16> -> !tile.tile<192x64xf16>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf16> -> !tile.tile<64x256xf16>
  %s = tile.matmul %a, %b, %zero : !tile.tile<192x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<192x256xf32>
  tile.store %s, %C[%c0, %c0] : !tile.tile<192x256xf32>, memref<192x256xf32>
  tile.return
}

// -----

// The second half would read what the first one has written.
// CHECK-LABEL: tile.kernel @in_place(
// CHECK-NOT:     scf.for
// CHECK:         -> !tile.tile<256x256xf32>
tile.kernel @in_place(%A: memref<256x64xf32>, %B: memref<64x256xf32>, %C: memref<256x256xf32>) {
  %c0 = arith.constant 0 : index
  %acc = tile.load %C[%c0, %c0] : memref<256x256xf32> -> !tile.tile<256x256xf32>
  %a = tile.load %A[%c0, %c0] : memref<256x64xf32> -> !tile.tile<256x64xf32>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf32> -> !tile.tile<64x256xf32>
  %s = tile.matmul %a, %b, %acc : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
  tile.store %s, %C[%c0, %c0] : !tile.tile<256x256xf32>, memref<256x256xf32>
  tile.return
}

// -----

// Output would be doubled, and both dimensions of the accumulator are combined.
// CHECK-LABEL: tile.kernel @printed(
// CHECK-NOT:     scf.for
// CHECK-LABEL: tile.kernel @reduced(
// CHECK-NOT:     scf.for
tile.kernel @printed(%A: memref<256x64xf32>, %B: memref<64x256xf32>, %C: memref<256x256xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %a = tile.load %A[%c0, %c0] : memref<256x64xf32> -> !tile.tile<256x64xf32>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf32> -> !tile.tile<64x256xf32>
  %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
  tile.print "done"
  tile.store %s, %C[%c0, %c0] : !tile.tile<256x256xf32>, memref<256x256xf32>
  tile.return
}

tile.kernel @reduced(%A: memref<256x64xf32>, %B: memref<64x256xf32>, %C: memref<256xf32>, %D: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %a = tile.load %A[%c0, %c0] : memref<256x64xf32> -> !tile.tile<256x64xf32>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf32> -> !tile.tile<64x256xf32>
  %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
  %rows = tile.reduce add %s axis 1 : !tile.tile<256x256xf32> to !tile.tile<256xf32>
  %columns = tile.reduce add %s axis 0 : !tile.tile<256x256xf32> to !tile.tile<256xf32>
  tile.store %rows, %C[%c0] : !tile.tile<256xf32>, memref<256xf32>
  tile.store %columns, %D[%c0] : !tile.tile<256xf32>, memref<256xf32>
  tile.return
}

// -----

// The second part would store the bias over what the first one has stored.
// CHECK-LABEL: tile.kernel @stored_twice(
// CHECK-NOT:     scf.for
// CHECK:         -> !tile.tile<256x256xf32>
tile.kernel @stored_twice(%A: memref<256x64xf32>, %B: memref<64x256xf32>, %D: memref<256x128xf32>, %C: memref<256x256xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %a = tile.load %A[%c0, %c0] : memref<256x64xf32> -> !tile.tile<256x64xf32>
  %b = tile.load %B[%c0, %c0] : memref<64x256xf32> -> !tile.tile<64x256xf32>
  %d = tile.load %D[%c0, %c0] : memref<256x128xf32> -> !tile.tile<256x128xf32>
  tile.store %d, %C[%c0, %c0] : !tile.tile<256x128xf32>, memref<256x256xf32>
  %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
  tile.store %s, %C[%c0, %c0] : !tile.tile<256x256xf32>, memref<256x256xf32>
  tile.return
}

// -----

// In a loop over output tiles, their columns are multiples of 256 apart. In the other kernel
// tiles overlap: a later one replaces elements that an earlier one has stored.
// CHECK-LABEL: tile.kernel @apart(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             tile.store {{.*}} : !tile.tile<256x128xf32>
// CHECK-LABEL: tile.kernel @overlapping(
// CHECK:         tile.store {{.*}} : !tile.tile<256x256xf32>
tile.kernel @apart(%A: memref<256x64xf32>, %B: memref<64x?xf32>, %C: memref<256x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c256 : index
    %a = tile.load %A[%c0, %c0] : memref<256x64xf32> -> !tile.tile<256x64xf32>
    %b = tile.load %B[%c0, %j] : memref<64x?xf32> -> !tile.tile<64x256xf32>
    %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
    tile.store %s, %C[%c0, %j] : !tile.tile<256x256xf32>, memref<256x?xf32>
  }
  tile.return
}

tile.kernel @overlapping(%A: memref<?x64xf32>, %B: memref<64x?xf32>, %C: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c64 : index
    %a = tile.load %A[%j, %c0] : memref<?x64xf32> -> !tile.tile<256x64xf32>
    %b = tile.load %B[%c0, %j] : memref<64x?xf32> -> !tile.tile<64x256xf32>
    %s = tile.matmul %a, %b, %zero : !tile.tile<256x64xf32>, !tile.tile<64x256xf32> -> !tile.tile<256x256xf32>
    tile.store %s, %C[%j, %j] : !tile.tile<256x256xf32>, memref<?x?xf32>
  }
  tile.return
}
