// RUN: tile-opt %s -tile-decompose | FileCheck %s

// L low(L^-1 herm(X) L^-T): the second system, of rows, is solved as a transposed one.
// CHECK-LABEL: tile.kernel @change
// CHECK-COUNT-2: tile.triangular_solve
// CHECK:         tile.matmul
// CHECK:         tile.store
tile.kernel @change(%l: memref<9x9xf64>, %x: memref<9x9xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %l[%c0, %c0] : memref<9x9xf64> -> !tile.tile<9x9xf64>
  %b = tile.load %x[%c0, %c0] : memref<9x9xf64> -> !tile.tile<9x9xf64>
  %y = tile.cholesky_derivative %a, %b : !tile.tile<9x9xf64>
  tile.store %y, %x[%c0, %c0] : !tile.tile<9x9xf64>, memref<9x9xf64>
  tile.return
}

// CHECK-LABEL: tile.kernel @whole
// CHECK:         tile.cholesky_derivative %{{.*}}, %{{.*}} transposed : !tile.tile<44x44xf64>
tile.kernel @whole(%l: memref<44x44xf64>, %x: memref<44x44xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %l[%c0, %c0] : memref<44x44xf64> -> !tile.tile<44x44xf64>
  %b = tile.load %x[%c0, %c0] : memref<44x44xf64> -> !tile.tile<44x44xf64>
  %y = tile.cholesky_derivative %a, %b transposed : !tile.tile<44x44xf64>
  tile.store %y, %x[%c0, %c0] : !tile.tile<44x44xf64>, memref<44x44xf64>
  tile.return
}

// The last block first; the rows left of it change by a matmul. The rows below another
// block are divided by it, and change its gradient.
// CHECK-LABEL: tile.kernel @blocks
// CHECK:         tile.cholesky_derivative %{{.*}}, %{{.*}} transposed : !tile.tile<32x32xf32>
// CHECK:         tile.matmul %{{.*}} : !tile.tile<32x32xf32>, !tile.tile<32x8xf32> -> !tile.tile<32x8xf32>
// CHECK:         tile.matmul %{{.*}} : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<32x32xf32>
// CHECK:         tile.triangular_solve
// CHECK:         tile.matmul %{{.*}} : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<32x32xf32>
// CHECK:         tile.cholesky_derivative %{{.*}}, %{{.*}} transposed : !tile.tile<32x32xf32>
// CHECK:         tile.matmul %{{.*}} : !tile.tile<64x64xf32>, !tile.tile<64x8xf32> -> !tile.tile<64x8xf32>
// CHECK:         tile.triangular_solve
// CHECK:         tile.matmul %{{.*}} : !tile.tile<8x64xf32>, !tile.tile<64x8xf32> -> !tile.tile<8x8xf32>
// CHECK:         tile.cholesky_derivative %{{.*}}, %{{.*}} transposed : !tile.tile<8x8xf32>
tile.kernel @blocks(%l: memref<72x72xf32>, %x: memref<72x72xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %l[%c0, %c0] : memref<72x72xf32> -> !tile.tile<72x72xf32>
  %b = tile.load %x[%c0, %c0] : memref<72x72xf32> -> !tile.tile<72x72xf32>
  %y = tile.cholesky_derivative %a, %b transposed : !tile.tile<72x72xf32>
  tile.store %y, %x[%c0, %c0] : !tile.tile<72x72xf32>, memref<72x72xf32>
  tile.return
}
