// RUN: tile-opt %s -tile-expand-pipeline -canonicalize -tile-bufferize -canonicalize -cse -tile-carry-fragments | FileCheck %s

#rows = #tile.shared<(16,48):(48,1), align = 16>
#columns = #tile.shared<(48,16):(1,48), align = 16>
!lhs = !tile.tile<16x48xf16, #rows>
!rhs = !tile.tile<48x16xf16, #columns>
!batch_rhs = !tile.tile<2x48x16xf16, #tile.shared<(2,48,16):(768,1,48), align = 16>>
!batch = !tile.tile<2x16x16xf32, #tile.register<((4,8),1,(2,2,2,2)):((2,16),0,(1,128,8,256)), box = [2, 16, 16]>>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>

// The matmul has three steps along K. Step 2 is multiplied in the next
// iteration, before its copies; steps 0 and 1 are multiplied after the copies.
// Step 2 of the last iteration is multiplied after the loop.
// CHECK-LABEL: @three_steps
tile.kernel @three_steps(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %b: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  // CHECK-DAG: %[[ACC:.*]] = arith.constant dense<1.0
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<0.0{{.*}} : !tile.tile<16x16xf16, #[[LHS:tile.register<\(\(4,8\),1,\(2,2,2\)\):\(\(2,16\),0,\(1,128,8\)\), box = \[16, 16\]>]]>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<0.0{{.*}} : !tile.tile<16x16xf16, #[[RHS:tile.register<\(\(4,8\),1,\(2,2,2\)\):\(\(32,1\),0,\(16,128,8\)\), box = \[16, 16\]>]]>
  // CHECK: %[[LOOP:.*]]:5 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ACC]], {{.*}}, {{.*}}, %[[LASTA:.*]] = %[[A]], %[[LASTB:.*]] = %[[B]])
  // CHECK: tile_gpu.wait
  // CHECK: memref.subview %[[SLOTA:.*]][0, 0] [16, 16]
  // CHECK: %[[A0:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<16x16xf16, #[[LHS]]>
  // CHECK: %[[B0:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<16x16xf16, #[[RHS]]>
  // CHECK: %[[D:.*]] = tile.matmul %[[LASTA]], %[[LASTB]], %[[SUM]]
  // CHECK-COUNT-2: tile_gpu.copy_async
  // CHECK: tile_gpu.commit
  // CHECK: %[[D0:.*]] = tile.matmul %[[A0]], %[[B0]], %[[D]]
  // CHECK: %[[MIDA:.*]] = memref.subview %[[SLOTA]][0, 16] [16, 16]
  // CHECK: %[[MIDB:.*]] = memref.subview %{{.*}}[16, 0] [16, 16]
  // CHECK: %[[D1:.*]] = tile.matmul %[[MIDA]], %[[MIDB]], %[[D0]]
  // CHECK: memref.subview %[[SLOTA]][0, 32] [16, 16]
  // CHECK: %[[A2:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<16x16xf16, #[[LHS]]>
  // CHECK: %[[B2:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<16x16xf16, #[[RHS]]>
  // CHECK: scf.yield %[[D1]], {{.*}}, {{.*}}, %[[A2]], %[[B2]]
  // CHECK: %[[R:.*]] = tile.matmul %[[LOOP]]#3, %[[LOOP]]#4, %[[LOOP]]#0
  // CHECK: tile.store %[[R]]
  %zero = arith.constant dense<1.0> : !acc
  %r = scf.for %k = %c0 to %n step %c48 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !lhs
    %y = tile.load %b[%k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !rhs
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !lhs, !rhs -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// In a batch, the loop carries the fragments of each matmul, and the fragments of an
// operand that all matmuls share.
// CHECK-LABEL: @batch
tile.kernel @batch(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %b: memref<?x?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  // CHECK: memref.subview {{.*}}[0, 0] [16, 16]
  // CHECK: %[[A0:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<16x16xf16,
  // CHECK: memref.subview {{.*}}[0, 0, 0] [2, 16, 16]
  // CHECK: %[[B0:.*]] = tile_gpu.load_shared {{.*}} -> !tile.tile<2x16x16xf16, #tile.register<((4,8),1,(2,2,2,2)):((32,1),0,(16,128,8,256)), box = [2, 16, 16]>>
  // CHECK: tile.matmul %[[A0]], %[[B0]]
  // CHECK: memref.subview {{.*}}[0, 16, 0] [2, 16, 16]
  // CHECK: memref.subview {{.*}}[0, 32, 0] [2, 16, 16]
  %zero = arith.constant dense<1.0> : !batch
  %r = scf.for %k = %c0 to %n step %c48 iter_args(%acc = %zero) -> !batch {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !lhs
    %y = tile.load %b[%c0, %k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?x?xf16> -> !batch_rhs
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1, 1], sub = [2, 1, 2], atom = "m16n8k16"> : !lhs, !batch_rhs -> !batch
    scf.yield %s : !batch
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0, %c0] : !batch, memref<?x?x?xf32>
  tile.return
}

// With two steps along K, no step is between the first and the last one.
// CHECK-LABEL: @two_steps
tile.kernel @two_steps(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  // CHECK: scf.for
  // CHECK-COUNT-2: tile.matmul %{{.*}} : !tile.tile<16x16xf16
  // CHECK-NOT: tile.matmul
  // CHECK: scf.yield
  // CHECK: tile.matmul
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<16x32xf16, #tile.shared<(16,32):(32,1), align = 16>>
    %y = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>>
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !tile.tile<16x32xf16, #tile.shared<(16,32):(32,1), align = 16>>, !tile.tile<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>> -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// A matmul whose accumulator another operation of the iteration reads is not split.
// CHECK-LABEL: @looks_at_the_sum
tile.kernel @looks_at_the_sum(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  // CHECK: scf.for
  // CHECK-NOT: tile_gpu.load_shared
  // CHECK: tile.matmul
  // CHECK-NOT: tile.matmul
  // CHECK: tile.store
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<16x32xf16, #tile.shared<(16,32):(32,1), align = 16>>
    %y = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>>
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !tile.tile<16x32xf16, #tile.shared<(16,32):(32,1), align = 16>>, !tile.tile<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>> -> !acc
    %t = arith.maximumf %s, %acc : !acc
    scf.yield %t : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// A matmul with padding (12 rows of 16, 20 of 32 along K) is not split.
// CHECK-LABEL: @padded
tile.kernel @padded(%a: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  // CHECK-NOT: tile_gpu.load_shared
  // CHECK: tile.store
  %zero = arith.constant dense<0.0> : !tile.tile<12x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
  %r = scf.for %k = %c0 to %n step %c20 iter_args(%acc = %zero) -> !tile.tile<12x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>> {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<12x20xf16, #tile.shared<(16,32):(32,1), align = 16>>
    %y = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !tile.tile<20x16xf16, #tile.shared<(32,16):(16,1), align = 16>>
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !tile.tile<12x20xf16, #tile.shared<(16,32):(32,1), align = 16>>, !tile.tile<20x16xf16, #tile.shared<(32,16):(16,1), align = 16>> -> !tile.tile<12x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
    scf.yield %s : !tile.tile<12x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !tile.tile<12x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>, memref<?x?xf32>
  tile.return
}

// A matmul of bytes that are not contiguous along K, which it permutes, is not split.
// CHECK-LABEL: @permuted_bytes
tile.kernel @permuted_bytes(%a: memref<?x?xi8>, %d: memref<?x?xi32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK-NOT: tile_gpu.load_shared
  // CHECK: tile.store
  %zero = arith.constant dense<0> : !tile.tile<16x16xi32, #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<16x16xi32, #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>> {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xi8> -> !tile.tile<16x64xi8, #tile.shared<(16,64):(64,1), align = 16>>
    %y = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.cp_async} : memref<?x?xi8> -> !tile.tile<64x16xi8, #tile.shared<(64,16):(16,1), align = 16>>
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k32"> : !tile.tile<16x64xi8, #tile.shared<(16,64):(64,1), align = 16>>, !tile.tile<64x16xi8, #tile.shared<(64,16):(16,1), align = 16>> -> !tile.tile<16x16xi32, #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>>
    scf.yield %s : !tile.tile<16x16xi32, #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>>
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xi32, #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>>, memref<?x?xi32>
  tile.return
}
