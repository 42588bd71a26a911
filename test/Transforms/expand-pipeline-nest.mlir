// RUN: tile-opt %s -tile-expand-pipeline -cse -canonicalize | FileCheck %s
// RUN: tile-opt %s -tile-expand-pipeline -remarks-filter=tile-expand-pipeline -mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// In nested loops, copies run ahead over the iterations of both.

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
!in = memref<?x?xf16>
!out = memref<?x?xf32>

// The prologue of two fills is before the outer loop, which is in a branch: the first
// iteration exists. The copy in the loop is made if its own iteration exists, and its
// offset along the rows is computed again where the outer index changes. The offset along
// K, which is never negative, is known not to be.
// CHECK-LABEL: @over_tiles
tile.kernel @over_tiles(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %first: index, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.if
  // CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<3x16x16xf16
  // CHECK: %[[CHANNEL:.*]] = tile_gpu.channel %[[BUFFER]]
  // CHECK: %[[ROW:.*]] = arith.muli %arg3, %c16
  // CHECK: tile_gpu.copy_async %arg0[%[[ROW]], %c0]
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: tile_gpu.copy_async
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK-NOT: tile_gpu.commit
  // CHECK: %{{.*}}:5 = scf.for %{{.*}} iter_args(%[[PUT:[a-z0-9]+]] = %{{[0-9]+}}, %[[GET:[a-z0-9]+]] = %{{[0-9]+}}, %[[K:[a-z0-9]+]] = %{{[0-9]+}}, %[[T:[a-z0-9]+]] = %{{[0-9]+}}, %[[M:[a-z0-9]+]] = %{{[0-9]+}})
  scf.for %t = %first to %tiles step %c1 {
    %m = arith.muli %t, %c16 : index
    // CHECK: %[[SUM:.*]]:6 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[PUT1:[a-z0-9]+]] = %[[PUT]], %[[GET1:[a-z0-9]+]] = %[[GET]], %[[K1:[a-z0-9]+]] = %[[K]], %[[T1:[a-z0-9]+]] = %[[T]], %[[M1:[a-z0-9]+]] = %[[M]])
    // CHECK: tile_gpu.wait %[[CHANNEL]][%[[GET1]]]
    // CHECK: tile.matmul
    // CHECK: %[[AT_K:.*]] = arith.maxsi %[[K1]], %c0
    // CHECK: %[[IN_K:.*]] = arith.cmpi slt, %[[K1]], %arg5
    // CHECK: %[[IN_T:.*]] = arith.cmpi slt, %[[T1]], %arg4
    // CHECK: %[[EXISTS:.*]] = arith.andi %[[IN_K]], %[[IN_T]]
    // CHECK: tile_gpu.copy_async %arg0[%[[M1]], %[[AT_K]]] to %{{.*}} if %[[EXISTS]]
    // CHECK: tile_gpu.commit %[[CHANNEL]][%[[PUT1]]]
    // CHECK: %[[NEXT_K:.*]] = arith.addi %[[K1]], %c16
    // CHECK: %[[STAYS:.*]] = arith.cmpi slt, %[[NEXT_K]], %arg5
    // CHECK: %[[NEXT_T:.*]] = arith.addi %[[T1]], %c1
    // CHECK: %[[K2:.*]] = arith.select %[[STAYS]], %[[NEXT_K]], %c0
    // CHECK: %[[T2:.*]] = arith.select %[[STAYS]], %[[T1]], %[[NEXT_T]]
    // CHECK: %[[LAST:.*]] = arith.cmpi sge, %[[NEXT_T]], %arg4
    // CHECK: %[[KEEPS:.*]] = arith.ori %[[STAYS]], %[[LAST]]
    // CHECK: %[[M2:.*]] = scf.if %[[KEEPS]] -> (index) {
    // CHECK-NEXT: scf.yield %[[M1]]
    // CHECK-NEXT: } else {
    // CHECK-NEXT: %[[ROW2:.*]] = arith.muli %[[NEXT_T]], %c16
    // CHECK-NEXT: scf.yield %[[ROW2]]
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[K2]], %[[T2]], %[[M2]]
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 3 : i64}
    // CHECK: tile.store %[[SUM]]#0
    tile.store %r, %d[%m, %c0] : !acc, !out
    // CHECK: scf.yield %[[SUM]]#1, %[[SUM]]#2, %[[SUM]]#3, %[[SUM]]#4, %[[SUM]]#5
  }
  // CHECK: tile_gpu.drain %[[CHANNEL]]
  tile.return
}

// A loop of which it is known that it has an iteration needs no branch, and one that
// computes nothing for offsets carries none of them.
// CHECK-LABEL: @has_iterations
// CHECK-NOT: scf.if
tile.kernel @has_iterations(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = tile.fill %z : !acc
  // CHECK: %{{.*}}:4 = scf.for
  scf.for %m = %c0 to %c64 step %c16 {
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %r, %d[%m, %c0] : !acc, !out
  }
  tile.return
}

