// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form(%address: i64, %n: index, %s: index) {
  // CHECK: tile.array_at %arg0 : memref<4x8xf16>
  tile.array_at %address : memref<4x8xf16>
  // CHECK-NEXT: tile.array_at %arg0[%arg1] : memref<?xf32>
  tile.array_at %address[%n] : memref<?xf32>
  // CHECK-NEXT: tile.array_at %arg0 strides[%arg2] : memref<4x8xi8, strided<[?, 1]>>
  tile.array_at %address strides [%s] : memref<4x8xi8, strided<[?, 1]>>
  // CHECK-NEXT: tile.array_at %arg0[%arg1, %arg1] strides[%arg2, %arg1] : memref<?x?xf64, strided<[?, ?]>>
  tile.array_at %address[%n, %n] strides [%s, %n] : memref<?x?xf64, strided<[?, ?]>>
  return
}
