// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

// In the fragments of m16n8k16, a register has two elements adjacent along K.
#lhs = #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>
#rhs = #tile.register<((4,8),1,(2,2)):((16,1),0,(8,64)), box = [16, 8]>
#acc = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>

// The instruction takes a lane's four registers of A in their order: rows r and r + 8 in
// the first half of K, then the same two rows in the second half.
// CHECK-LABEL: @multiplies_registers
tile.kernel @multiplies_registers(%a: memref<16x16xf16> {tile.alignment = 16 : i64}, %b: f16, %d: memref<16x8xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A0:.*]] = vector.load {{.*}} vector<2xf16>
  // CHECK: %[[A1:.*]] = vector.load {{.*}} vector<2xf16>
  // CHECK: %[[A2:.*]] = vector.load {{.*}} vector<2xf16>
  // CHECK: %[[A3:.*]] = vector.load {{.*}} vector<2xf16>
  // CHECK: nvvm.mma.sync A[%[[A0]], %[[A1]], %[[A2]], %[[A3]]]
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] in_bounds : memref<16x16xf16> -> !tile.tile<16x16xf16, #lhs>
  %y = tile.fill %b : !tile.tile<16x8xf16, #rhs>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16, #lhs>, !tile.tile<16x8xf16, #rhs> -> !tile.tile<16x8xf32, #acc>
  tile.store %r, %d[%c0, %c0] in_bounds : !tile.tile<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// One operand is in registers, the other in a buffer.
// CHECK-LABEL: @multiplies_registers_by_a_buffer
tile.kernel @multiplies_registers_by_a_buffer(%a: f16, %d: memref<16x8xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 2 : i32, transpose = true}
  // CHECK: nvvm.mma.sync
  // CHECK: tile.return
  %x = tile.fill %a : !tile.tile<16x16xf16, #lhs>
  %y = memref.alloc() {tile.shared_offset = 0 : i64} : memref<16x8xf16, #tile.shared<(16,8):(8,1)>>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16, #lhs>, memref<16x8xf16, #tile.shared<(16,8):(8,1)>> -> !tile.tile<16x8xf32, #acc>
  tile.store %r, %d[%c0, %c0] in_bounds : !tile.tile<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// Elements of the padding, here K = 15, count as zero whatever the registers hold.
// CHECK-LABEL: @masks_the_padding_along_k
tile.kernel @masks_the_padding_along_k(%a: f16, %b: f16, %d: memref<16x8xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // At K = 15 a thread has two elements of A, in two rows, and one element of B.
  // CHECK-COUNT-3: arith.select {{.*}} : f16
  // CHECK-NOT: arith.select {{.*}} : f16
  // CHECK: nvvm.mma.sync
  // CHECK: tile.return
  %x = tile.fill %a : !tile.tile<16x15xf16, #lhs>
  %y = tile.fill %b : !tile.tile<15x8xf16, #rhs>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x15xf16, #lhs>, !tile.tile<15x8xf16, #rhs> -> !tile.tile<16x8xf32, #acc>
  tile.store %r, %d[%c0, %c0] in_bounds : !tile.tile<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// In the fragments of m16n8k32, a register has four bytes along K.
#bytes_lhs = #tile.register<((4,8),1,(4,2,2)):((4,64),0,(1,32,16)), box = [16, 32]>
#bytes_rhs = #tile.register<((4,8),1,(4,2,2)):((64,2),0,(16,256,1)), box = [32, 16]>
#bytes_acc = #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>
// CHECK-LABEL: @multiplies_bytes
tile.kernel @multiplies_bytes(%a: i8, %d: memref<16x16xi32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-COUNT-2: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 32>
  // CHECK: tile.return
  %x = tile.fill %a : !tile.tile<16x32xi8, #bytes_lhs>
  %y = tile.fill %a : !tile.tile<32x16xi8, #bytes_rhs>
  %z = arith.constant dense<0> : !tile.tile<16x16xi32, #bytes_acc>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k32"> : !tile.tile<16x32xi8, #bytes_lhs>, !tile.tile<32x16xi8, #bytes_rhs> -> !tile.tile<16x16xi32, #bytes_acc>
  tile.store %r, %d[%c0, %c0] in_bounds : !tile.tile<16x16xi32, #bytes_acc>, memref<16x16xi32>
  tile.return
}