// The outer loop carries a tile of its own, which is kept if it has no iteration.
// CHECK-LABEL: @carries_a_tile
// CHECK: %[[RESULT:.*]] = scf.if
// CHECK: %[[ALL:.*]]:5 = scf.for
// CHECK: tile_gpu.drain
// CHECK: scf.yield %[[ALL]]#0
// CHECK: } else {
// CHECK: scf.yield %{{.*}}
// CHECK: tile.store %[[RESULT]]
tile.kernel @carries_a_tile(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  %all = scf.for %m = %c0 to %tiles step %c16 iter_args(%sum = %zero) -> !acc {
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %sum) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    scf.yield %r : !acc
  }
  tile.store %all, %d[%c0, %c0] : !acc, !out
  tile.return
}

// The copies of the following loops do not run ahead over both: the buffers are created,
// filled and drained in each iteration of the outer loop.

// CHECK-LABEL: @writes_the_array
// CHECK: scf.for
// CHECK: tile_gpu.channel
tile.kernel @writes_the_array(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  scf.for %m = %c0 to %tiles step %c16 {
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}the circular buffer is drained and filled again in each iteration of the loop around this one: it writes an array that is loaded
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    %h = tile.cast %r : !acc to !tile.tile<16x16xf16, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
    tile.store %h, %a[%m, %c0] : !tile.tile<16x16xf16, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>, !in
  }
  tile.return
}

// CHECK-LABEL: @bounds_depend
// CHECK: scf.for
// CHECK: tile_gpu.channel
tile.kernel @bounds_depend(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  scf.for %m = %c0 to %tiles step %c16 {
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: the bounds of the inner loop depend on it
    %r = scf.for %k = %c0 to %m step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %r, %d[%m, %c0] : !acc, !out
  }
  tile.return
}

// CHECK-LABEL: @offset_is_read
// CHECK: scf.for
// CHECK: tile_gpu.channel
tile.kernel @offset_is_read(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %rows: memref<?xindex>, %z: f32, %d: !out, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  scf.for %t = %c0 to %tiles step %c16 {
    %m = memref.load %rows[%t] : memref<?xindex>
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: offsets of loads are not known an iteration ahead
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %r, %d[%t, %c0] : !acc, !out
  }
  tile.return
}

// CHECK-LABEL: @two_loops
// CHECK: scf.for
// CHECK: tile_gpu.channel
// CHECK: tile_gpu.channel
tile.kernel @two_loops(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  scf.for %m = %c0 to %tiles step %c16 {
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: it is no scf.for directly around this one, or contains another loop
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: it is no scf.for directly around this one, or contains another loop
    %q = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %r) -> !acc {
      %x = tile.load %a[%k, %m] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %q, %d[%m, %c0] : !acc, !out
  }
  tile.return
}

// CHECK-LABEL: @loop_in_a_branch
// CHECK: scf.for
// CHECK: tile_gpu.channel
tile.kernel @loop_in_a_branch(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %d: !out, %c: i1, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  scf.for %m = %c0 to %tiles step %c16 {
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: it is no scf.for directly around this one, or contains another loop
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %r, %d[%m, %c0] : !acc, !out
    scf.if %c {
      // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: it is no scf.for directly around this one, or contains another loop
      %q = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
        %x = tile.load %a[%k, %m] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
        %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
        scf.yield %s : !acc
      } {tile.num_stages = 2 : i64}
      tile.store %q, %d[%c0, %m] : !acc, !out
    }
  }
  tile.return
}

// A result of 96 KiB that threads exchange in the outer loop leaves no room: rows of 48
// elements have no parts of 64 bytes.
// CHECK-LABEL: @no_room
// CHECK: scf.for
// CHECK: tile_gpu.channel
!columns = !tile.tile<1024x48xf16, #tile.register<((4,8),1,(2,6,128)):((2,48),0,(1,8,384)), box = [1024, 48]>>
!rows_of_lanes = !tile.tile<1024x48xf16, #tile.register<((2,16),1,(24,64)):((24,48),0,(1,768)), box = [1024, 48]>>
tile.kernel @no_room(%a: !in {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: f32, %h: f16, %d: !out, %e: !in, %tiles: index, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  %many = tile.fill %h : !columns
  scf.for %m = %c0 to %tiles step %c16 {
    // REMARK: [[#@LINE+1]]:{{.*}}remark:{{.*}}: shared memory has no room for the buffers and the exchanges of threads
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
      %x = tile.load %a[%m, %k] {tile.copy = #tile_gpu.cp_async} : !in -> !operand
      %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 2 : i64}
    tile.store %r, %d[%m, %c0] : !acc, !out
    %o = tile.convert_layout %many : !columns to !rows_of_lanes
    tile.store %o, %e[%m, %c0] : !rows_of_lanes, !in
  }
  tile.return
}
