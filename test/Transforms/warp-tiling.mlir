// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' | FileCheck %s

// For f16, four warps compute 64x64 each, by four by eight instructions.
// CHECK-LABEL: tile.kernel @gives_64x64_to_a_tensor_core_warp(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 2], sub = [4, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @gives_64x64_to_a_tensor_core_warp(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<128x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x128xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<128x128xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// Extents that the instruction does not divide are padded, not split otherwise.
// CHECK-LABEL: tile.kernel @pads_to_instructions(
// CHECK-SAME:    attributes {block = 32 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [2, 2], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @pads_to_instructions(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<17x5xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<5x9xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<17x9xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<17x5xf16>, !tile.tile<5x9xf16> -> !tile.tile<17x9xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<17x9xf32>, memref<?x?xf32>
  tile.return
}

// The warps of a wide matmul are along N.
// CHECK-LABEL: tile.kernel @puts_warps_along_the_longer_side(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 4], sub = [4, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @puts_warps_along_the_longer_side(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x256xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x256xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<64x32xf16>, !tile.tile<32x256xf16> -> !tile.tile<64x256xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x256xf32>, memref<?x?xf32>
  tile.return
}

// f32 is multiplied in f32, by FMA, with vectors of four for each thread.
// CHECK-LABEL: tile.kernel @multiplies_f32_by_fma(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 4], sub = [1, 1], thread = [4, 4], atom = #tile.fma> :
tile.kernel @multiplies_f32_by_fma(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x64xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x64xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<32x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<32x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<32x64xf32>, memref<?x?xf32>
  tile.return
}

// A block of two warps has a matmul with a result of 32 elements, which one warp holds.
// CHECK-LABEL: tile.kernel @multiplies_small_products(
// CHECK-SAME:    attributes {block = 64 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [1, 1], thread = [1, 1], atom = #tile.fma> :
tile.kernel @multiplies_small_products(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x8xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x4xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x4xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<8x8xf32>, !tile.tile<8x4xf32> -> !tile.tile<8x4xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<8x4xf32>, memref<?x?xf32>
  tile.return
}

// This is the smallest matmul.
// CHECK-LABEL: tile.kernel @multiplies_single_elements(
// CHECK-SAME:    attributes {block = 32 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [1, 1], thread = [1, 1], atom = #tile.fma> :
tile.kernel @multiplies_single_elements(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x1xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x1xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x1xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<1x1xf32>, !tile.tile<1x1xf32> -> !tile.tile<1x1xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<1x1xf32>, memref<?x?xf32>
  tile.return
}

// The matmul may have any extents.
// CHECK-LABEL: tile.kernel @multiplies_odd_products(
// CHECK-SAME:    attributes {block = 32 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [{{[0-9]+}}, {{[0-9]+}}], thread = [{{[0-9]+}}, {{[0-9]+}}], atom = #tile.fma> :
tile.kernel @multiplies_odd_products(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x5xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<5x18xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x18xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<6x5xf32>, !tile.tile<5x18xf32> -> !tile.tile<6x18xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<?x?xf32>
  tile.return
}

// Types without a row in the instruction table use FMA.
// CHECK-LABEL: tile.kernel @multiplies_what_has_no_instruction(
// CHECK-SAME:    attributes {block = {{[0-9]+}} : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <{{.*}}atom = #tile.fma> :
tile.kernel @multiplies_what_has_no_instruction(%x: memref<?x?xi64>, %y: memref<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xi64> -> !tile.tile<64x16xi64>
  %b = tile.load %x[%c0, %c0] : memref<?x?xi64> -> !tile.tile<16x64xi64>
  %c = tile.load %y[%c0, %c0] : memref<?x?xi64> -> !tile.tile<64x64xi64>
  %d = tile.matmul %a, %b, %c : !tile.tile<64x16xi64>, !tile.tile<16x64xi64> -> !tile.tile<64x64xi64>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xi64>, memref<?x?xi64>
  tile.return
}

