// RUN: tile-opt %s -tile-warp-tiling | FileCheck %s

// A name, an attribute and the compiler's own choice are one instruction.
// CHECK-LABEL: tile.kernel @name
// CHECK: tiling <[[$TILING:warps = .*, atom = #tile.mma<16x8x16, f16, f32>>]]
tile.kernel @name(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<48x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x80xf16>
  %c = arith.constant dense<0.0> : !tile.tile<48x80xf32>
  %d = tile.matmul %a, %b, %c tiling <atom = "m16n8k16"> : !tile.tile<48x64xf16>, !tile.tile<64x80xf16> -> !tile.tile<48x80xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<48x80xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @attribute
// CHECK: tiling <[[$TILING]]
tile.kernel @attribute(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<48x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x80xf16>
  %c = arith.constant dense<0.0> : !tile.tile<48x80xf32>
  %d = tile.matmul %a, %b, %c tiling <atom = #tile.mma<16x8x16, f16, f32>> : !tile.tile<48x64xf16>, !tile.tile<64x80xf16> -> !tile.tile<48x80xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<48x80xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @choice
// CHECK: tiling <[[$TILING]]
tile.kernel @choice(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<48x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x80xf16>
  %c = arith.constant dense<0.0> : !tile.tile<48x80xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<48x64xf16>, !tile.tile<64x80xf16> -> !tile.tile<48x80xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<48x80xf32>, memref<?x?xf32>
  tile.return
}
