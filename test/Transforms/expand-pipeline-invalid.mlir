// RUN: tile-opt %s -tile-expand-pipeline -split-input-file -verify-diagnostics

// One stage makes no pipeline.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @one_stage(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @below {{expected tile.num_stages from 2 to 64, got 1}}
  scf.for %k = %c0 to %n step %c16 {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 1 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @no_stages(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @below {{expected tile.num_stages from 2 to 64, got 0}}
  scf.for %k = %c0 to %n step %c16 {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 0 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @too_many_stages(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @below {{expected tile.num_stages from 2 to 64, got 65}}
  scf.for %k = %c0 to %n step %c16 {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 65 : i64}
  tile.return
}

// -----

// Only a load may have `tile.copy`.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_of_an_addition(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = arith.addi %k, %n {tile.copy = #tile_gpu.cp_async} : index
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_into_registers(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<16x16xf16>
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_without_a_layout(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<16x16xf16, #tile.shared>
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_with_a_pad(%a: memref<?x?xf16>, %n: index, %p: f16) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = tile.load %a[%c0, %k] pad %p {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

// The offset is passed from one iteration to the next, so it is not known iterations
// ahead.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_at_a_carried_offset(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %e = scf.for %k = %c0 to %n step %c16 iter_args(%at = %c0) -> index {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = tile.load %a[%c0, %at] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %next = arith.addi %at, %k : index
    scf.yield %next : index
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

// The load of the next iteration would be issued before this iteration's store to the
// array.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_over_a_store(%a: memref<?x?xf16>, %n: index, %p: f16) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected tile.copy on a load into shared memory with a layout, without a pad value, of an array that the loop does not write, at offsets known an iteration ahead}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %t = tile.fill %p : !tile.tile<4xf16>
    tile.store %t, %a[%k, %c0] : !tile.tile<4xf16>, memref<?x?xf16>
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @unsigned_loop(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @below {{expected a loop of which loads may run ahead: its loop counts by unsigned numbers}}
  scf.for unsigned %k = %c0 to %n step %c16 {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

// A block may read data of other blocks only after the acquire in the same iteration.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @stage_over_a_fence(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @below {{expected a loop of which loads may run ahead: its loop may write any array, or looks at what other blocks write}}
  scf.for %k = %c0 to %n step %c16 {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    tile.fence acquire
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

// A matmul in flight with copies ahead needs at least three stages.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
tile.kernel @no_stage_to_stay_in_flight(%a: memref<?x?xf16>, %v: f32, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %v : !acc
  // expected-error @below {{expected tile.num_stages of at least 3, as a product stays in flight, got 2}}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> {tile.in_flight} : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

// Chunks of 16 bytes cannot cover rows of 24 bytes.
#rows = #tile.shared<(16,12):(12,1)>
!operand = !tile.tile<16x12xf16, #rows>
tile.kernel @rows_that_no_chunks_cover(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected a load of rows that chunks of 16 bytes can cover for #tile_gpu.cover_rows}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
tile.kernel @copied_tile_through_registers(%a: memref<?x?xf16>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected a load whose tile is stored to shared memory for #tile_gpu.through_registers}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.through_registers} : memref<?x?xf16> -> !operand
  } {tile.num_stages = 2 : i64}
  tile.return
}

// -----

#held = #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>
tile.kernel @rounded_tile_by_cp_async(%a: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %n step %c16 {
    // expected-error @below {{expected a load into shared memory for #tile_gpu.cp_async}}
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf32> -> !tile.tile<16x16xf32, #held>
    %r = tile.round_tf32 %x : !tile.tile<16x16xf32, #held>
    %y = tile.convert_layout %r : !tile.tile<16x16xf32, #held> to !tile.tile<16x16xf32, #tile.shared<(16,16):(16,1)>>
  } {tile.num_stages = 2 : i64}
  tile.return
}
