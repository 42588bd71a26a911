// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s
// REQUIRES: nvptx, ptxas

// If a kernel calls functions of libdevice, LLVM infers that an array is read-only. But
// another writer may change an array that is read atomically: it must not be read by
// ld.global.nc, a non-coherent load, which LLVM cannot combine with an atomic one.
// CHECK-LABEL: .entry poll(
// CHECK: ld.relaxed.gpu.global.b32
tile.kernel @poll(%flags: memref<32xi32>, %x: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %flag = tile.atomic_load %flags[%c0] order relaxed : memref<32xi32> -> !tile.tile<32xi32>
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64>
  %s = math.round %t : !tile.tile<32xf64>
  tile.store %s, %x[%c0] : !tile.tile<32xf64>, memref<32xf64>
  tile.return
}
