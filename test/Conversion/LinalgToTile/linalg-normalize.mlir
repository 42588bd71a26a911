// RUN: tile-opt %s -tile-linalg-normalize | FileCheck %s

// A softmax that a matmul reads is named; the operations that compute its weights stay.

// CHECK-LABEL: func.func @softmax_matmul(
// CHECK-SAME:    %[[S:.*]]: tensor<16x512xf32>, %[[V:.*]]: tensor<512x32xf32>
// CHECK:       arith.maxnumf
// CHECK:       math.exp
// CHECK:         arith.divf
// CHECK:       %[[W:.*]] = tile.online_softmax %{{.*}} of %[[S]] dim 1 : tensor<16x512xf32>, tensor<16x512xf32>
// CHECK:       linalg.generic {{.*}} ins(%[[W]], %[[V]]
func.func @softmax_matmul(%s: tensor<16x512xf32>, %v: tensor<512x32xf32>, %z: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x512xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x512xf32>) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %o = linalg.matmul ins(%p, %v : tensor<16x512xf32>, tensor<512x32xf32>) outs(%z : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %o : tensor<16x32xf32>
}

// Weights that are the right operand are normalized along the first dimension.

// CHECK-LABEL: func.func @softmax_on_the_right(
// CHECK:       tile.online_softmax %{{.*}} of %{{.*}} dim 0 : tensor<512x16xf32>, tensor<512x16xf32>
func.func @softmax_on_the_right(%s: tensor<512x16xf32>, %v: tensor<32x512xf32>, %z: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %e = tensor.empty() : tensor<512x16xf32>
  %p = linalg.softmax dimension(0) ins(%s : tensor<512x16xf32>) outs(%e : tensor<512x16xf32>) -> tensor<512x16xf32>
  %o = linalg.matmul ins(%v, %p : tensor<32x512xf32>, tensor<512x16xf32>) outs(%z : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %o : tensor<32x16xf32>
}

// A softmax that no matmul reads has no such name.

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:   tile.online_softmax
// CHECK:       return
func.func @softmax(%s: tensor<16x512xf32>) -> tensor<16x512xf32> {
  %e = tensor.empty() : tensor<16x512xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x512xf32>) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  return %p : tensor<16x512xf32>
}

// Requirements on sizes are asserted.

// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG:   %[[DX:.*]] = tensor.dim %[[X]]
// CHECK-DAG:   %[[DY:.*]] = tensor.dim %[[Y]]
// CHECK:       %[[EQ:.*]] = arith.cmpi eq, %[[DY]], %[[DX]]
// CHECK-NEXT:  cf.assert %[[EQ]], "sizes that the operation at {{.*}}:[[#@LINE+4]]:8 expects"
// CHECK:       linalg.generic
// CHECK:         arith.addf
func.func @sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// There is no loop of extent one.

// CHECK-LABEL: func.func @unit(
// CHECK:       linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK:         math.exp
func.func @unit(%x: tensor<1x8xf32>, %z: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = linalg.exp ins(%x : tensor<1x8xf32>) outs(%z : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// A function that has groups must already be in normal form, and is not changed.

// CHECK-LABEL: func.func @groups(
// CHECK-NEXT:  tile.group {
// CHECK-NEXT:    linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
func.func @groups(%x: tensor<1x8xf32>, %z: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %g = tile.group {
    %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<1x8xf32>) outs(%z : tensor<1x8xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%e: f32, %o: f32):
      linalg.yield %e : f32
    } -> tensor<1x8xf32>
    tile.yield %0 : tensor<1x8xf32>
  } : tensor<1x8xf32>
  return %g : tensor<1x8xf32>
}
