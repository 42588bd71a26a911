// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @elements
func.func @elements(%t: !tile.tile<8x4xf32>, %s: !tile.tile<i1>, %i: index) -> f32 {
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<8x4xf32>
  %0 = tile.extract %t[%i, %i] : !tile.tile<8x4xf32>
  // CHECK: tile.extract %{{.*}}[] : !tile.tile<i1>
  %1 = tile.extract %s[] : !tile.tile<i1>
  return %0 : f32
}
