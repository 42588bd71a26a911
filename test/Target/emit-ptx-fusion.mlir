// RUN: tile-compile %s -o - --emit=ptx --arch=sm_90 | FileCheck %s
// REQUIRES: nvptx

// i8 times a scale, in a pipelined loop: asynchronous copies load the bytes, lanes read
// the elements of their fragments, and nothing else is stored to shared memory.
// CHECK-LABEL: .entry dequantise(
// CHECK:         cp.async.cg.shared.global
// CHECK-NOT:     st.shared
// CHECK:       $L__BB{{.*}}:
// CHECK:         cp.async.wait_group
// CHECK-NOT:     st.shared
// CHECK:         ld.shared.b8
// CHECK-NOT:     st.shared
// CHECK:         mul.rn.f16x2
// CHECK-NOT:     st.shared
// CHECK:         mma.sync
// CHECK-NOT:     st.shared
// CHECK:         cp.async.cg.shared.global
// CHECK-NOT:     st.shared
// CHECK:         bra
// CHECK-NOT:     st.shared
// CHECK:         ret;
// CHECK-LABEL: .entry dequantise__general(
tile.kernel @dequantise(%A: memref<?x?xf16, strided<[?, 1]>>, %B: memref<?x?xi8, strided<[?, 1]>>, %S: memref<1x?xf16, strided<[?, 1]>>, %C: memref<?x?xf32, strided<[?, 1]>>, %depth: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %s = tile.load %S[%c0, %c0] : memref<1x?xf16, strided<[?, 1]>> -> !tile.tile<1x64xf16>
  %sum = scf.for %k = %c0 to %depth step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %A[%c0, %k] : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x32xf16>
    %b = tile.load %B[%k, %c0] : memref<?x?xi8, strided<[?, 1]>> -> !tile.tile<32x64xi8>
    %w = tile.cast %b : !tile.tile<32x64xi8> to !tile.tile<32x64xf16>
    %f = tile.broadcast %s : !tile.tile<1x64xf16> to !tile.tile<32x64xf16>
    %q = arith.mulf %w, %f : !tile.tile<32x64xf16>
    %d = tile.matmul %a, %q, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %C[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}
