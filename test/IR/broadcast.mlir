// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @extents_and_dimensions
func.func @extents_and_dimensions(%a: !tile.tile<1x64xf32>, %b: !tile.tile<7xi1>, %c: !tile.tile<f16>) {
  // CHECK: tile.broadcast %{{.*}} : !tile.tile<1x64xf32> to !tile.tile<32x64xf32>
  %0 = tile.broadcast %a : !tile.tile<1x64xf32> to !tile.tile<32x64xf32>
  // CHECK: tile.broadcast %{{.*}} : !tile.tile<7xi1> to !tile.tile<3x5x7xi1>
  %1 = tile.broadcast %b : !tile.tile<7xi1> to !tile.tile<3x5x7xi1>
  // CHECK: tile.broadcast %{{.*}} : !tile.tile<f16> to !tile.tile<2x2xf16>
  %2 = tile.broadcast %c : !tile.tile<f16> to !tile.tile<2x2xf16>
  return
}

// CHECK-LABEL: func.func @along_dims
func.func @along_dims(%a: !tile.tile<32xf32>, %b: !tile.tile<3x1xi8>) {
  // CHECK: tile.broadcast %{{.*}} dims [0] : !tile.tile<32xf32> to !tile.tile<32x64xf32>
  %0 = tile.broadcast %a dims [0] : !tile.tile<32xf32> to !tile.tile<32x64xf32>
  // CHECK: tile.broadcast %{{.*}} dims [0, 2] : !tile.tile<3x1xi8> to !tile.tile<3x7x5xi8>
  %1 = tile.broadcast %b dims [0, 2] : !tile.tile<3x1xi8> to !tile.tile<3x7x5xi8>
  return
}
