// RUN: tile-opt %s -tile-expand-pipeline | FileCheck %s

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>

// Three stages: a circular buffer of three stages, and two fills of its channel before the
// loop. In the loop, the matmul reads the oldest stage after the wait for it. Then the
// copy for two iterations later is issued, if there is such an iteration.
// CHECK-LABEL: @three_stages
tile.kernel @three_stages(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: %[[RING:.*]] = memref.alloc() : memref<3x16x16xf16
  // CHECK: %[[CHANNEL:.*]] = tile_gpu.channel %[[RING]] : {{.*}} -> !tile_gpu.channel<3>
  // CHECK: %[[FIRST:.*]] = tile_gpu.counter 0
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: %[[THIRD:.*]] = tile_gpu.next
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[PUT:[a-z0-9]+]] = %[[THIRD]], %[[GET:[a-z0-9]+]] = %{{[0-9]+}})
  // CHECK: %[[HOLDS:.*]] = arith.cmpi slt
  // CHECK: tile_gpu.wait %[[CHANNEL]][%[[GET]]]
  // CHECK: %[[READ:.*]] = tile_gpu.stage %[[RING]][%[[GET]]]
  // CHECK: %[[TILE:.*]] = tile_gpu.from_buffer %[[READ]]
  // CHECK: tile.matmul %[[TILE]], %[[TILE]]
  // CHECK: %[[FILLED:.*]] = tile_gpu.stage %[[RING]][%[[PUT]]]
  // CHECK: tile_gpu.copy_async {{.*}} to %[[FILLED]] if %[[HOLDS]]
  // CHECK: tile_gpu.commit %[[CHANNEL]][%[[PUT]]]
  // CHECK: %[[NEXT_PUT:.*]] = tile_gpu.next %[[PUT]]
  // CHECK: %[[NEXT_GET:.*]] = tile_gpu.next %[[GET]]
  // CHECK: scf.yield %{{.*}}, %[[NEXT_PUT]], %[[NEXT_GET]]
  // CHECK: tile_gpu.drain %[[CHANNEL]]
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.store
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// An offset that the body computes is computed for a later iteration, too, for the
// copy. With two stages the copy comes before the matmul.
// CHECK-LABEL: @computes_offsets_ahead
tile.kernel @computes_offsets_ahead(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: memref<?x?xf32>, %n: index, %s0: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.for
  // CHECK: %[[NEXT:.*]] = arith.addi
  // CHECK: %[[AHEAD:.*]] = arith.muli %[[NEXT]],
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %[[AHEAD]]] {{.*}} if
  // CHECK: tile.matmul
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %at = arith.muli %k, %s0 : index
    %x = tile.load %a[%c0, %at] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// A load that is not marked is not moved to another iteration.
