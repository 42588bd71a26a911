// RUN: tile-opt %s -canonicalize | FileCheck %s

// The successor of a constant is a constant; what a loop carries is not.
// CHECK-LABEL: func.func @successors
// CHECK-DAG: %[[TWO:.*]] = tile_gpu.counter 2 : !tile_gpu.counter<2>
// CHECK-DAG: %[[NEXT:.*]] = tile_gpu.next %{{.*}} : !tile_gpu.counter<2>
// CHECK: return %[[TWO]], %[[NEXT]]
func.func @successors(%n: !tile_gpu.counter<2>) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
  %zero = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %one = tile_gpu.next %zero : !tile_gpu.counter<2>
  %two = tile_gpu.next %one : !tile_gpu.counter<2>
  %next = tile_gpu.next %n : !tile_gpu.counter<2>
  return %two, %next : !tile_gpu.counter<2>, !tile_gpu.counter<2>
}
