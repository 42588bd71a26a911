// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages | FileCheck %s
// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages -remarks-filter=tile-assign-stages 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A loop that loads operands of a matmul is marked, and its loads get stage 0.
// CHECK-LABEL: tile.kernel @marks_loop_and_loads
tile.kernel @marks_loop_and_loads(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.load {{.*}} {tile.copy = #tile_gpu.cover_rows}
  // CHECK: tile.load {{.*}} {tile.copy = #tile_gpu.cover_rows}
  // CHECK: } {tile.num_stages = 4 : i64}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// An operand is computed by tile.map as by tile.cast: both loads are marked.
// CHECK-LABEL: tile.kernel @marks_loads_of_a_map
tile.kernel @marks_loads_of_a_map(%a: memref<?x?xi8>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.load %arg0{{.*}} {tile.copy = #tile_gpu.cover_rows}
  // CHECK: tile.load %arg1{{.*}} {tile.copy = #tile_gpu.cover_rows}
  // CHECK: } {tile.num_stages = 4 : i64}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %w = tile.load %a[%c0, %k] : memref<?x?xi8> -> !tile.tile<16x16xi8>
    %x = tile.map %w : !tile.tile<16x16xi8> to !tile.tile<16x16xf16> {
    ^bb0(%e: i8):
      %f = arith.sitofp %e : i8 to f16
      tile.yield %f : f16
    }
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// The number of stages that the program specifies is used.
// CHECK-LABEL: tile.kernel @takes_the_programs_stages
tile.kernel @takes_the_programs_stages(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: } {tile.num_stages = 6 : i64}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc tiling <stages = 6> : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// A loop with one stage is not pipelined.
// CHECK-LABEL: tile.kernel @one_stage_is_no_pipeline
tile.kernel @one_stage_is_no_pipeline(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: scf.for
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.return
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc tiling <stages = 1> : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// If more stages do not fit, the loop gets fewer, with a remark: 64 KiB each of 163.
// CHECK-LABEL: tile.kernel @as_many_as_fit
// REMARK: assign-stages.mlir:[[# @LINE + 6]]:{{.*}}"2 stages instead of 3: each is 65536 bytes of 166912
tile.kernel @as_many_as_fit(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %b: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  // CHECK: } {tile.num_stages = 2 : i64}
  %r = scf.for %k = %c0 to %n step %c128 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// A load must not be moved over a store to its array; a store to another array
// does not prevent it.
// CHECK-LABEL: tile.kernel @stores_keep_loads_of_their_array
tile.kernel @stores_keep_loads_of_their_array(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  scf.for %k = %c0 to %n step %c16 {
    // CHECK: = tile.load %arg0[%c0, %{{[^ ]*}}] : memref
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    // CHECK: = tile.load %arg1[{{.*}}] {tile.copy = #tile_gpu.cover_rows} : memref
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    %h = tile.cast %s : !tile.tile<16x8xf32> to !tile.tile<16x8xf16>
    tile.store %h, %a[%k, %c0] : !tile.tile<16x8xf16>, memref<?x?xf16>
  }
  // CHECK: tile.num_stages
  // CHECK: tile.return
  tile.return
}

// A copy fills only with zeros: a load with another pad value is not issued ahead, but
// the load of the other operand is.
// CHECK-LABEL: tile.kernel @padded_load_is_not_ahead
tile.kernel @padded_load_is_not_ahead(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %p: f16, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.load {{.*}} pad
  // CHECK-NOT: tile.copy
  // CHECK: tile.load {{.*}} {tile.copy = #tile_gpu.cover_rows}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] pad %p : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// An offset that one iteration passes to the next is not known iterations ahead.
// CHECK-LABEL: tile.kernel @carried_offset_is_not_ahead
tile.kernel @carried_offset_is_not_ahead(%a: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // CHECK: scf.for
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.return
  %r, %e = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z, %at = %c0) -> (!tile.tile<16x16xf32>, index) {
    %x = tile.load %a[%c0, %at] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %s = tile.matmul %x, %x, %acc : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
    %next = arith.addi %at, %c16 : index
    scf.yield %s, %next : !tile.tile<16x16xf32>, index
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  tile.return
}

// The conditions for copies ahead are signed comparisons.
// CHECK-LABEL: tile.kernel @unsigned_loop_stays
tile.kernel @unsigned_loop_stays(%a: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // CHECK: scf.for unsigned
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.return
  %r = scf.for unsigned %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x16xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %s = tile.matmul %x, %x, %acc : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
    scf.yield %s : !tile.tile<16x16xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  tile.return
}

// In two nested loops, the one whose body multiplies is marked.
// CHECK-LABEL: tile.kernel @inner_of_two_loops
tile.kernel @inner_of_two_loops(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%outer = %z) -> !tile.tile<16x8xf32> {
    // CHECK-COUNT-2: tile.load {{.*}} {tile.copy = #tile_gpu.cover_rows}
    // CHECK: } {tile.num_stages = 4 : i64}
    // CHECK-NOT: tile.num_stages
    %q = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %outer) -> !tile.tile<16x8xf32> {
      %x = tile.load %a[%i, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
      %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
      %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
      scf.yield %s : !tile.tile<16x8xf32>
    }
    scf.yield %q : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}
// CHECK: tile.return

// There are as many stages as leave room for the requested blocks: 16 KiB each of 40
// KiB.
// CHECK-LABEL: tile.kernel @leaves_room_for_four_blocks
tile.kernel @leaves_room_for_four_blocks(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) attributes {tile.blocks_per_processor = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // CHECK: } {tile.num_stages = 2 : i64}
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %z) -> !tile.tile<64x64xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<64x64xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<64x64xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %s : !tile.tile<64x64xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// Loads from which an operand is computed are issued ahead, too.
// CHECK-LABEL: tile.kernel @marks_what_operands_are_computed_of
tile.kernel @marks_what_operands_are_computed_of(%a: memref<?x?xf16>, %b: memref<?x?xi8>, %s: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.load {{.*}} {tile.copy = #tile_gpu.cover_rows}
  // CHECK-COUNT-2: tile.load {{.*}} {tile.copy = #tile_gpu.cp_async}
  // CHECK: } {tile.num_stages = 4 : i64}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xi8> -> !tile.tile<16x8xi8>
    %f = tile.load %s[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x1xf16>
    %w = tile.cast %y : !tile.tile<16x8xi8> to !tile.tile<16x8xf16>
    %g = tile.broadcast %f : !tile.tile<16x1xf16> to !tile.tile<16x8xf16>
    %q = arith.mulf %w, %g : !tile.tile<16x8xf16>
    %p = tile.matmul %x, %q, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %p : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// Unaligned rows need additional bytes for their ends, here 2 and 1 KiB. The program's
// number of stages applies to the tiles; with the ends, fewer stages fit.
// CHECK-LABEL: tile.kernel @with_the_ends_of_rows
// REMARK: assign-stages.mlir:[[# @LINE + 6]]:{{.*}}"4 stages instead of 5: each is 35840 bytes of 166912
tile.kernel @with_the_ends_of_rows(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  // CHECK: } {tile.num_stages = 4 : i64}
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x64xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<64x128xf16>
    %s = tile.matmul %x, %y, %acc tiling <stages = 5> : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// Another load of the kernel, 32 KiB and 2 KiB for ends, leaves room for fewer stages.
// CHECK-LABEL: tile.kernel @beside_another_load
// REMARK: assign-stages.mlir:[[# @LINE + 7]]:{{.*}}"3 stages instead of 4: each is 35840 bytes of 132096
tile.kernel @beside_another_load(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %q = tile.load %a[%c0, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  // CHECK: } {tile.num_stages = 3 : i64}
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x64xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<64x128xf16>
    %s = tile.matmul %x, %y, %acc tiling <stages = 4> : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  %e = tile.matmul %q, %q, %r : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
  tile.store %e, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// A loop that prints or asserts still copies ahead, ...
// CHECK-LABEL: tile.kernel @prints
tile.kernel @prints(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.print
  // CHECK: tile.assert
  // CHECK: } {tile.num_stages = 4 : i64}
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    tile.print "x", %x : !tile.tile<16x16xf16>
    tile.assert %ok, "expected it" : i1
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}

// ... but one with a fence does not, since a fence orders reads after writes of others.
// CHECK-LABEL: tile.kernel @fences
tile.kernel @fences(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.fence
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.return
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    tile.fence acquire
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}
