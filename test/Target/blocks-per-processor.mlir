// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s
// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s --check-prefix=REPORT
// RUN: tile-compile %s -o - --emit=report --arch=sm_80 --json | FileCheck %s --check-prefix=JSON
// REQUIRES: nvptx, ptxas

// ptxas limits registers so that the requested blocks fit. Without the request, a
// thread of this kernel has more than 64 registers, the limit for four blocks of 256
// threads.
// CHECK: .entry gemm(
// CHECK: .reqntid 256, 1, 1
// CHECK-NEXT: .minnctapersm 4
// REPORT: kernel gemm at
// REPORT: blocks a multiprocessor: 4 or more
// REPORT-NEXT: registers: {{([1-5][0-9]|6[0-4])}} a thread
// JSON: "blocksPerProcessor": 4
tile.kernel @gemm(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>)
    attributes {block = 256 : i64, tile.blocks_per_processor = 4 : i64} {
  %row = tile.program_id x
  %column = tile.program_id y
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %i = arith.muli %row, %c128 : index
  %j = arith.muli %column, %c128 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %c512 step %c8 iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %lhs = tile.load %a[%i, %k] : memref<512x512xf32> -> !tile.tile<128x8xf32>
    %rhs = tile.load %b[%k, %j] : memref<512x512xf32> -> !tile.tile<8x128xf32>
    %next = tile.matmul %lhs, %rhs, %acc : !tile.tile<128x8xf32>, !tile.tile<8x128xf32> -> !tile.tile<128x128xf32>
    scf.yield %next : !tile.tile<128x128xf32>
  }
  tile.store %sum, %c[%i, %j] : !tile.tile<128x128xf32>, memref<512x512xf32>
  tile.return
}
