// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage | FileCheck %s

// The instruction truncates its operands, so they are rounded before. lhs is copied to
// shared memory, and rounded in the registers that the instruction takes. rhs is loaded
// to registers, rounded, and stored to shared memory.
#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: @by_warpgroups
// CHECK: %[[A:.*]] = tile.load %{{.*}} -> !tile.tile<128x32xf32, #tile.shared>
// CHECK: %[[B:.*]] = tile.load %{{.*}} -> !tile.tile<32x256xf32, #tile.register>
// CHECK: %[[BR:.*]] = tile.round_tf32 %[[B]] : !tile.tile<32x256xf32, #tile.register>
// CHECK: %[[BS:.*]] = tile.convert_layout %[[BR]] : {{.*}} to !tile.tile<32x256xf32, #tile.shared>
// CHECK: %[[AF:.*]] = tile.convert_layout %[[A]] : {{.*}} to !tile.tile<128x32xf32, #tile.register>
// CHECK: %[[AR:.*]] = tile.round_tf32 %[[AF]]
// CHECK: tile.matmul %[[AR]], %[[BS]], %{{.*}} precision tf32 tiling <{{.*}}atom = #tile.wgmma<64x?x8, tf32, f32>>
tile.kernel @by_warpgroups(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %c0 to %c1024 step %step iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf32, #row> -> !tile.tile<128x32xf32>
    %b = tile.load %y[%k, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x256xf32>
    %d = tile.matmul %a, %b, %acc precision tf32 : !tile.tile<128x32xf32>, !tile.tile<32x256xf32> -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x256xf32>, memref<?x?xf32, #row>
  tile.return
}

// mma.sync rounds its operands.
// CHECK-LABEL: @by_warps
// CHECK-NOT: tile.round_tf32
// CHECK: tile.matmul {{.*}} atom = #tile.mma<16x8x8, tf32, f32>
// CHECK-NOT: tile.round_tf32
tile.kernel @by_warps(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %c1024 step %step iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf32, #row> -> !tile.tile<64x32xf32>
    %b = tile.load %y[%k, %c0] : memref<?x?xf32, #column> -> !tile.tile<32x64xf32>
    %d = tile.matmul %a, %b, %acc precision tf32 : !tile.tile<64x32xf32>, !tile.tile<32x64xf32> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}

}
