// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s
// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s --check-prefix=REPORT
// REQUIRES: nvptx, ptxas

// The accumulator takes all registers of 512 threads, so ptxas spills. It is not computed
// in parts, as the kernel reads the array that it writes. The PTX
// specifies at least one block for a multiprocessor; otherwise ptxas gives each thread
// 32 registers.
// CHECK: .entry product(
// CHECK: .reqntid 512, 1, 1
// CHECK-NEXT: .minnctapersm 1
// REPORT: kernel product at
// REPORT: registers: 128 a thread
tile.kernel @product(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>)
    attributes {block = 512 : i64} {
  %row = tile.program_id x
  %column = tile.program_id y
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %i = arith.muli %row, %c256 : index
  %j = arith.muli %column, %c256 : index
  %before = tile.load %c[%i, %j] : memref<512x512xf32> -> !tile.tile<256x256xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %before) -> !tile.tile<256x256xf32> {
    %lhs = tile.load %a[%i, %k] : memref<512x512xf16> -> !tile.tile<256x64xf16>
    %rhs = tile.load %b[%k, %j] : memref<512x512xf16> -> !tile.tile<64x256xf16>
    %next = tile.matmul %lhs, %rhs, %acc : !tile.tile<256x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<256x256xf32>
    scf.yield %next : !tile.tile<256x256xf32>
  }
  tile.store %sum, %c[%i, %j] : !tile.tile<256x256xf32>, memref<512x512xf32>
  tile.return
}

// ptxas chooses the registers of a kernel that fits, and leaves room for more blocks.
// CHECK: .entry copy(
// CHECK: .reqntid 256, 1, 1
// CHECK-NOT: .minnctapersm
tile.kernel @copy(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %t, %b[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}
