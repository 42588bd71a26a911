// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s
// REQUIRES: nvptx, ptxas

// One tile is both operands, A along M and B along N. Its buffer has the size of the
// larger operand, and each matmul reads only its part.

// CHECK-LABEL: kernel square_8
// CHECK: tile.matmul lhs
// CHECK-NEXT: tile.matmul rhs
tile.kernel @square_8(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<8x8xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  %d = tile.matmul %a, %a, %zero : !tile.tile<8x8xf16>, !tile.tile<8x8xf16> -> !tile.tile<8x8xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: kernel square_24
// CHECK: tile.matmul lhs
// CHECK-NEXT: tile.matmul rhs
tile.kernel @square_24(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<24x24xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<24x24xf32>
  %d = tile.matmul %a, %a, %zero : !tile.tile<24x24xf16>, !tile.tile<24x24xf16> -> !tile.tile<24x24xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<24x24xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: kernel gram_40x16
// CHECK: tile.matmul lhs
// CHECK-NEXT: tile.matmul rhs
tile.kernel @gram_40x16(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<40x16xf16>
  %b = tile.transpose %a [1, 0] : !tile.tile<40x16xf16> to !tile.tile<16x40xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<40x40xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<40x16xf16>, !tile.tile<16x40xf16> -> !tile.tile<40x40xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<40x40xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: kernel gram_100x40
// CHECK: tile.matmul lhs
// CHECK-NEXT: tile.matmul rhs
tile.kernel @gram_100x40(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<100x40xf16>
  %b = tile.transpose %a [1, 0] : !tile.tile<100x40xf16> to !tile.tile<40x100xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<100x100xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<100x40xf16>, !tile.tile<40x100xf16> -> !tile.tile<100x100xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<100x100xf32>, memref<?x?xf32>
  tile.return
}
