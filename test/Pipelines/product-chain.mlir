// RUN: tile-opt %s -tile-phases | FileCheck %s

!half = !tile.tile<128x64xf16>
!rhs = !tile.tile<64x64xf16>
!sums = !tile.tile<128x64xf32>

// Tiles between two matmuls of a chain stay in registers: there is no buffer
// and no barrier between the matmuls.
// CHECK-LABEL: tile.kernel @keeps_accumulators_in_registers(
// CHECK:         tile.matmul
// CHECK-NOT:     tile_gpu.store_shared
// CHECK-NOT:     gpu.barrier
// CHECK:         tile.matmul
tile.kernel @keeps_accumulators_in_registers(
    %x: memref<128x64xf16>, %w: memref<64x64xf16>, %y: memref<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> !half
  %b = tile.load %w[%c0, %c0] : memref<64x64xf16> -> !rhs
  %zero = arith.constant dense<0.0> : !sums
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %r = arith.maximumf %s, %zero : !sums
  %h = tile.cast %r : !sums to !half
  %d = tile.matmul %h, %b, %zero : !half, !rhs -> !sums
  tile.store %d, %y[%c0, %c0] : !sums, memref<128x64xf32>
  tile.return
}