// CHECK-LABEL: @leaves_other_loads
tile.kernel @leaves_other_loads(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.for
  // CHECK: tile_gpu.copy_async
  // CHECK: %[[OTHER:.*]] = tile.load
  // CHECK: tile.matmul %{{.*}}, %[[OTHER]]
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %y = tile.load %a[%k, %c0] : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// Each of two nested loops has a channel; that of the inner loop is created in each
// iteration of the outer one.
// CHECK-LABEL: @nested_loops
tile.kernel @nested_loops(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: memref.alloc() : memref<2x16x16xf16
  // CHECK: %[[OUTER_CHANNEL:.*]] = tile_gpu.channel
  // CHECK: scf.for
  // CHECK: tile_gpu.wait %[[OUTER_CHANNEL]]
  // CHECK: tile_gpu.copy_async
  // CHECK: %[[OUTER:.*]] = tile_gpu.from_buffer
  // CHECK: memref.alloc() : memref<3x16x16xf16
  // CHECK: %[[INNER_CHANNEL:.*]] = tile_gpu.channel
  // CHECK: scf.for
  // CHECK: tile_gpu.wait %[[INNER_CHANNEL]]
  // CHECK: %[[INNER:.*]] = tile_gpu.from_buffer
  // CHECK: tile.matmul %[[OUTER]], %[[INNER]]
  // CHECK: tile_gpu.copy_async
  // CHECK: scf.yield
  // CHECK: tile_gpu.drain %[[INNER_CHANNEL]]
  // CHECK: scf.yield
  // CHECK: tile_gpu.drain %[[OUTER_CHANNEL]]
  // CHECK: tile.store
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%outer = %zero) -> !acc {
    %x = tile.load %a[%c0, %i] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %q = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %outer) -> !acc {
      %y = tile.load %a[%i, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
      %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 3 : i64}
    scf.yield %q : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// Unaligned rows are copied by the chunks that cover them. They are aligned an
// iteration before the matmul reads them, while it reads another stage. With three
// stages, the chunks at the ends of rows are in a separate circular buffer.
// CHECK-LABEL: @aligns_rows_ahead
tile.kernel @aligns_rows_ahead(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: %[[RING:.*]] = memref.alloc() : memref<3x16x16xf16
  // CHECK: %[[ENDS:.*]] = memref.alloc() : memref<3x16x8xf16, #tile.shared<(16,8):(8,1)>>
  // CHECK: %[[CHANNEL:.*]] = tile_gpu.channel %[[RING]], %[[ENDS]]
  // CHECK: tile_gpu.copy_async {{.*}} by(#tile_gpu.cover_rows) with
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: tile_gpu.wait %[[CHANNEL]]
  // CHECK: tile_gpu.copy_async {{.*}} by(#tile_gpu.cover_rows) with
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: tile_gpu.align_rows
  // CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[0-9]+}}, %[[PUT:[a-z0-9]+]] = %{{[0-9]+}}, %[[GET:[a-z0-9]+]] = %{{[0-9]+}}, %[[ALIGN:[a-z0-9]+]] = %{{[0-9]+}})
  // CHECK: tile_gpu.wait %[[CHANNEL]][%[[ALIGN]]]
  // CHECK: %[[READ:.*]] = tile_gpu.stage %[[RING]][%[[GET]]]
  // CHECK: %[[TILE:.*]] = tile_gpu.from_buffer %[[READ]]
  // CHECK: tile.matmul %[[TILE]], %[[TILE]]
  // CHECK: %[[FILLED:.*]] = tile_gpu.stage %[[RING]][%[[PUT]]]
  // CHECK: %[[FILLED_ENDS:.*]] = tile_gpu.stage %[[ENDS]][%[[PUT]]]
  // CHECK: tile_gpu.copy_async {{.*}} to %[[FILLED]] if {{.*}} by(#tile_gpu.cover_rows) with %[[FILLED_ENDS]]
  // CHECK: tile_gpu.commit %[[CHANNEL]][%[[PUT]]]
  // CHECK: %[[NEXT_ENDS:.*]] = tile_gpu.stage %[[ENDS]][%[[ALIGN]]]
  // CHECK: %[[NEXT:.*]] = tile_gpu.stage %[[RING]][%[[ALIGN]]]
  // CHECK: tile_gpu.align_rows %[[NEXT]], %[[NEXT_ENDS]] of {{.*}} if
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// From four stages on, a row that continues in the next iteration's box has its end in
// the stage of that box. One more iteration than the loop has is copied for this.
// CHECK-LABEL: @ends_rows_in_the_next_stage
tile.kernel @ends_rows_in_the_next_stage(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: %[[RING:.*]] = memref.alloc() : memref<4x16x16xf16
  // CHECK-NOT: memref.alloc
  // CHECK: %[[END:.*]] = arith.addi %{{.*}}, %c16
  // CHECK: scf.for {{.*}} %[[ALIGN:[a-z0-9]+]] = %{{[0-9]+}}, %[[NEXT:[a-z0-9]+]] = %{{[0-9]+}})
  // CHECK: tile_gpu.wait %{{.*}}[%[[ALIGN]]]
  // CHECK-NEXT: tile_gpu.wait %{{.*}}[%[[NEXT]]]
  // CHECK: tile.matmul
  // CHECK: %[[IS_NEEDED:.*]] = arith.cmpi slt, %{{.*}}, %[[END]]
  // CHECK: tile_gpu.copy_async {{.*}} if %[[IS_NEEDED]] by(#tile_gpu.cover_rows) :
  // CHECK-DAG: %[[ROWS:.*]] = tile_gpu.stage %[[RING]][%[[ALIGN]]]
  // CHECK-DAG: %[[ENDS:.*]] = tile_gpu.stage %[[RING]][%[[NEXT]]]
  // CHECK: tile_gpu.align_rows %[[ROWS]], %[[ENDS]] of {{.*}} if
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 4 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// If rows do not continue in the next iteration's box, each box has its own buffer for
// ends.
// CHECK-LABEL: @ends_of_rows_across_the_loop
tile.kernel @ends_of_rows_across_the_loop(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: memref.alloc() : memref<4x16x16xf16
  // CHECK: memref.alloc() : memref<4x16x8xf16
  // CHECK: scf.for {{.*}} %[[ALIGN:[a-z0-9]+]] = %{{[0-9]+}})
  // CHECK: tile_gpu.wait %{{.*}}[%[[ALIGN]]]
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 4 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// With two stages, no stage is free in which rows could be aligned before the matmul.
// CHECK-LABEL: @aligns_rows_before_the_product
tile.kernel @aligns_rows_before_the_product(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.for
  // CHECK: tile_gpu.wait
  // CHECK: tile_gpu.copy_async
  // CHECK: tile_gpu.align_rows {{.*}} of %{{.*}}[%{{.*}}, %{{.*}}] :
  // CHECK: tile.matmul
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// `in_bounds` holds for the iterations of the loop. If rows continue, one more box is
// copied, for which `in_bounds` is removed.
// CHECK-LABEL: @promises_end_with_the_loop
tile.kernel @promises_end_with_the_loop(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK-NOT: in_bounds
  // CHECK: tile.store
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] in_bounds {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %y = tile.load %a[%k, %c0] in_bounds {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 4 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// The expansion does not require that the sign of the loop's step is known.
// CHECK-LABEL: @steps_of_any_sign
tile.kernel @steps_of_any_sign(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index, %step: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %zero = tile.fill %z : !acc
  // CHECK: tile_gpu.copy_async {{.*}} by(#tile_gpu.cover_rows) with
  // CHECK: tile_gpu.align_rows
  // CHECK: tile.store
  %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cover_rows} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 4 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}
