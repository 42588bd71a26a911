// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// A function that calls functions or launches kernels is host code, and is unchanged.
func.func private @report(memref<5xf32>)
func.func @of_the_host(%a: memref<5xf32>, %b: memref<5xf32>) {
  call @report(%a) : (memref<5xf32>) -> ()
  memref.copy %a, %b : memref<5xf32> to memref<5xf32>
  return
}
// CHECK-LABEL: func.func @of_the_host
// CHECK-NEXT: call @report
// CHECK-NEXT: memref.copy

// -----

// Copies become a kernel even next to scalars and assertions, which the host keeps.
func.func @copies_a_part(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c9 = arith.constant 9 : index
  %isLess = arith.cmpi slt, %n, %c9 : index
  cf.assert %isLess, "a part"
  %m = affine.apply affine_map<(n) -> (2 * n)>(%n)
  %from = memref.subview %a[0] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %from, %b : memref<?xf32, strided<[1]>> to memref<?xf32>
  return
}
// CHECK: tile.kernel @copies_a_part_elements
// CHECK: func.func @copies_a_part
// CHECK: cf.assert %{{.*}}, "a part"
// CHECK: %[[M:.*]] = affine.apply
// CHECK-DAG: arith.cmpi sle, %[[M]]
// CHECK-DAG: arith.cmpi eq, {{.*}}%[[M]]
// CHECK-NOT: memref.copy
// CHECK: tile.launch @copies_a_part_elements

// -----

// linalg.softmax, which is not a structured operation of linalg, is converted.
func.func @softmax(%a: memref<4x9xf32>, %b: memref<4x9xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<4x9xf32>) outs(%b : memref<4x9xf32>)
  return
}
// CHECK: tile.kernel @softmax_rows
// CHECK: func.func @softmax
// CHECK-NOT: linalg
// CHECK: tile.launch @softmax_rows

// -----

// The kernel's name is an identifier of C, whatever the name of the function is.
func.func @"main.0-a"(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = math.absf %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK: tile.kernel @main_0_a_elements
// CHECK: func.func @"main.0-a"
// CHECK: tile.launch @main_0_a_elements

// -----

// The kernel computes scalars that the host cannot compute.
func.func @scalars(%a: tensor<4xf32>, %s: f32, %n: i32) -> tensor<4xf32> {
  %f = arith.sitofp %n : i32 to f32
  %t = arith.mulf %s, %f : f32
  %u = math.exp %t : f32
  %e = tensor.splat %u : tensor<4xf32>
  %r = arith.addf %a, %e : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK: tile.kernel @scalars_elements(
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: math.exp
// CHECK: tile.store
// CHECK: func.func @scalars
// CHECK-NEXT: tile.launch @scalars_elements
// CHECK-NEXT: return
