// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// Divisions that round down or up are truncating divisions with a correction.
// CHECK-LABEL: llvm.func @floordivsi(
// CHECK: llvm.sdiv
// CHECK: llvm.select
// CHECK: llvm.return
tile.kernel @floordivsi(%x: memref<7xi32>, %y: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %b = tile.load %y[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %q = arith.floordivsi %a, %b : !tile.tile<7xi32>
  tile.store %q, %x[%c0] : !tile.tile<7xi32>, memref<7xi32>
  tile.return
}

// CHECK-LABEL: llvm.func @ceildivsi(
// CHECK: llvm.sdiv
// CHECK: llvm.select
// CHECK: llvm.return
tile.kernel @ceildivsi(%x: memref<7xi32>, %y: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %b = tile.load %y[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %q = arith.ceildivsi %a, %b : !tile.tile<7xi32>
  tile.store %q, %x[%c0] : !tile.tile<7xi32>, memref<7xi32>
  tile.return
}

// CHECK-LABEL: llvm.func @ceildivui(
// CHECK: llvm.udiv
// CHECK: llvm.select
// CHECK: llvm.return
tile.kernel @ceildivui(%x: memref<7xi32>, %y: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %b = tile.load %y[%c0] : memref<7xi32> -> !tile.tile<7xi32>
  %q = arith.ceildivui %a, %b : !tile.tile<7xi32>
  tile.store %q, %x[%c0] : !tile.tile<7xi32>, memref<7xi32>
  tile.return
}

// The operation has two results, whose elements are packed differently.
// CHECK-LABEL: llvm.func @wide_sum(
// CHECK: llvm.intr.uadd.with.overflow
tile.kernel @wide_sum(%x: memref<64xi8>, %y: memref<64xi1>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<64xi8> -> !tile.tile<64xi8>
  %s, %carry = arith.addui_extended %a, %a : !tile.tile<64xi8>, !tile.tile<64xi1>
  tile.store %s, %x[%c0] : !tile.tile<64xi8>, memref<64xi8>
  tile.store %carry, %y[%c0] : !tile.tile<64xi1>, memref<64xi1>
  tile.return
}

// CHECK-LABEL: llvm.func @clamp(
// CHECK-NOT: math.
// CHECK: llvm.return
tile.kernel @clamp(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %low = arith.constant dense<-1.0> : !tile.tile<64xf32>
  %high = arith.constant dense<1.0> : !tile.tile<64xf32>
  %a = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %c = math.clampf %a to [%low, %high] : !tile.tile<64xf32>
  tile.store %c, %x[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// CHECK-LABEL: llvm.func @both_functions(
// CHECK: llvm.call @__nv_sinf
// CHECK: llvm.call @__nv_cosf
tile.kernel @both_functions(%x: memref<32xf16>, %y: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16>
  %s, %c = math.sincos %a : !tile.tile<32xf16>
  tile.store %s, %x[%c0] : !tile.tile<32xf16>, memref<32xf16>
  tile.store %c, %y[%c0] : !tile.tile<32xf16>, memref<32xf16>
  tile.return
}
