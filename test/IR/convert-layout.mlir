// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @storages
func.func @storages(%a: !tile.tile<8x8xf32>, %b: !tile.tile<8x8xf32, #tile.register>) {
  // CHECK: tile.convert_layout %{{.*}} : !tile.tile<8x8xf32> to !tile.tile<8x8xf32, #tile.shared>
  %0 = tile.convert_layout %a : !tile.tile<8x8xf32> to !tile.tile<8x8xf32, #tile.shared>
  // CHECK: tile.convert_layout %{{.*}} : !tile.tile<8x8xf32, #tile.register> to !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>
  %1 = tile.convert_layout %b : !tile.tile<8x8xf32, #tile.register> to !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>
  // CHECK: tile.convert_layout %{{.*}} : !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>> to !tile.tile<8x8xf32>
  %2 = tile.convert_layout %1 : !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>> to !tile.tile<8x8xf32>
  return
}
