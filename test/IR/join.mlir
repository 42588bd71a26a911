// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @parts
func.func @parts(%t: !tile.tile<4x3xf32>, %u: !tile.tile<4x5xf32>) {
  // CHECK: tile.join %{{.*}}, %{{.*}} axis 1 : !tile.tile<4x3xf32>, !tile.tile<4x5xf32> to !tile.tile<4x8xf32>
  %0 = tile.join %t, %u axis 1 : !tile.tile<4x3xf32>, !tile.tile<4x5xf32> to !tile.tile<4x8xf32>
  return
}
