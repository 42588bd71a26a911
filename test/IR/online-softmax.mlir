// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @softmaxes
func.func @softmaxes(%w: tensor<?x8xf16>, %s: tensor<?x8xf32>, %t: tensor<8x?xf32>) {
  // CHECK: tile.online_softmax %{{.*}} of %{{.*}} dim 1 : tensor<?x8xf16>, tensor<?x8xf32>
  %0 = tile.online_softmax %w of %s dim 1 : tensor<?x8xf16>, tensor<?x8xf32>
  // CHECK: tile.online_softmax %{{.*}} of %{{.*}} dim 0 safe : tensor<?x8xf16>, tensor<8x?xf32>
  %1 = tile.online_softmax %w of %t dim 0 safe : tensor<?x8xf16>, tensor<8x?xf32>
  return
}
