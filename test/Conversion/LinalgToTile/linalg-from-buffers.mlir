// RUN: tile-opt %s -tile-linalg-from-buffers | FileCheck %s
// RUN: tile-opt %s -tile-linalg-from-buffers -tile-linalg-from-buffers | FileCheck %s

// For an array that is written, the function has a result with the array's index.

// CHECK-LABEL: func.func @exp(
// CHECK-SAME:    %arg0: f32, %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK-SAME:    -> (tensor<?xf32> {tile.result_array = 2 : i64}) {
// CHECK-NEXT:  %[[R:.*]] = linalg.exp ins(%[[X]] : tensor<?xf32>) outs(%[[Y]] : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:  return %[[R]] : tensor<?xf32>
func.func @exp(%n: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// A write to a view becomes an insertion into the array's tensor. Results for arrays
// that are written come before other results.

// CHECK-LABEL: func.func @part(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-SAME:    -> (tensor<8xf32> {tile.result_array = 1 : i64}, tensor<4xf32>) {
// CHECK:       %[[E:.*]] = linalg.exp ins(%[[X]]
// CHECK:       %[[I:.*]] = tensor.insert_slice %[[E]] into %[[Y]][2] [4] [1]
// CHECK-NEXT:  return %[[I]], %[[E]]
func.func @part(%x: memref<4xf32>, %y: memref<8xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  %v = memref.subview %y[2][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.copy %t, %v : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
  return %t : memref<4xf32>
}

// A function on tensors is unchanged, and so is a function with a call, as host code.

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    -> tensor<4xf32> {
// CHECK-NEXT:  linalg.exp
func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @host(
// CHECK:       memref.copy
func.func private @other()
func.func @host(%x: memref<4xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  call @other() : () -> ()
  return
}
