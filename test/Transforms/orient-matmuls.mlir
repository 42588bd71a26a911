// RUN: tile-opt %s -split-input-file -tile-orient-matmuls | FileCheck %s

// Both uses of the exponentials are transposed, one after a multiplication by another matmul.
// CHECK-LABEL: tile.kernel @gradient(
// CHECK:         %[[Q:.*]] = tile.load %arg0
// CHECK:         %[[K:.*]] = tile.load %arg1
// CHECK:         %[[O:.*]] = tile.load %arg2
// CHECK:         %[[L:.*]] = tile.load %arg3
// CHECK-DAG:     %[[QT:.*]] = tile.transpose %[[Q]] [1, 0]
// CHECK-DAG:     %[[OT:.*]] = tile.transpose %[[O]] [1, 0]
// CHECK-DAG:     %[[S:.*]] = tile.matmul %[[K]], %[[QT]], %{{.*}} : !tile.tile<128x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<128x64xf32>
// CHECK-DAG:     %[[R:.*]] = tile.reshape %[[L]] : !tile.tile<64x1xf32> to !tile.tile<1x64xf32>
// CHECK-DAG:     %[[B:.*]] = tile.broadcast %[[R]] : !tile.tile<1x64xf32> to !tile.tile<128x64xf32>
// CHECK-DAG:     %[[D:.*]] = arith.subf %[[S]], %[[B]]
// CHECK-DAG:     %[[P:.*]] = math.exp2 %[[D]] fastmath<afn>
// CHECK-DAG:     %[[T:.*]] = tile.matmul %[[K]], %[[OT]], %{{.*}} : !tile.tile<128x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<128x64xf32>
// CHECK-DAG:     %[[E:.*]] = arith.mulf %[[T]], %[[P]]
// CHECK-NOT:     tile.transpose
// CHECK-DAG:     %[[C:.*]] = tile.cast %[[P]]
// CHECK-DAG:     %[[U:.*]] = tile.matmul %[[C]], %[[O]], %{{.*}} -> !tile.tile<128x64xf32>
// CHECK-DAG:     %[[F:.*]] = tile.cast %[[E]]
// CHECK:         %[[V:.*]] = tile.matmul %[[F]], %[[Q]], %[[U]]
// CHECK:         tile.store %[[V]]
tile.kernel @gradient(%q: memref<64x64xf16>, %k: memref<128x64xf16>, %o: memref<64x64xf16>, %l: memref<64x1xf32>, %r: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %none = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  %0 = tile.load %q[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %1 = tile.load %k[%c0, %c0] : memref<128x64xf16> -> !tile.tile<128x64xf16>
  %2 = tile.load %o[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %3 = tile.load %l[%c0, %c0] : memref<64x1xf32> -> !tile.tile<64x1xf32>
  %4 = tile.transpose %1 [1, 0] : !tile.tile<128x64xf16> to !tile.tile<64x128xf16>
  %5 = tile.matmul %0, %4, %zero : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
  %6 = tile.broadcast %3 : !tile.tile<64x1xf32> to !tile.tile<64x128xf32>
  %7 = arith.subf %5, %6 : !tile.tile<64x128xf32>
  %8 = math.exp2 %7 fastmath<afn> : !tile.tile<64x128xf32>
  %9 = tile.matmul %2, %4, %zero : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
  %10 = arith.mulf %9, %8 : !tile.tile<64x128xf32>
  %11 = tile.cast %8 : !tile.tile<64x128xf32> to !tile.tile<64x128xf16>
  %12 = tile.transpose %11 [1, 0] : !tile.tile<64x128xf16> to !tile.tile<128x64xf16>
  %13 = tile.matmul %12, %2, %none : !tile.tile<128x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<128x64xf32>
  %14 = tile.cast %10 : !tile.tile<64x128xf32> to !tile.tile<64x128xf16>
  %15 = tile.transpose %14 [1, 0] : !tile.tile<64x128xf16> to !tile.tile<128x64xf16>
  %16 = tile.matmul %15, %0, %13 : !tile.tile<128x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<128x64xf32>
  tile.store %16, %r[%c0, %c0] : !tile.tile<128x64xf32>, memref<128x64xf32>
  tile.return
}

// -----

// A batch, a branch, a fill, a constant and a selection by a scalar are transposed, too. The
// lhs is not a transpose and gets one.
// CHECK-LABEL: tile.kernel @branch(
// CHECK:         %[[C:.*]] = arith.constant dense<1.000000e+00> : !tile.tile<2x72x64xf32>
// CHECK:         %[[A:.*]] = tile.load %arg0
// CHECK:         %[[B:.*]] = tile.load %arg1
// CHECK:         %[[AT:.*]] = tile.transpose %[[A]] [0, 2, 1]
// CHECK:         %[[S:.*]] = tile.matmul %[[B]], %[[AT]], %{{.*}} -> !tile.tile<2x72x64xf32>
// CHECK:         %[[I:.*]] = scf.if %arg3 -> (!tile.tile<2x72x64xf32>) {
// CHECK:           %[[F:.*]] = tile.fill %arg4 : !tile.tile<2x72x64xf32>
// CHECK:           %[[M:.*]] = arith.mulf %[[S]], %[[F]]
// CHECK:           scf.yield %[[M]]
// CHECK:         } else {
// CHECK:           scf.yield %[[S]]
// CHECK:         %[[W:.*]] = tile.select %arg3, %[[I]], %[[C]] : i1, !tile.tile<2x72x64xf32>
// CHECK:         tile.store %[[W]]
tile.kernel @branch(%a: memref<2x64x8xf32>, %b: memref<2x72x8xf32>, %r: memref<2x72x64xf32>, %is: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<2x64x72xf32>
  %one = arith.constant dense<1.0> : !tile.tile<2x64x72xf32>
  %0 = tile.load %a[%c0, %c0, %c0] : memref<2x64x8xf32> -> !tile.tile<2x64x8xf32>
  %1 = tile.load %b[%c0, %c0, %c0] : memref<2x72x8xf32> -> !tile.tile<2x72x8xf32>
  %2 = tile.transpose %1 [0, 2, 1] : !tile.tile<2x72x8xf32> to !tile.tile<2x8x72xf32>
  %3 = tile.matmul %0, %2, %zero : !tile.tile<2x64x8xf32>, !tile.tile<2x8x72xf32> -> !tile.tile<2x64x72xf32>
  %4 = scf.if %is -> !tile.tile<2x64x72xf32> {
    %7 = tile.fill %x : !tile.tile<2x64x72xf32>
    %8 = arith.mulf %3, %7 : !tile.tile<2x64x72xf32>
    scf.yield %8 : !tile.tile<2x64x72xf32>
  } else {
    scf.yield %3 : !tile.tile<2x64x72xf32>
  }
  %5 = tile.select %is, %4, %one : i1, !tile.tile<2x64x72xf32>
  %6 = tile.transpose %5 [0, 2, 1] : !tile.tile<2x64x72xf32> to !tile.tile<2x72x64xf32>
  tile.store %6, %r[%c0, %c0, %c0] : !tile.tile<2x72x64xf32>, memref<2x72x64xf32>
  tile.return
}

// -----

// The result is used as it is, too.
// CHECK-LABEL: tile.kernel @used(
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<64x72xf32>
// CHECK:         tile.transpose
tile.kernel @used(%a: memref<64x8xf32>, %b: memref<72x8xf32>, %r: memref<72x64xf32>, %s: memref<64x72xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x72xf32>
  %0 = tile.load %a[%c0, %c0] : memref<64x8xf32> -> !tile.tile<64x8xf32>
  %1 = tile.load %b[%c0, %c0] : memref<72x8xf32> -> !tile.tile<72x8xf32>
  %2 = tile.transpose %1 [1, 0] : !tile.tile<72x8xf32> to !tile.tile<8x72xf32>
  %3 = tile.matmul %0, %2, %zero : !tile.tile<64x8xf32>, !tile.tile<8x72xf32> -> !tile.tile<64x72xf32>
  %4 = tile.transpose %3 [1, 0] : !tile.tile<64x72xf32> to !tile.tile<72x64xf32>
  tile.store %4, %r[%c0, %c0] : !tile.tile<72x64xf32>, memref<72x64xf32>
  tile.store %3, %s[%c0, %c0] : !tile.tile<64x72xf32>, memref<64x72xf32>
  tile.return
}

// -----

// These matmuls stay: the first has the 64 rows of a warpgroup MMA; a loaded tile would need
// a transpose; a transpose is the rhs of a matmul; the accumulators would be too many.
// CHECK-LABEL: tile.kernel @kept(
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<64x16xf32>
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<64x16xf32>
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<16x64xf32>
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<16x64xf32>
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<256x64xf32>
tile.kernel @kept(%a: memref<64x64xf16>, %b: memref<16x64xf16>, %c: memref<16x64xf32>, %d: memref<256x64xf16>, %r: memref<16x64xf32>, %s: memref<16x64xf32>, %t: memref<256x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x16xf32>
  %none = arith.constant dense<0.0> : !tile.tile<16x64xf32>
  %nil = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %no = arith.constant dense<0.0> : !tile.tile<256x64xf32>
  %0 = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %1 = tile.load %b[%c0, %c0] : memref<16x64xf16> -> !tile.tile<16x64xf16>
  %2 = tile.load %c[%c0, %c0] : memref<16x64xf32> -> !tile.tile<16x64xf32>
  %3 = tile.load %d[%c0, %c0] : memref<256x64xf16> -> !tile.tile<256x64xf16>
  %4 = tile.transpose %1 [1, 0] : !tile.tile<16x64xf16> to !tile.tile<64x16xf16>
  %5 = tile.matmul %0, %4, %zero : !tile.tile<64x64xf16>, !tile.tile<64x16xf16> -> !tile.tile<64x16xf32>
  %6 = tile.transpose %5 [1, 0] : !tile.tile<64x16xf32> to !tile.tile<16x64xf32>
  tile.store %6, %r[%c0, %c0] : !tile.tile<16x64xf32>, memref<16x64xf32>
  %7 = tile.matmul %0, %4, %zero : !tile.tile<64x64xf16>, !tile.tile<64x16xf16> -> !tile.tile<64x16xf32>
  %8 = tile.transpose %2 [1, 0] : !tile.tile<16x64xf32> to !tile.tile<64x16xf32>
  %9 = arith.addf %7, %8 : !tile.tile<64x16xf32>
  %10 = tile.cast %9 : !tile.tile<64x16xf32> to !tile.tile<64x16xf16>
  %11 = tile.transpose %10 [1, 0] : !tile.tile<64x16xf16> to !tile.tile<16x64xf16>
  %12 = tile.matmul %11, %0, %none : !tile.tile<16x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<16x64xf32>
  %13 = tile.transpose %0 [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  %14 = tile.matmul %1, %13, %none : !tile.tile<16x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<16x64xf32>
  %15 = tile.cast %14 : !tile.tile<16x64xf32> to !tile.tile<16x64xf16>
  %16 = tile.transpose %15 [1, 0] : !tile.tile<16x64xf16> to !tile.tile<64x16xf16>
  %17 = tile.cast %12 : !tile.tile<16x64xf32> to !tile.tile<16x64xf16>
  %18 = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %19 = tile.matmul %17, %16, %18 : !tile.tile<16x64xf16>, !tile.tile<64x16xf16> -> !tile.tile<16x16xf32>
  tile.store %19, %s[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x64xf32>
  %20 = tile.matmul %3, %13, %no : !tile.tile<256x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<256x64xf32>
  %21 = tile.cast %20 : !tile.tile<256x64xf32> to !tile.tile<256x64xf16>
  %22 = tile.transpose %21 [1, 0] : !tile.tile<256x64xf16> to !tile.tile<64x256xf16>
  %23 = tile.matmul %22, %3, %nil : !tile.tile<64x256xf16>, !tile.tile<256x64xf16> -> !tile.tile<64x64xf32>
  tile.store %23, %t[%c0, %c0] : !tile.tile<64x64xf32>, memref<256x64xf32>
  tile.return
}

// -----

// The program declares a storage.
// CHECK-LABEL: tile.kernel @declared(
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<64x64xf32, #tile.register>
// CHECK:         tile.transpose
tile.kernel @declared(%a: memref<64x64xf16>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !tile.tile<64x64xf32, #tile.register>
  %0 = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %1 = tile.transpose %0 [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  %2 = tile.matmul %0, %1, %none : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32, #tile.register>
  %3 = tile.transpose %2 [1, 0] : !tile.tile<64x64xf32, #tile.register> to !tile.tile<64x64xf32, #tile.register>
  tile.store %3, %r[%c0, %c0] : !tile.tile<64x64xf32, #tile.register>, memref<64x64xf32>
  tile.return
}

// -----

// The transpose of the sum needs the matmul and its transpose.
// CHECK-LABEL: tile.kernel @symmetric(
// CHECK-COUNT-1: tile.matmul
// CHECK-NOT:     tile.matmul
tile.kernel @symmetric(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %0 = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %1 = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %2 = tile.transpose %1 [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  %3 = tile.matmul %0, %2, %none : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  %4 = tile.transpose %3 [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
  %5 = arith.addf %3, %4 : !tile.tile<64x64xf32>
  %6 = tile.transpose %5 [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
  tile.store %6, %r[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// A matmul by multiply-adds may get fewer rows.
// CHECK-LABEL: tile.kernel @few_rows(
// CHECK:         %[[D:.*]] = tile.load %arg0
// CHECK:         %[[P:.*]] = tile.load %arg1
// CHECK:         %[[T:.*]] = tile.transpose %[[D]] [1, 0]
// CHECK:         %[[R:.*]] = tile.matmul %[[P]], %[[T]], %{{.*}} -> !tile.tile<6x18xf32>
// CHECK:         tile.store %[[R]]
tile.kernel @few_rows(%d: memref<18x18xf32>, %p: memref<6x18xf32>, %r: memref<6x18xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !tile.tile<18x6xf32>
  %0 = tile.load %d[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %1 = tile.load %p[%c0, %c0] : memref<6x18xf32> -> !tile.tile<6x18xf32>
  %2 = tile.transpose %1 [1, 0] : !tile.tile<6x18xf32> to !tile.tile<18x6xf32>
  %3 = tile.matmul %0, %2, %none : !tile.tile<18x18xf32>, !tile.tile<18x6xf32> -> !tile.tile<18x6xf32>
  %4 = tile.transpose %3 [1, 0] : !tile.tile<18x6xf32> to !tile.tile<6x18xf32>
  tile.store %4, %r[%c0, %c0] : !tile.tile<6x18xf32>, memref<6x18xf32>
  tile.return
}

// -----

// Instructions of a warp multiply 16 rows: eight would be padded.
// CHECK-LABEL: tile.kernel @padded_rows(
// CHECK:         tile.matmul %{{.*}} -> !tile.tile<32x8xf32>
// CHECK:         tile.transpose
tile.kernel @padded_rows(%a: memref<32x64xf16>, %b: memref<8x64xf16>, %r: memref<8x32xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0.0> : !tile.tile<32x8xf32>
  %0 = tile.load %a[%c0, %c0] : memref<32x64xf16> -> !tile.tile<32x64xf16>
  %1 = tile.load %b[%c0, %c0] : memref<8x64xf16> -> !tile.tile<8x64xf16>
  %2 = tile.transpose %1 [1, 0] : !tile.tile<8x64xf16> to !tile.tile<64x8xf16>
  %3 = tile.matmul %0, %2, %none : !tile.tile<32x64xf16>, !tile.tile<64x8xf16> -> !tile.tile<32x8xf32>
  %4 = tile.transpose %3 [1, 0] : !tile.tile<32x8xf32> to !tile.tile<8x32xf32>
  tile.store %4, %r[%c0, %c0] : !tile.tile<8x32xf32>, memref<8x32xf32>
  tile.return
}
