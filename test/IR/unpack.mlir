// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @words
func.func @words(%t: !tile.tile<64x32xi8>, %w: !tile.tile<7xi64>) {
  // CHECK: tile.unpack %{{.*}} axis 1 bits 4 : !tile.tile<64x32xi8> to !tile.tile<64x64xi8>
  %0 = tile.unpack %t axis 1 bits 4 : !tile.tile<64x32xi8> to !tile.tile<64x64xi8>
  // CHECK: tile.unpack %{{.*}} axis 0 bits 2 unsigned : !tile.tile<64x32xi8> to !tile.tile<256x32xi8>
  %1 = tile.unpack %t axis 0 bits 2 unsigned : !tile.tile<64x32xi8> to !tile.tile<256x32xi8>
  // CHECK: tile.unpack %{{.*}} axis 0 bits 1 : !tile.tile<7xi64> to !tile.tile<448xi8>
  %2 = tile.unpack %w axis 0 bits 1 : !tile.tile<7xi64> to !tile.tile<448xi8>
  return
}
