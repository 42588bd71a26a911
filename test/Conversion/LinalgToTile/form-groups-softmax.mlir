// RUN: tile-opt %s -tile-linalg-normalize -tile-form-groups | FileCheck %s
// RUN: tile-opt %s -tile-linalg-normalize -tile-form-groups -tile-form-groups | FileCheck %s

// A matmul whose weights are an online softmax joins the group of the scores.

// CHECK-LABEL: func.func @fused(
// CHECK:       tile.group {
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK:           arith.divf
// CHECK:         %[[W:.*]] = tile.online_softmax %{{.*}} of %[[S]] dim 1
// CHECK-NEXT:    %[[O:.*]] = linalg.generic {{.*}} ins(%[[W]], %arg2 : {{.*}} {tile.loops = array<i64: 0, 3, 1>}
// CHECK:         tile.yield %[[O]] : tensor<64x32xf32>
// CHECK-NOT:   tile.group
func.func @fused(%q: tensor<64x32xf32>, %k: tensor<32x512xf32>, %v: tensor<512x32xf32>, %zs: tensor<64x512xf32>, %z: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x512xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf32>, tensor<32x512xf32>) outs(%zs : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x512xf32>, tensor<512x32xf32>) outs(%z : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// Values of more columns than a tile has do not join: the weights are stored.

// CHECK-LABEL: func.func @wide(
// CHECK:       %[[P:.*]] = tile.group {
// CHECK-NOT:   tile.online_softmax
// CHECK:       tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[P]], %arg2
// CHECK-NOT:   tile.online_softmax
func.func @wide(%q: tensor<64x32xf32>, %k: tensor<32x512xf32>, %v: tensor<512x320xf32>, %zs: tensor<64x512xf32>, %z: tensor<64x320xf32>) -> tensor<64x320xf32> {
  %e = tensor.empty() : tensor<64x512xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x32xf32>, tensor<32x512xf32>) outs(%zs : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x512xf32>, tensor<512x320xf32>) outs(%z : tensor<64x320xf32>) -> tensor<64x320xf32>
  return %o : tensor<64x320xf32>
}
