// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-phases -o /dev/null

// A function of libdevice is inlined for each of a thread's 1,024 elements.
tile.kernel @refuses_functions(%a: memref<128x256xf64>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<128x256xf64> -> !tile.tile<128x256xf64>
  // expected-error @below {{expected a kernel of about 80000 instructions a thread at most, got about 122882, 116736 of them here, with a block of 32 threads; a block of 64 serves}}
  %u = math.exp %t : !tile.tile<128x256xf64>
  tile.store %u, %a[%c0, %c0] : !tile.tile<128x256xf64>, memref<128x256xf64>
  tile.return
}

// -----

// A thread's 128 elements are compared in each of 78 steps.
tile.kernel @refuses_sorts(%a: memref<4096xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4096xf32> -> !tile.tile<4096xf32>
  // expected-error @below {{instructions a thread at most}}
  %u = tile.sort %t axis 0 : !tile.tile<4096xf32>
  tile.store %u, %a[%c0] : !tile.tile<4096xf32>, memref<4096xf32>
  tile.return
}

// -----

// A loop's code is counted once.
tile.kernel @takes_loops(%a: memref<16x256xf64>, %n: index)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %a[%c0, %c0] : memref<16x256xf64> -> !tile.tile<16x256xf64>
  %r = scf.for %i = %c0 to %n step %c1
      iter_args(%u = %t) -> !tile.tile<16x256xf64> {
    %v = math.exp %u : !tile.tile<16x256xf64>
    scf.yield %v : !tile.tile<16x256xf64>
  }
  tile.store %r, %a[%c0, %c0] : !tile.tile<16x256xf64>, memref<16x256xf64>
  tile.return
}

// -----

// The code is too long even if 1,024 threads share the elements.
tile.kernel @refuses_every_block(%a: memref<128x256xf64>)
    attributes {block = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<128x256xf64> -> !tile.tile<128x256xf64>
  // expected-error @below {{6240 of them here, with a block of 1024 threads; no block size serves}}
  %1 = math.log %0 : !tile.tile<128x256xf64>
  %2 = math.log %1 : !tile.tile<128x256xf64>
  %3 = math.log %2 : !tile.tile<128x256xf64>
  %4 = math.log %3 : !tile.tile<128x256xf64>
  %5 = math.log %4 : !tile.tile<128x256xf64>
  %6 = math.log %5 : !tile.tile<128x256xf64>
  %7 = math.log %6 : !tile.tile<128x256xf64>
  %8 = math.log %7 : !tile.tile<128x256xf64>
  %9 = math.log %8 : !tile.tile<128x256xf64>
  %10 = math.log %9 : !tile.tile<128x256xf64>
  %11 = math.log %10 : !tile.tile<128x256xf64>
  %12 = math.log %11 : !tile.tile<128x256xf64>
  %13 = math.log %12 : !tile.tile<128x256xf64>
  %14 = math.log %13 : !tile.tile<128x256xf64>
  tile.store %14, %a[%c0, %c0] : !tile.tile<128x256xf64>, memref<128x256xf64>
  tile.return
}
