// RUN: tile-opt %s -tile-expand-pipeline | FileCheck %s

#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>

// Three stages: a ring of three slots, two groups begun ahead, the product on the
// slot of the oldest after the wait for it, the third copy behind the product
// if the loop has a third step.
// CHECK-LABEL: @three_stages
tile.kernel @three_stages(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: %[[RING:.*]] = memref.alloc() : memref<3x16x16xf16
  // CHECK-COUNT-2: nvvm.cp.async.commit.group
  // CHECK: %[[LOOP:.*]]:{{.*}} = scf.for
  // CHECK: %[[HOLDS:.*]] = arith.cmpi slt
  // CHECK: nvvm.cp.async.wait.group 1
  // CHECK: %[[TILE:.*]] = tile.from_buffer
  // CHECK: tile.matmul %[[TILE]], %[[TILE]]
  // CHECK: tile.copy_async {{.*}} if %[[HOLDS]]
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: scf.yield
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NOT: tile.num_stages
  // CHECK: tile.store
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.stage = 0 : i64} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// An offset that the body computes is computed ahead for the copy. With two
// stages the copy is before the product.
// CHECK-LABEL: @computes_offsets_ahead
tile.kernel @computes_offsets_ahead(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index, %s0: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.for
  // CHECK: %[[NEXT:.*]] = arith.addi
  // CHECK: %[[AHEAD:.*]] = arith.muli %[[NEXT]],
  // CHECK: tile.copy_async %{{.*}}[%{{.*}}, %[[AHEAD]]] {{.*}} if
  // CHECK: tile.matmul
  // CHECK: scf.yield
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %at = arith.muli %k, %s0 : index
    %x = tile.load %a[%c0, %at] {tile.stage = 0 : i64} : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// A load without a mark stays where it is.
// CHECK-LABEL: @leaves_other_loads
tile.kernel @leaves_other_loads(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: scf.for
  // CHECK: tile.copy_async
  // CHECK: %[[OTHER:.*]] = tile.load
  // CHECK: tile.matmul %{{.*}}, %[[OTHER]]
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.stage = 0 : i64} : memref<?x?xf16> -> !operand
    %y = tile.load %a[%k, %c0] : memref<?x?xf16> -> !operand
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// Two loops in each other have rings of their own. The wait for all groups
// after the inner one holds for the outer copy too.
// CHECK-LABEL: @nested_loops
tile.kernel @nested_loops(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  // CHECK: memref.alloc() : memref<2x16x16xf16
  // CHECK: scf.for
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK: tile.copy_async
  // CHECK: %[[OUTER:.*]] = tile.from_buffer
  // CHECK: memref.alloc() : memref<3x16x16xf16
  // CHECK: scf.for
  // CHECK: nvvm.cp.async.wait.group 1
  // CHECK: %[[INNER:.*]] = tile.from_buffer
  // CHECK: tile.matmul %[[OUTER]], %[[INNER]]
  // CHECK: tile.copy_async
  // CHECK: scf.yield
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK: scf.yield
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK: tile.store
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%outer = %zero) -> !acc {
    %x = tile.load %a[%c0, %i] {tile.stage = 0 : i64} : memref<?x?xf16> -> !operand
    %q = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %outer) -> !acc {
      %y = tile.load %a[%i, %k] {tile.stage = 0 : i64} : memref<?x?xf16> -> !operand
      %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !operand, !operand -> !acc
      scf.yield %s : !acc
    } {tile.num_stages = 3 : i64}
    scf.yield %q : !acc
  } {tile.num_stages = 2 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}
