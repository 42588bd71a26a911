// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

// Four warps multiply from shared memory. With four stages, an iteration issues
// its matmul and copies, and then waits for the previous matmul; the
// accumulator is used after the wait for the last one.

#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {

// CHECK-LABEL: @pipelined
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group
// CHECK: gpu.barrier
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: nvvm.wgmma.fence.aligned
// Rows of 128 bytes: mode 1, 1024 bytes from eight rows to the next, 64 units.
// 2^62 + 64 * 2^32 and the units from one panel to the next in bits 16 to 29:
// 64 rows of A, 128 of B.
// CHECK-DAG: llvm.mlir.constant(4611686293338849280 : i64)
// CHECK-DAG: llvm.mlir.constant(4611686293372403712 : i64)
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: nvvm.wgmma.wait
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NOT: llvm.inline_asm
// CHECK: scf.yield
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "// waited for", "=f,
tile.kernel @pipelined(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #column>, %z: memref<?x?xf32, #row>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// A use of the accumulator waits; 320 columns are two instructions of 160 each.
// CHECK-LABEL: @used_at_once
// CHECK-COUNT-2: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 160, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <col>], B[<bf16>, <one>, <row>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "// waited for", "=f,
// CHECK: arith.negf
tile.kernel @used_at_once(%x: memref<?x?xbf16, #column>, %y: memref<?x?xbf16, #row>, %z: memref<?x?xf32, #row>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x320xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xbf16, #column> -> !tile.tile<64x16xbf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xbf16, #row> -> !tile.tile<16x320xbf16>
  %d = tile.matmul %a, %b, %zero : !tile.tile<64x16xbf16>, !tile.tile<16x320xbf16> -> !tile.tile<64x320xf32>
  %n = arith.negf %d : !tile.tile<64x320xf32>
  tile.store %n, %z[%c0, %c0] : !tile.tile<64x320xf32>, memref<?x?xf32, #row>
  tile.return
}

// Each of two warpgroups has two matmuls of 64x32 with the same rhs: a matmul
// has four steps along K, and all instructions are one group.
// CHECK-LABEL: @batch
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-8: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 32, k = 32>, D[<s32>, {{.*}}], A[<s8>, <one>, <row>], B[<s8>, <one>, <col>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
tile.kernel @batch(%x: memref<?x?x?xi8>, %y: memref<?x?xi8, #column>, %z: memref<?x?x?xi32>) attributes {block = 256} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : !tile.tile<4x64x32xi32>
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xi8> -> !tile.tile<4x64x128xi8>
  %b = tile.load %y[%c0, %c0] : memref<?x?xi8, #column> -> !tile.tile<128x32xi8>
  %d = tile.matmul %a, %b, %zero : !tile.tile<4x64x128xi8>, !tile.tile<128x32xi8> -> !tile.tile<4x64x32xi32>
  tile.store %d, %z[%c0, %c0, %c0] : !tile.tile<4x64x32xi32>, memref<?x?x?xi32>
  tile.return
}

}
