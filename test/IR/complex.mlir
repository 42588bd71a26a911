// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds
func.func @kinds(%x: !tile.tile<8xcomplex<f32>>, %z: !tile.tile<3x5xcomplex<f64>>, %a: !tile.tile<8xf32>) {
  // CHECK: tile.complex mul %{{.*}}, %{{.*}} : !tile.tile<8xcomplex<f32>>, !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  %0 = tile.complex mul %x, %x : !tile.tile<8xcomplex<f32>>, !tile.tile<8xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  // CHECK: tile.complex conj %{{.*}} : !tile.tile<3x5xcomplex<f64>> to !tile.tile<3x5xcomplex<f64>>
  %1 = tile.complex conj %z : !tile.tile<3x5xcomplex<f64>> to !tile.tile<3x5xcomplex<f64>>
  // CHECK: tile.complex abs %{{.*}} : !tile.tile<3x5xcomplex<f64>> to !tile.tile<3x5xf64>
  %2 = tile.complex abs %z : !tile.tile<3x5xcomplex<f64>> to !tile.tile<3x5xf64>
  // CHECK: tile.complex create %{{.*}}, %{{.*}} : !tile.tile<8xf32>, !tile.tile<8xf32> to !tile.tile<8xcomplex<f32>>
  %3 = tile.complex create %a, %a : !tile.tile<8xf32>, !tile.tile<8xf32> to !tile.tile<8xcomplex<f32>>
  return
}
