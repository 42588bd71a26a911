// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// Instructions by shape and types, and their names: as attributes, and in the tiling of
// a matmul, which keeps the name that a program gives.

// CHECK: func.func private @fma() attributes {test = #tile.fma}
func.func private @fma() attributes {test = #tile.fma}

// CHECK: func.func private @mma() attributes {test = #tile.mma<16x8x16, f16, f32>}
func.func private @mma() attributes {test = #tile.mma<16x8x16, f16, f32>}

// CHECK: func.func private @double() attributes {test = #tile.mma<8x8x4, f64, f64>}
func.func private @double() attributes {test = #tile.mma<8x8x4, f64, f64>}

// CHECK: func.func private @wgmma() attributes {test = #tile.wgmma<64x?x8, tf32, f32>}
func.func private @wgmma() attributes {test = #tile.wgmma<64x?x8, tf32, f32>}

// CHECK-LABEL: tile.kernel @tilings
tile.kernel @tilings(%x: memref<64x64xf16>, %y: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // CHECK: tiling <atom = #tile.mma<16x8x16, f16, f32>>
  %d = tile.matmul %a, %a, %c tiling <atom = #tile.mma<16x8x16, f16, f32>> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  // CHECK: tiling <atom = "m16n8k16">
  %e = tile.matmul %a, %a, %d tiling <atom = "m16n8k16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}
