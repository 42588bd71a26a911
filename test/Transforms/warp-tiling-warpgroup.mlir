// RUN: tile-opt %s -tile-warp-tiling | FileCheck %s

// Matmuls of four warps. 16-bit operands may be contiguous along any dimension. Along M
// there is a multiple of four warps. Unsupported matmuls use instructions of a warp.

#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {

// CHECK-LABEL: tile.kernel @f16
// CHECK-SAME: block = 128
// CHECK: tiling <warps = [4, 1], sub = [2, 16], atom = #tile.wgmma<64x?x16, f16, f32>>
tile.kernel @f16(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
  tile.return
}

// Warpgroups are first distributed along M, even for a wide tile: an instruction of 256
// columns reads the fewest operand bytes.
// CHECK-LABEL: tile.kernel @wide
// CHECK: tiling <warps = [8, 1], sub = [1, 32], atom = #tile.wgmma<64x?x16, bf16, f32>>
tile.kernel @wide(%x: memref<?x?xbf16, #row>, %y: memref<?x?xbf16, #column>) attributes {block = 256} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xbf16, #row> -> !tile.tile<128x64xbf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xbf16, #column> -> !tile.tile<64x256xbf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<128x64xbf16>, !tile.tile<64x256xbf16> -> !tile.tile<128x256xf32>
  tile.return
}

// K = 40 is padded to 48; the transposed load is contiguous along K.
// CHECK-LABEL: tile.kernel @transposed_odd
// CHECK: tiling <warps = [4, 1], sub = [2, 5], atom = #tile.wgmma<64x?x16, f16, f32>>
tile.kernel @transposed_odd(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<70x40xf16>
  %t = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<37x40xf16>
  %b = tile.transpose %t [1, 0] : !tile.tile<37x40xf16> to !tile.tile<40x37xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<70x37xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<70x40xf16>, !tile.tile<40x37xf16> -> !tile.tile<70x37xf32>
  tile.return
}

// 37 columns are not a whole number of panels of 16 where N is contiguous.
// CHECK-LABEL: tile.kernel @no_panels
// CHECK: atom = #tile.mma<16x8x16, f16, f32>
tile.kernel @no_panels(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<70x40xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<40x37xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<70x37xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<70x40xf16>, !tile.tile<40x37xf16> -> !tile.tile<70x37xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @few_rows
// CHECK: atom = #tile.mma<16x8x16, f16, f32>
tile.kernel @few_rows(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<63x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<63x64xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<63x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<63x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @two_warps
// CHECK: tiling <warps = [2, 1], sub = [2, 8], atom = #tile.mma<16x8x16, f16, f32>>
tile.kernel @two_warps(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) attributes {block = 64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %zero tiling <warps = [2, 1]> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.return
}

// In a block of 512 threads, 128 accumulator elements a thread leave no registers.
// CHECK-LABEL: tile.kernel @too_many_sums
// CHECK: atom = #tile.mma<16x8x16, f16, f32>
tile.kernel @too_many_sums(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) attributes {block = 512} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<256x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x256xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<256x256xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<256x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<256x256xf32>
  tile.return
}

// A loop carries two accumulators, which are too many, though each of them would fit.
// CHECK-LABEL: tile.kernel @two_sums
// CHECK: atom = #tile.mma<16x8x16, f16, f32>
// CHECK: atom = #tile.mma<16x8x16, f16, f32>
tile.kernel @two_sums(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #column>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x256xf32>
  %s:2 = scf.for %k = %c0 to %c512 step %c16 iter_args(%p = %zero, %q = %zero) -> (!tile.tile<64x256xf32>, !tile.tile<64x256xf32>) {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x16xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<16x256xf16>
    %c = tile.load %x[%c16, %k] : memref<?x?xf16, #row> -> !tile.tile<64x16xf16>
    %d = tile.load %y[%k, %c16] : memref<?x?xf16, #column> -> !tile.tile<16x256xf16>
    %e = tile.matmul %a, %b, %p : !tile.tile<64x16xf16>, !tile.tile<16x256xf16> -> !tile.tile<64x256xf32>
    %f = tile.matmul %c, %d, %q : !tile.tile<64x16xf16>, !tile.tile<16x256xf16> -> !tile.tile<64x256xf32>
    scf.yield %e, %f : !tile.tile<64x256xf32>, !tile.tile<64x256xf32>
  }
  tile.return
}

// A tile that is lhs of one matmul and rhs of another has panels that serve both.
// CHECK-LABEL: tile.kernel @two_uses
// CHECK: atom = #tile.wgmma<64x?x16, f16, f32>
// CHECK: atom = #tile.wgmma<64x?x16, f16, f32>
tile.kernel @two_uses(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  %e = tile.matmul %b, %a, %d : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.return
}

// f8 uses the instruction for f8 only if fast accumulation is allowed.
// CHECK-LABEL: tile.kernel @f8
// CHECK: precision fast_accumulation tiling <warps = [4, 1], sub = [1, 8], atom = #tile.wgmma<64x?x32, f8E4M3FN, f32>>
// CHECK: atom = #tile.mma<16x8x16, f8E4M3FN, f32>
tile.kernel @f8(%x: memref<?x?xf8E4M3FN, #row>, %y: memref<?x?xf8E4M3FN, #column>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<64x64xf8E4M3FN>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf8E4M3FN, #column> -> !tile.tile<64x64xf8E4M3FN>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %zero precision fast_accumulation : !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<64x64xf32>
  %e = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<64x64xf8E4M3FN>
  %f = tile.load %y[%c0, %c0] : memref<?x?xf8E4M3FN, #column> -> !tile.tile<64x64xf8E4M3FN>
  %g = tile.matmul %e, %f, %d : !tile.tile<64x64xf8E4M3FN>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<64x64xf32>
  tile.return
}

// wgmma of tf32 requires K contiguous in both arrays. Its operands are rounded first, which pays only
// for large tiles: an accumulator of at least 128 x 256 elements, and a step along K of at least 32.
// CHECK-LABEL: tile.kernel @tf32
// CHECK-SAME: block = 256
// CHECK: tiling <warps = [8, 1], sub = [1, 32], atom = #tile.wgmma<64x?x8, tf32, f32>>
tile.kernel @tf32(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x256xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %d = tile.matmul %a, %b, %zero precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x256xf32> -> !tile.tile<128x256xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @tf32_small
// CHECK: atom = #tile.mma<16x8x8, tf32, f32>
tile.kernel @tf32_small(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x128xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %d = tile.matmul %a, %b, %zero precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x128xf32> -> !tile.tile<128x128xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @tf32_along_n
// CHECK: atom = #tile.mma<16x8x8, tf32, f32>
tile.kernel @tf32_along_n(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<32x256xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %d = tile.matmul %a, %b, %zero precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x256xf32> -> !tile.tile<128x256xf32>
  tile.return
}

// With unaligned rows, operands would be loaded element by element.
// CHECK-LABEL: tile.kernel @tf32_unaligned
// CHECK: atom = #tile.mma<16x8x8, tf32, f32>
tile.kernel @tf32_unaligned(%x: memref<?x?xf32, #row>, %y: memref<?x?xf32, #column>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x256xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %d = tile.matmul %a, %b, %zero precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x256xf32> -> !tile.tile<128x256xf32>
  tile.return
}

}
