// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' -verify-diagnostics -split-input-file

tile.kernel @refuses_warps_that_do_not_divide_the_block(%x: memref<?x?xf16>, %y: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected 'warps' that divide the block's 4 warps, got 3 x 1}}
  %d = tile.matmul %a, %b, %c tiling <warps = [3, 1]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_more_threads_than_a_block_has(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected at most 32 warps (1024 threads a block), got 8 x 8}}
  %d = tile.matmul %a, %b, %c tiling <warps = [8, 8]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// The check does not overflow for large sizes.
tile.kernel @refuses_the_greatest_warps(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected at most 32 warps (1024 threads a block), got 65536 x 65536}}
  %d = tile.matmul %a, %b, %c tiling <warps = [65536, 65536]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_sub_tiles_that_do_not_divide(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected a tiling that divides 64x64 over 4 warps with instruction 'm16n8k16', got #tile.tiling<warps = [2, 2], sub = [3, 4]>}}
  // expected-note @below {{accepted would be #tile.tiling<}}
  %d = tile.matmul %a, %b, %c tiling <warps = [2, 2], sub = [3, 4]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_thread_tiles_that_do_not_divide(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected a tiling that divides 64x64 over 4 warps with instruction 'fma', got #tile.tiling<sub = [9, 9], thread = [8, 8]>}}
  // expected-note @below {{accepted would be #tile.tiling<}}
  %d = tile.matmul %a, %b, %c tiling <sub = [9, 9], thread = [8, 8]> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_the_greatest_thread_tile(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected a tiling that divides 64x64 over 4 warps with instruction 'fma', got #tile.tiling<sub = [65536, 65536], thread = [65536, 65536]>}}
  // expected-note @below {{accepted would be #tile.tiling<}}
  %d = tile.matmul %a, %b, %c tiling <thread = [65536, 65536], sub = [65536, 65536]> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// The message lists the instructions.
tile.kernel @refuses_unknown_instructions(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f16' and an accumulator of 'f32' on sm_80 ('m16n8k16', 'fma'), got 'm8n8k4'}}
  %d = tile.matmul %a, %b, %c tiling <atom = "m8n8k4"> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_instructions_of_other_types(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f32' and an accumulator of 'f32' on sm_80 ('fma'), got 'm16n8k16'}}
  %d = tile.matmul %a, %b, %c tiling <atom = "m16n8k16"> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// The instruction determines the elements of a thread.
tile.kernel @refuses_thread_tiles_of_tensor_cores(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected no 'thread' for instruction 'm16n8k16'}}
  %d = tile.matmul %a, %b, %c tiling <thread = [4, 4]> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Only tensor cores round operands to tf32; other instructions do not support `tf32`.
tile.kernel @refuses_tf32_by_fma(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f32' with precision tf32 and an accumulator of 'f32' on sm_80 ('m16n8k8'), got 'fma'}}
  %d = tile.matmul %a, %b, %c precision tf32 tiling <atom = "fma"> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// expected-error-re @below {{expected architecture sm_80, {{.*}}, got 'sm_12'}}
module attributes {tile.target = "sm_12"} {
  tile.kernel @refuses_unknown_architectures() {
    tile.return
  }
}

// -----

// expected-error @below {{expected 'tile.blocks_per_processor' to be an integer from 1 to 32, got 33 : i64}}
tile.kernel @refuses_more_blocks_than_a_multiprocessor_has() attributes {tile.blocks_per_processor = 33 : i64} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.blocks_per_processor' to be an integer from 1 to 32, got 0 : i64}}
tile.kernel @refuses_no_blocks() attributes {tile.blocks_per_processor = 0 : i64} {
  tile.return
}

// -----

// expected-error @below {{expected at most 2048 threads on a multiprocessor ('tile.blocks_per_processor' at most 3), got 4 blocks of 640}}
tile.kernel @refuses_more_threads_than_a_multiprocessor_has() attributes {block = 640 : i64, tile.blocks_per_processor = 4 : i64} {
  tile.return
}

// -----

// Threads are counted in whole warps, as they are launched.
// expected-error @below {{expected at most 2048 threads on a multiprocessor ('tile.blocks_per_processor' at most 3), got 4 blocks of 640}}
tile.kernel @refuses_more_warps_than_a_multiprocessor_has() attributes {block = 609 : i64, tile.blocks_per_processor = 4 : i64} {
  tile.return
}

// -----

// A vector has at most 16 bytes.
tile.kernel @refuses_vectors_of_more_than_16_bytes(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected 'vector' of at most 4 elements of 'f32' (16 bytes), got 8}}
  %d = tile.matmul %a, %b, %c tiling <vector = 8> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_vectors_of_tensor_cores(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected no 'vector' for instruction 'm16n8k16', which reads rows of 16 bytes}}
  %d = tile.matmul %a, %b, %c tiling <vector = 2> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @refuses_operands_of_tensor_cores_in_global_memory(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected operands in shared memory for instruction 'm16n8k16', got global}}
  %d = tile.matmul %a, %b, %c tiling <operands = global> : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A thread has 16x16 elements of the accumulator, and 32 elements of the operands.
tile.kernel @refuses_more_registers_than_a_thread_has(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x128xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x128xf32>
  // expected-error @below {{'tile.matmul' op expected at most 255 registers a thread in a block of 32, got an estimate of 288 for accumulator and operands of #tile.tiling<warps = [1, 1], sub = [1, 1], thread = [16, 16], atom = #tile.fma>}}
  %d = tile.matmul %a, %b, %c tiling <warps = [1, 1], thread = [16, 16]> : !tile.tile<64x16xf32>, !tile.tile<16x128xf32> -> !tile.tile<64x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Two blocks of 512 threads leave 64 registers for each thread.
tile.kernel @refuses_more_registers_than_two_blocks_have(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 512 : i64, tile.blocks_per_processor = 2 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<256x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x128xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<256x128xf32>
  // expected-error @below {{'tile.matmul' op expected at most 64 registers a thread in a block of 512, got an estimate of 80 for accumulator and operands of #tile.tiling<warps = [4, 4], sub = [1, 1], thread = [8, 8], atom = #tile.fma>}}
  %d = tile.matmul %a, %b, %c tiling <thread = [8, 8]> : !tile.tile<256x16xf32>, !tile.tile<16x128xf32> -> !tile.tile<256x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<256x128xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Each thread holds elements of the operands for the whole extent of K.
tile.kernel @refuses_more_operands_than_a_thread_holds(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected at most 255 registers a thread in a block of 64, got an estimate of 320 for accumulator and operands of #tile.tiling<warps = [1, 2], sub = [1, 1], thread = [8, 8], atom = #tile.fma, operands = global>}}
  %d = tile.matmul %a, %b, %c tiling <operands = global, thread = [8, 8]> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Errors in a sub-tile are reported for each axis separately.
tile.kernel @refuses_sub_tiles_that_leave_a_rest(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x64xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected a tiling that divides 64x64 over 8 warps with instruction 'fma', got #tile.tiling<warps = [2, 4], thread = [4, 3]>}}
  // expected-note @below {{accepted would be}}
  %d = tile.matmul %a, %b, %c tiling <warps = [2, 4], thread = [4, 3]> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Each warp of a batch must have work.
tile.kernel @refuses_warps_that_do_not_divide_a_batch(%x: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<3x16x16xf16>
  %c = tile.load %y[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<3x16x16xf32>
  // expected-error @below {{'tile.matmul' op expected a tiling that divides 3x16x16 over 2 warps with instruction 'm16n8k16', got #tile.tiling<warps = [2, 1, 1]>}}
  // expected-note @below {{accepted would be #tile.tiling<warps = [1, 1, 2], sub = [3, 1, 1], atom = #tile.mma<16x8x16, f16, f32>>}}
  %d = tile.matmul %a, %a, %c tiling <warps = [2, 1, 1]> : !tile.tile<3x16x16xf16>, !tile.tile<3x16x16xf16> -> !tile.tile<3x16x16xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<3x16x16xf32>, memref<?x?x?xf32>
  tile.return
}

// -----

// These instructions need later architectures.
module attributes {tile.target = "sm_87"} {
  tile.kernel @refuses_f8_before_sm_89(%x: memref<?x?xf8E4M3FN>, %y: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E4M3FN> -> !tile.tile<32x32xf8E4M3FN>
    %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f8E4M3FN' and an accumulator of 'f32' on sm_87 ('fma'), got 'm16n8k32'}}
    %d = tile.matmul %a, %a, %c tiling <atom = "m16n8k32"> : !tile.tile<32x32xf8E4M3FN>, !tile.tile<32x32xf8E4M3FN> -> !tile.tile<32x32xf32>
    tile.store %d, %y[%c0, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
    tile.return
  }
}

// -----

tile.kernel @refuses_more_threads_for_a_batch_than_a_block_has(%x: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<16x32x32xf16>
  %c = tile.load %y[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<16x32x32xf32>
  // expected-error @below {{'tile.matmul' op expected at most 32 warps (1024 threads a block), got 16 x 2 x 2}}
  %d = tile.matmul %a, %a, %c tiling <warps = [16, 2, 2]> : !tile.tile<16x32x32xf16>, !tile.tile<16x32x32xf16> -> !tile.tile<16x32x32xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<16x32x32xf32>, memref<?x?x?xf32>
  tile.return
}

// -----

module attributes {tile.target = "sm_89"} {
  tile.kernel @refuses_f8_as_f16_before_sm_90(%x: memref<?x?xf8E5M2>, %y: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E5M2> -> !tile.tile<32x32xf8E5M2>
    %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f8E5M2' and an accumulator of 'f32' on sm_89 ('m16n8k32', 'fma'), got 'm16n8k16'}}
    %d = tile.matmul %a, %a, %c tiling <atom = "m16n8k16"> : !tile.tile<32x32xf8E5M2>, !tile.tile<32x32xf8E5M2> -> !tile.tile<32x32xf32>
    tile.store %d, %y[%c0, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_86"} {
  tile.kernel @refuses_larger_f64_before_sm_90(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf64> -> !tile.tile<32x32xf64>
    %c = tile.load %y[%c0, %c0] : memref<?x?xf64> -> !tile.tile<32x32xf64>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f64' and an accumulator of 'f64' on sm_86 ('m8n8k4', 'fma'), got 'm16n8k8'}}
    %d = tile.matmul %a, %a, %c tiling <atom = "m16n8k8"> : !tile.tile<32x32xf64>, !tile.tile<32x32xf64> -> !tile.tile<32x32xf64>
    tile.store %d, %y[%c0, %c0] : !tile.tile<32x32xf64>, memref<?x?xf64>
    tile.return
  }
}

// -----

// These instructions are for other element types.
module attributes {tile.target = "sm_90"} {
  tile.kernel @refuses_f16_instruction_of_i8(%x: memref<?x?xi8>, %y: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xi8> -> !tile.tile<32x32xi8>
    %c = tile.load %y[%c0, %c0] : memref<?x?xi32> -> !tile.tile<32x32xi32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'i8' and an accumulator of 'i32' on sm_90 ('m16n8k32', 'fma'), got 'm16n8k16'}}
    %d = tile.matmul %a, %a, %c tiling <atom = "m16n8k16"> : !tile.tile<32x32xi8>, !tile.tile<32x32xi8> -> !tile.tile<32x32xi32>
    tile.store %d, %y[%c0, %c0] : !tile.tile<32x32xi32>, memref<?x?xi32>
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_90"} {
  tile.kernel @refuses_any_instruction_of_i32(%x: memref<?x?xi32>, %y: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xi32> -> !tile.tile<32x32xi32>
    %c = tile.load %y[%c0, %c0] : memref<?x?xi32> -> !tile.tile<32x32xi32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'i32' and an accumulator of 'i32' on sm_90 ('fma'), got 'm16n8k32'}}
    %d = tile.matmul %a, %a, %c tiling <atom = "m16n8k32"> : !tile.tile<32x32xi32>, !tile.tile<32x32xi32> -> !tile.tile<32x32xi32>
    tile.store %d, %y[%c0, %c0] : !tile.tile<32x32xi32>, memref<?x?xi32>
    tile.return
  }
}

// -----

// Cases that the instruction of four warps does not support are refused.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_few_rows_of_a_warpgroup(%x: memref<?x?xf16, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<32x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<32x64xf32>
    // expected-error @below {{'tile.matmul' op expected at least 64 rows, got 32 (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<32x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<32x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_half_a_warpgroup(%x: memref<?x?xf16, #row>) attributes {block = 192} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected a block of a multiple of 128 threads, got 192 (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_warpgroup_along_n(%x: memref<?x?xf16, #row>) attributes {block = 128} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected a multiple of 4 warps along M, got 2 (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %b, %c tiling <warps = [2, 2], atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_rounded_batch_of_a_warpgroup(%x: memref<?x?x?xf32>, %y: memref<?x?xf32, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<2x64x64xf32>
    %b = tile.load %y[%c0, %c0] : memref<?x?xf32, #row> -> !tile.tile<64x64xf32>
    %c = arith.constant dense<0.0> : !tile.tile<2x64x64xf32>
    // expected-error @below {{'tile.matmul' op expected one product, as its operands are rounded, got a batch (for instruction 'm64nNk8')}}
    %d = tile.matmul %a, %b, %c precision tf32 tiling <atom = "m64nNk8"> : !tile.tile<2x64x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<2x64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
#batch = strided<[?, ?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_batch_contiguous_in_memory(%x: memref<?x?x?xf16, #batch>, %y: memref<?x?xf16, #row>) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16, #batch> -> !tile.tile<64x64x8xf16>
    %a = tile.transpose %t [2, 0, 1] : !tile.tile<64x64x8xf16> to !tile.tile<8x64x64xf16>
    %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<8x64x64xf32>
    // expected-error @below {{'tile.matmul' op expected 'lhs' of an array in which K or M is contiguous (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<8x64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<8x64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_computed_operand_of_a_warpgroup(%x: memref<?x?xf16, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %e = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %n = arith.addf %e, %b : !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected 'rhs' loaded from an array, converted from one loaded tile, or computed from matmuls, for matmuls only and with no storage of its own (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %n, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_f8_across_k(%x: memref<?x?xf8E5M2, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E5M2, #row> -> !tile.tile<64x64xf8E5M2>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf8E5M2, #row> -> !tile.tile<64x64xf8E5M2>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected 'rhs' of an array in which K is contiguous, as its elements are not of 16 bits (for instruction 'm64nNk32')}}
    %d = tile.matmul %a, %b, %c precision fast_accumulation tiling <atom = "m64nNk32"> : !tile.tile<64x64xf8E5M2>, !tile.tile<64x64xf8E5M2> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

// For f8, this instruction would be less exact than the program requests.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_fast_accumulation_unasked(%x: memref<?x?xf8E5M2, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf8E5M2, #row> -> !tile.tile<64x64xf8E5M2>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf8E5M2, #row> -> !tile.tile<64x64xf8E5M2>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f8E5M2' and an accumulator of 'f32' on sm_90a ('m16n8k16', 'm16n8k32', 'fma'), got 'm64nNk32'}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk32"> : !tile.tile<64x64xf8E5M2>, !tile.tile<64x64xf8E5M2> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90"} {
  tile.kernel @refuses_warpgroup_on_sm_90(%x: memref<?x?xf16, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f16' and an accumulator of 'f32' on sm_90 ('m16n8k16', 'fma'), got 'm64nNk16'}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

// The accumulators of a warpgroup cannot be spilled.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_sums_without_registers(%x: memref<?x?xf16, #row>) attributes {block = 512} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<256x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x256xf16>
    %c = arith.constant dense<0.0> : !tile.tile<256x256xf32>
    // expected-error @below {{expected at most 128 registers a thread in a block of 512, got an estimate of 160 for accumulator and operands of}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<256x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<256x256xf32>
    tile.return
  }
}

// -----

#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_part_of_a_panel(%x: memref<?x?xf16, #row>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x37xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x37xf32>
    // expected-error @below {{expected a tiling that divides 64x37 over 4 warps with instruction 'm64nNk16'}}
    // expected-note @below {{its columns are whole rows of 32 bytes where N is contiguous}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x37xf16> -> !tile.tile<64x37xf32>
    tile.return
  }
}

// -----

// 100 threads are four warps, 70 are three.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
  tile.kernel @accepts_four_warps(%x: memref<?x?xf16, #row>) attributes {block = 100} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
  tile.kernel @refuses_three_warps(%x: memref<?x?xf16, #row>) attributes {block = 70} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected a block of a multiple of 128 threads, got 96 (for instruction 'm64nNk16')}}
    %d = tile.matmul %a, %b, %c tiling <atom = "m64nNk16"> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

// A thread holds a row of a matrix that several warps share.
tile.kernel @refuses_three_warps(%x: memref<128x128xf32>) attributes {block = 96} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x128xf32> -> !tile.tile<128x128xf32>
  // expected-error @below {{expected a block of a multiple of 128 threads, which have registers for '!tile.tile<128x128xf32>', got 96 threads}}
  %b = tile.inverse %a : !tile.tile<128x128xf32>
  tile.return
}

// -----

// A thread can hold a column instead.
tile.kernel @refuses_columns(%x: memref<96x90xf64>) attributes {block = 320} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<96x90xf64> -> !tile.tile<96x90xf64>
  // expected-error @below {{expected a block of a multiple of 128 threads, which have registers for '!tile.tile<96x90xf64>', got 320 threads}}
  %f, %s = tile.householder %a : !tile.tile<96x90xf64>, !tile.tile<90xf64>
  tile.return
}

// -----

// An instruction with rows for several architectures is listed once.
module attributes {tile.target = "sm_90a"} {
  tile.kernel @refuses_fma_of_tf32(%x: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
    %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f32' with precision tf32 and an accumulator of 'f32' on sm_90a ('m64nNk8', 'm16n8k8'), got 'fma'}}
    %d = tile.matmul %a, %a, %c precision tf32 tiling <atom = "fma"> : !tile.tile<64x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
    tile.return
  }
}

// -----

tile.kernel @refuses_instructions_of_other_architectures(%x: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f16' and an accumulator of 'f32' on sm_80 ('m16n8k16', 'fma'), got 'm64nNk16'}}
  %d = tile.matmul %a, %a, %c tiling <atom = #tile.wgmma<64x?x16, f16, f32>> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.return
}
