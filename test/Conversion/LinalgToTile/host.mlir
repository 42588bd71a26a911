// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// An array that two kernels use is allocated once; its extent is that of an argument.
func.func @two(%a: tensor<?x33xf32>, %b: tensor<33x20xf32>, %c: tensor<20x9xf32>) -> tensor<?x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x33xf32>
  %e0 = tensor.empty(%m) : tensor<?x20xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x20xf32>) -> tensor<?x20xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x33xf32>, tensor<33x20xf32>) outs(%f0 : tensor<?x20xf32>) -> tensor<?x20xf32>
  %n = tensor.dim %p, %c0 : tensor<?x20xf32>
  %e1 = tensor.empty(%n) : tensor<?x9xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x9xf32>) -> tensor<?x9xf32>
  %q = linalg.matmul ins(%p, %c : tensor<?x20xf32>, tensor<20x9xf32>) outs(%f1 : tensor<?x9xf32>) -> tensor<?x9xf32>
  return %q : tensor<?x9xf32>
}
// CHECK: func.func @two(%[[A:.*]]: memref<?x33xf32>, %[[B:.*]]: memref<33x20xf32>, %[[C:.*]]: memref<20x9xf32>, %[[OUT:.*]]: memref<?x9xf32>) {
// CHECK: %[[M:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[P:.*]] = memref.alloc(%[[M]]) : memref<?x20xf32>
// CHECK-NEXT: tile.launch @two_product(%[[A]], %[[B]], %[[P]])
// CHECK-NEXT: tile.launch @two_product_1(%[[P]], %[[C]], %[[OUT]])
// CHECK-NEXT: return

// -----

// Reshaped arguments and results are views of the same memory.
func.func @reshaped(%a: tensor<2x9x30xf32>, %b: tensor<30x20xf32>) -> tensor<2x9x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x9x30xf32> into tensor<18x30xf32>
  %e = tensor.empty() : tensor<18x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<18x20xf32>) -> tensor<18x20xf32>
  %p = linalg.matmul ins(%flat, %b : tensor<18x30xf32>, tensor<30x20xf32>) outs(%f : tensor<18x20xf32>) -> tensor<18x20xf32>
  %r = tensor.expand_shape %p [[0, 1], [2, 3]] output_shape [2, 9, 4, 5] : tensor<18x20xf32> into tensor<2x9x4x5xf32>
  return %r : tensor<2x9x4x5xf32>
}
// CHECK: func.func @reshaped(%[[A:.*]]: memref<2x9x30xf32>, %[[B:.*]]: memref<30x20xf32>, %[[OUT:.*]]: memref<2x9x4x5xf32>) {
// CHECK-DAG: %[[FLATOUT:.*]] = memref.collapse_shape %[[OUT]] {{\[\[}}0, 1], [2, 3]]
// CHECK-DAG: %[[FLAT:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1], [2]]
// CHECK: tile.launch @reshaped_product(%[[FLAT]], %[[B]], %[[FLATOUT]])
// CHECK-NEXT: return

// -----

// An argument that is returned is copied, and so is a value that is returned twice.
func.func @returned(%a: tensor<?x7xf32>) -> (tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x7xf32>) {
  %b = arith.addf %a, %a : tensor<?x7xf32>
  return %a, %b, %b : tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x7xf32>
}
// CHECK: func.func @returned(%[[A:.*]]: memref<?x7xf32>, %[[R0:.*]]: memref<?x7xf32>, %[[R1:.*]]: memref<?x7xf32>, %[[R2:.*]]: memref<?x7xf32>) {
// CHECK: tile.launch @returned_elements(%[[A]], %[[R0]])
// CHECK-NEXT: tile.launch @returned_elements_1(%[[A]], %[[R1]])
// CHECK-NEXT: tile.launch @returned_elements_2(%[[R1]], %[[R2]])
// CHECK-NEXT: return

// -----

