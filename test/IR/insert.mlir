// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @box
func.func @box(%p: !tile.tile<4x1xf32>, %t: !tile.tile<64x64xf32>, %i: index) {
  // CHECK: tile.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<4x1xf32> into !tile.tile<64x64xf32>
  %0 = tile.insert %p into %t[%i, %i] : !tile.tile<4x1xf32> into !tile.tile<64x64xf32>
  return
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: f32, %t: !tile.tile<64x64xf32>, %i: index) {
  // CHECK: tile.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : f32 into !tile.tile<64x64xf32>
  %0 = tile.insert %x into %t[%i, %i] : f32 into !tile.tile<64x64xf32>
  return
}
