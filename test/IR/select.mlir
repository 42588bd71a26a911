// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @conditions
func.func @conditions(%c: !tile.tile<8x3xi1>, %s: i1, %a: !tile.tile<8x3xf32>, %b: !tile.tile<8x3xf32>) {
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<8x3xi1>, !tile.tile<8x3xf32>
  %0 = tile.select %c, %a, %b : !tile.tile<8x3xi1>, !tile.tile<8x3xf32>
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : i1, !tile.tile<8x3xf32>
  %1 = tile.select %s, %a, %b : i1, !tile.tile<8x3xf32>
  return
}
