// RUN: tile-opt %s -tile-gradient=kernel=scale | FileCheck %s --check-prefix=PARTS
// RUN: tile-opt %s -tile-gradient="kernel=scale atomics" | FileCheck %s --check-prefix=ATOMIC
// RUN: tile-opt %s -tile-gradient=kernel=product | FileCheck %s --check-prefix=OWNER
// RUN: tile-opt %s -tile-gradient=kernel=powers | FileCheck %s --check-prefix=KEPT
// RUN: tile-opt %s -tile-gradient=kernel=twice | FileCheck %s --check-prefix=COPIES
// RUN: tile-compile %s --gradient=kernel=scale --emit=report --json -o - | FileCheck %s --check-prefix=JSON

// Each derivative records how it adds up a gradient, and with how many bytes.

// PARTS-DAG: {about = "gradient of x", bytes = 0 : i64, chosen = "by the program that loads the elements", {{.*}}of_source, operation = "tile.store", reason = "no two programs load the same element"}
// PARTS-DAG: {about = "gradient of w", bytes = 384 : i64, chosen = "in partial sums of 384 bytes, which a second kernel adds up in order", {{.*}}reason = "programs along x load the same elements, and few programs would own them"}

// ATOMIC-DAG: {about = "gradient of w", bytes = 0 : i64, chosen = "by atomic additions, whose order differs from run to run", {{.*}}reason = "the request allows atomics"}

// JSON: "about": "gradient of w",
// JSON-NEXT: "bytes": 384,
// JSON-NEXT: "chosen": "in partial sums of 384 bytes, which a second kernel adds up in order",
tile.kernel @scale(%x: memref<?x96xf16> {tile.name = "x"}, %w: memref<96xf16> {tile.name = "w"}, %y: memref<?x96xf16> {tile.name = "y"})
    attributes {block = 96 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x96xf16> -> !tile.tile<96xf16>
  %u = tile.load %w[%c0] : memref<96xf16> -> !tile.tile<96xf16>
  %s = arith.mulf %v, %u : !tile.tile<96xf16>
  tile.store %s, %y[%i, %c0] : !tile.tile<96xf16>, memref<?x96xf16>
  tile.return
}

// OWNER-DAG: {about = "gradient of b", bytes = 0 : i64, chosen = "by a loop over the programs along x, with a program for each iteration of the loops around the load", {{.*}}reason = "they load the same elements, whose owner adds up all updates; iterations load different elements, so that each has an owner"}
tile.kernel @product(%a: memref<64x256xf32> {tile.name = "a"}, %b: memref<256x64xf32> {tile.name = "b"}, %y: memref<64x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %p = tile.program_id x
  %q = tile.program_id y
  %i = arith.muli %p, %c16 : index
  %j = arith.muli %q, %c16 : index
  %r = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero) -> !tile.tile<16x16xf32> {
    %u = tile.load %a[%i, %k] : memref<64x256xf32> -> !tile.tile<16x16xf32>
    %v = tile.load %b[%k, %j] : memref<256x64xf32> -> !tile.tile<16x16xf32>
    %s = tile.matmul %u, %v, %acc : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
    scf.yield %s : !tile.tile<16x16xf32>
  }
  tile.store %r, %y[%i, %j] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// KEPT: {about = "value of a loop", bytes = 512 : i64, chosen = "kept in 512 bytes of memory for each program and iteration", {{.*}}reason = "the derivative needs it after the loop"}
tile.kernel @powers(%x: memref<?x64xf64> {tile.name = "x"}, %y: memref<?x64xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %p = tile.program_id x
  %v = tile.load %x[%p, %c0] : memref<?x64xf64> -> !tile.tile<64xf64>
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%t = %v) -> !tile.tile<64xf64> {
    %s = arith.mulf %t, %t : !tile.tile<64xf64>
    scf.yield %s : !tile.tile<64xf64>
  }
  tile.store %r, %y[%p, %c0] : !tile.tile<64xf64>, memref<?x64xf64>
  tile.return
}

// COPIES: {about = "gradient of w", bytes = 256 : i64, chosen = "in copies of 256 bytes, which a second kernel adds up in order", {{.*}}reason = "programs along x load the same elements several times or while a loop carries values"}
tile.kernel @twice(%x: memref<?x32xf32> {tile.name = "x"}, %w: memref<64xf32> {tile.name = "w"}, %y: memref<?x32xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %v = tile.load %x[%p, %c0] : memref<?x32xf32> -> !tile.tile<32xf32>
  %a = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<32xf32>
  %b = tile.load %w[%c32] : memref<64xf32> -> !tile.tile<32xf32>
  %s = arith.mulf %v, %a : !tile.tile<32xf32>
  %t = arith.addf %s, %b : !tile.tile<32xf32>
  tile.store %t, %y[%p, %c0] : !tile.tile<32xf32>, memref<?x32xf32>
  tile.return
}