// Parameters that the program specifies are kept, and the block is derived from them.
// CHECK-LABEL: tile.kernel @completes_given_warps(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 4], sub = [4, 4], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @completes_given_warps(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<128x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x128xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<128x128xf32>
  %d = tile.matmul %a, %b, %c tiling <warps = [2, 4]> : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @completes_given_sub_tiles(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 2], sub = [2, 4], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @completes_given_sub_tiles(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c tiling <warps = [2, 2], sub = [2, 4]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// FMA is specified instead of tensor cores, so the warps are those for FMA.
// CHECK-LABEL: tile.kernel @completes_a_given_instruction(
// CHECK-SAME:    attributes {block = 64 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 2], sub = [2, 2], thread = [4, 4], atom = #tile.fma> :
tile.kernel @completes_a_given_instruction(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c tiling <atom = "fma"> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// The specified number of stages is kept.
// CHECK-LABEL: tile.kernel @completes_a_given_thread_tile(
// CHECK-SAME:    attributes {block = {{[0-9]+}} : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <{{.*}}thread = [8, 8], atom = #tile.fma, stages = 2> :
tile.kernel @completes_a_given_thread_tile(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c tiling <thread = [8, 8], stages = 2> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// Two of the four warps repeat the work of the others.
// CHECK-LABEL: tile.kernel @leaves_warps_idle_when_told(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 1], sub = [2, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @leaves_warps_idle_when_told(%x: memref<?x?xf16>, %y: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %d = tile.matmul %a, %b, %c tiling <warps = [2, 1]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// A batch is distributed over warps first: each warp computes equally many small
// matmuls.
// CHECK-LABEL: tile.kernel @spreads_a_batch_first(
// CHECK-SAME:    attributes {block = 512 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [16, 1, 1], sub = [2, 1, 2], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @spreads_a_batch_first(%x: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<32x16x16xf16>
  %c = tile.load %y[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<32x16x16xf32>
  %d = tile.matmul %a, %a, %c : !tile.tile<32x16x16xf16>, !tile.tile<32x16x16xf16> -> !tile.tile<32x16x16xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<32x16x16xf32>, memref<?x?x?xf32>
  tile.return
}

// After the batch, warps are distributed along M and N; three matmuls have 3 x 2 warps.
// CHECK-LABEL: tile.kernel @spreads_a_batch_then_rows(
// CHECK-SAME:    attributes {block = 192 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [3, 2, 1], sub = [1, 4, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @spreads_a_batch_then_rows(%x: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<3x128x16xf16>
  %b = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<3x16x64xf16>
  %c = tile.load %y[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<3x128x64xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<3x128x16xf16>, !tile.tile<3x16x64xf16> -> !tile.tile<3x128x64xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<3x128x64xf32>, memref<?x?x?xf32>
  tile.return
}

// A batch of one is a single matmul.
// CHECK-LABEL: tile.kernel @spreads_a_batch_of_one(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 2, 2], sub = [1, 4, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @spreads_a_batch_of_one(%x: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<1x128x16xf16>
  %b = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<1x16x128xf16>
  %c = tile.load %y[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<1x128x128xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<1x128x16xf16>, !tile.tile<1x16x128xf16> -> !tile.tile<1x128x128xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<1x128x128xf32>, memref<?x?x?xf32>
  tile.return
}

// For an FMA matmul of a batch, the parameters that are not specified are chosen.
// CHECK-LABEL: tile.kernel @completes_the_warps_of_a_batch(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 1, 4], sub = [2, 1, 1], thread = [4, 2], atom = #tile.fma> :
tile.kernel @completes_the_warps_of_a_batch(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<4x32x32xf32>
  %d = tile.matmul %a, %a, %a tiling <warps = [2, 1, 4]> : !tile.tile<4x32x32xf32>, !tile.tile<4x32x32xf32> -> !tile.tile<4x32x32xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<4x32x32xf32>, memref<?x?x?xf32>
  tile.return
}

// Without a matmul, a thread has eight elements of the largest tile.
// CHECK-LABEL: tile.kernel @chooses_a_block_without_products(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
tile.kernel @chooses_a_block_without_products(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<1024xf32>
  tile.store %t, %a[%c0] : !tile.tile<1024xf32>, memref<?xf32>
  tile.return
}

// If it is loaded, a thread has at least 24 bytes of it in the array: 12 elements
// of f16.
// CHECK-LABEL: tile.kernel @gives_a_thread_24_bytes(
// CHECK-SAME:    attributes {block = 64 : i64{{[,}]}}
tile.kernel @gives_a_thread_24_bytes(%x: memref<?xf16>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf16> -> !tile.tile<1024xf16>
  %b = tile.cast %a : !tile.tile<1024xf16> to !tile.tile<1024xf32>
  tile.store %b, %y[%c0] : !tile.tile<1024xf32>, memref<?xf32>
  tile.return
}

// A kernel without tiles has the smallest block.
// CHECK-LABEL: tile.kernel @chooses_a_block_without_tiles() attributes {block = 32 : i64{{[,}]}}
tile.kernel @chooses_a_block_without_tiles() {
  tile.return
}

// The code of a sorting network grows with a thread's elements, so a thread has
// eight elements of a sorted row, padding included.
// CHECK-LABEL: tile.kernel @gives_a_sort_more_warps(
// CHECK-SAME:    attributes {block = 512 : i64{{[,}]}}
tile.kernel @gives_a_sort_more_warps(%x: memref<2100xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<2100xf32> -> !tile.tile<2100xf32>
  %b = tile.sort %a axis 0 : !tile.tile<2100xf32>
  tile.store %b, %x[%c0] : !tile.tile<2100xf32>, memref<2100xf32>
  tile.return
}

// A block that has little to multiply and much to copy has additional warps that copy.
// CHECK-LABEL: tile.kernel @copies_long_rows(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 4], sub = [1, 1], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @copies_long_rows(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x256xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<256x32xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x32xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<16x256xf16>, !tile.tile<256x32xf16> -> !tile.tile<16x32xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<16x32xf32>, memref<?x?xf32>
  tile.return
}

// For a batch of columns all lanes are along M: more warps along M would have
// only padding.
// CHECK-LABEL: tile.kernel @splits_no_warps_over_padding(
// CHECK:         tile.matmul {{.*}} tiling <warps = [4, 1, 1], sub = [2, 1, 1], thread = [1, 1], atom = #tile.fma> :
tile.kernel @splits_no_warps_over_padding(%x: memref<?x?x?xcomplex<f64>>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xcomplex<f64>> -> !tile.tile<7x32x24xcomplex<f64>>
  %b = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xcomplex<f64>> -> !tile.tile<7x24x1xcomplex<f64>>
  %c = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xcomplex<f64>> -> !tile.tile<7x32x1xcomplex<f64>>
  %d = tile.matmul %a, %b, %c : !tile.tile<7x32x24xcomplex<f64>>, !tile.tile<7x24x1xcomplex<f64>> -> !tile.tile<7x32x1xcomplex<f64>>
  tile.store %d, %x[%c0, %c0, %c0] : !tile.tile<7x32x1xcomplex<f64>>, memref<?x?x?xcomplex<f64>>
  tile.return
}

// Small matrices are computed by few lanes each, if all lanes would pad them: each of two
// warps has eight lanes along a batch of 13, two along M and two along N.
// CHECK-LABEL: tile.kernel @spreads_a_batch_over_lanes(
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 1, 1], sub = [1, 3, 5], thread = [1, 2], atom = #tile.fma> :
tile.kernel @spreads_a_batch_over_lanes(%x: memref<?x?x?xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<13x6x6xf32>
  %b = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<13x6x18xf32>
  %d = tile.matmul %a, %b, %b : !tile.tile<13x6x6xf32>, !tile.tile<13x6x18xf32> -> !tile.tile<13x6x18xf32>
  tile.store %d, %x[%c0, %c0, %c0] : !tile.tile<13x6x18xf32>, memref<?x?x?xf32>
  tile.return
}

// With FMA fewer elements are read if a thread's elements are 3 x 6 and not the
// 5 x 3 with the least padding: six wavefronts for 18 FMAs, not eight for 15.
// CHECK-LABEL: tile.kernel @reads_less_by_fma(
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [3, 3], thread = [2, 1], atom = #tile.fma> :
// Specified parameters may pad a sub-tile.
// CHECK:         tile.matmul {{.*}} tiling <warps = [1, 1], sub = [1, 5], thread = [2, 2], atom = #tile.fma> :
tile.kernel @reads_less_by_fma(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x18xf32>
  %a = tile.transpose %b [1, 0] : !tile.tile<6x18xf32> to !tile.tile<18x6xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<18x18xf32>
  %d = tile.matmul %a, %b, %c : !tile.tile<18x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<18x18xf32>
  %e = tile.matmul %a, %b, %d tiling <sub = [1, 5], thread = [2, 2]> : !tile.tile<18x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<18x18xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<18x18xf32>, memref<?x?xf32>
  tile.return
}

// A triangular system whose work more warps would only repeat gets one warp, unless
// another operation has work for more warps.
// CHECK-LABEL: tile.kernel @factors_by_one_warp
// CHECK-SAME:    attributes {block = 32 : i64{{[,}]}}
tile.kernel @factors_by_one_warp(%a: memref<64x64xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf64> -> !tile.tile<64x64xf64>
  %l = tile.cholesky %t : !tile.tile<64x64xf64>
  tile.store %l, %a[%c0, %c0] : !tile.tile<64x64xf64>, memref<64x64xf64>
  tile.return
}

// CHECK-LABEL: tile.kernel @factors_beside_solutions
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
tile.kernel @factors_beside_solutions(%a: memref<64x64xf64>, %b: memref<4x32x16xf64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf64> -> !tile.tile<64x64xf64>
  %x = tile.load %b[%c0, %c0, %c0] : memref<4x32x16xf64> -> !tile.tile<4x32x16xf64>
  %l = tile.cholesky %t : !tile.tile<64x64xf64>
  %v = tile.view %l[%c0, %c0] : !tile.tile<64x64xf64> to !tile.tile<32x32xf64>
  %f = tile.broadcast %v dims [1, 2] : !tile.tile<32x32xf64> to !tile.tile<4x32x32xf64>
  %y = tile.triangular_solve %f, %x : !tile.tile<4x32x32xf64>, !tile.tile<4x32x16xf64>
  tile.store %y, %b[%c0, %c0, %c0] : !tile.tile<4x32x16xf64>, memref<4x32x16xf64>
  tile.return
}