// Kernels access a tensor of rank 0 as an array of one element.
func.func @total(%a: tensor<33x50xf32>, %b: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<33x50xf32>) outs(%b : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK: tile.kernel @total_rows(%{{.*}}: memref<33x50xf32>, %{{.*}}: memref<1xf32>, %{{.*}}: memref<1xf32>)
// CHECK: tile.reduce add {{.*}} axis 1
// CHECK: tile.reduce add {{.*}} axis 0
// CHECK: func.func @total(%[[A:.*]]: memref<33x50xf32>, %[[B:.*]]: memref<f32>, %[[OUT:.*]]: memref<f32>)
// CHECK: %[[B1:.*]] = memref.expand_shape %[[B]]
// CHECK: %[[OUT1:.*]] = memref.expand_shape %[[OUT]]
// CHECK: tile.launch @total_rows(%[[A]], %[[B1]], %[[OUT1]])

// -----

// An assertion that always holds is removed. A function without tensors is unchanged.
func.func @asserted(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %isSize = arith.cmpi sge, %m, %c0 : index
  cf.assert %isSize, "no size"
  %isSame = arith.cmpi eq, %m, %n : index
  cf.assert %isSame, "expected one size"
  %b = math.absf %a : tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @other(%n: index) -> index {
  return %n : index
}
// CHECK: func.func @asserted(%[[A:.*]]: memref<?xf32>, %[[N:.*]]: index, %{{.*}}: memref<?xf32>)
// CHECK: %[[M:.*]] = memref.dim %[[A]]
// CHECK: %[[ISSAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK-NEXT: cf.assert %[[ISSAME]], "expected one size"
// CHECK-NOT: "no size"
// CHECK: tile.launch
// CHECK: func.func @other(%[[N:.*]]: index) -> index {
// CHECK-NEXT: return %[[N]]

// -----

// The grid of five loops: the first three loops share the grid's dimension z.
func.func @deep(%a: tensor<2x3x4x?x?xf32>) -> tensor<2x3x4x?x?xf32> {
  %b = math.absf %a : tensor<2x3x4x?x?xf32>
  return %b : tensor<2x3x4x?x?xf32>
}
// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0 ceildiv 128, d1 ceildiv 16, 2, 3, 4)>
// CHECK: tile.kernel @deep_elements{{.*}} attributes {grid = #tile.grid<#[[MAP]] of {{\[\[}}1, 4], [1, 3]] factors[1, 1, 3]>}
// CHECK: %[[Z:.*]] = tile.program_id z
// CHECK: %[[C:.*]] = arith.remui %[[Z]], %c4
// CHECK: %[[AB:.*]] = arith.divui %[[Z]], %c4
// CHECK: %[[B:.*]] = arith.remui %[[AB]], %c3
// CHECK: %[[A:.*]] = arith.divui %[[AB]], %c3
// CHECK: tile.load %{{.*}}[%[[A]], %[[B]], %[[C]], %{{.*}}, %{{.*}}]

// -----

// Constants with different elements are arrays of the module, which kernels read.
func.func @table(%x: tensor<4x3xf32>, %places: tensor<9xi32>) -> (tensor<4x3xf32>, tensor<9xf16>, tensor<2xi1>) {
  %weights = arith.constant dense<[[1.5, -2.0, 0.1], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %numbers = arith.constant dense<[1.0, 2.5, -3.0]> : tensor<3xf16>
  %flags = arith.constant dense<[true, false]> : tensor<2xi1>
  %bias = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %b = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%e : tensor<4x3xf32>) dimensions = [0]
  %p = linalg.matmul ins(%x, %weights : tensor<4x3xf32>, tensor<3x3xf32>) outs(%b : tensor<4x3xf32>) -> tensor<4x3xf32>
  %n = tensor.empty() : tensor<9xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%places : tensor<9xi32>) outs(%n : tensor<9xf16>) {
  ^bb0(%i: i32, %o: f16):
    %place = arith.index_cast %i : i32 to index
    %v = tensor.extract %numbers[%place] : tensor<3xf16>
    linalg.yield %v : f16
  } -> tensor<9xf16>
  return %p, %r, %flags : tensor<4x3xf32>, tensor<9xf16>, tensor<2xi1>
}
// CHECK-DAG: memref.global "private" constant @table_constant : memref<3xf32> = dense<{{.*}}>
// CHECK-DAG: memref.global "private" constant @table_constant_1 : memref<3x3xf32> = dense<{{.*}}>
// CHECK: func.func @table(%[[X:.*]]: memref<4x3xf32>
// CHECK: %[[WEIGHTS:.*]] = memref.get_global @table_constant_1 : memref<3x3xf32>
// CHECK: tile.launch @table_product({{.*}}%[[WEIGHTS]]
