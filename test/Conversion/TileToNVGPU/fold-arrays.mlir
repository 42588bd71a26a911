// RUN: tile-opt %s -tile-phases -tile-lowering | FileCheck %s

// The registers of a fragment go from the load instruction to the matrix instruction
// directly, without an array in between.

// CHECK-LABEL: llvm.func @product
// CHECK-NOT: llvm.insertvalue {{.*}}!llvm.array<4 x vector<2xf16>>
// CHECK: %[[LOADED:.*]] = nvvm.ldmatrix
// CHECK: %[[WORD:.*]] = llvm.extractvalue %[[LOADED]][0]
// CHECK: %[[PAIR:.*]] = llvm.bitcast %[[WORD]] : i32 to vector<2xf16>
// CHECK-NOT: llvm.insertvalue {{.*}}!llvm.array<4 x vector<2xf16>>
// CHECK: nvvm.mma.sync A[%[[PAIR]]
// CHECK-NOT: llvm.insertvalue {{.*}}!llvm.array<4 x vector<2xf16>>
tile.kernel @product(%x: memref<32x32xf16>, %y: memref<32x32xf16>,
                     %z: memref<32x32xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<32x32xf16> -> !tile.tile<32x32xf16>
  %b = tile.load %y[%c0, %c0] : memref<32x32xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
  tile.store %c, %z[%c0, %c0] : !tile.tile<32x32xf32>, memref<32x32xf32>
  tile.return
}
