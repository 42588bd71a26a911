// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @distributions
func.func @distributions(%s: i64, %c: i64) {
  // CHECK: tile.random bits %{{.*}}, %{{.*}} : !tile.tile<7x19xi8>
  %0 = tile.random bits %s, %c : !tile.tile<7x19xi8>
  // CHECK: tile.random uniform %{{.*}}, %{{.*}} : !tile.tile<f64>
  %1 = tile.random uniform %s, %c : !tile.tile<f64>
  // CHECK: tile.random normal %{{.*}}, %{{.*}} : !tile.tile<4xbf16>
  %2 = tile.random normal %s, %c : !tile.tile<4xbf16>
  return
}
