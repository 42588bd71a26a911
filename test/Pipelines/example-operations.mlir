// The operations of test/lib/ExampleOps.td, which no phase knows, have correct
// results (docs/AddingAnOperation.md): each kernel asserts the values that the
// emulator computes from random input.
// REQUIRES: emulator, nvptx
// RUN: tile-opt %s -tile-phases -test-tile-emulate -verify-diagnostics -o /dev/null
// RUN: tile-opt %s -tile-to-nvvm | tile-compile - --emit=ptx -o - | FileCheck %s

// The mean is between operations of arith, on packed elements, with extents that a warp
// does not divide: (x + 2x) / 2 is exactly 1.5 x.
// CHECK-LABEL: .entry mean(
// CHECK: add.rn.f16
// CHECK: mul.rn.f16
tile.kernel @mean(%a: memref<8x50xf16>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<8x50xf16> -> !tile.tile<8x50xf16>
  %twice = arith.addf %x, %x : !tile.tile<8x50xf16>
  %mean = example.mean %x, %twice : !tile.tile<8x50xf16>
  %factor = arith.constant dense<1.5> : !tile.tile<8x50xf16>
  %expected = arith.mulf %x, %factor : !tile.tile<8x50xf16>
  %same = arith.cmpf oeq, %mean, %expected : !tile.tile<8x50xf16>
  tile.assert %same, "expected the mean" : !tile.tile<8x50xi1>
  tile.return
}

// A butterfly of a loaded tile in another layout, along rows of one warp and of two.
// CHECK-LABEL: .entry butterfly(
// CHECK: shfl.sync.bfly.b32 {{.*}}, 5, 31, -1;
// CHECK: bar.sync
tile.kernel @butterfly(%a: memref<6x64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<6x64xf32> -> !tile.tile<6x64xf32>
  %r = example.butterfly %x mask 5 : !tile.tile<6x64xf32> to !tile.tile<6x64xf32>
  %i = tile.iota axis 1 : !tile.tile<1x64xi32>
  %mask = arith.constant dense<5> : !tile.tile<1x64xi32>
  %places = arith.xori %i, %mask : !tile.tile<1x64xi32>
  %expected = tile.take %x at %places axis 1 : !tile.tile<6x64xf32>, !tile.tile<1x64xi32> to !tile.tile<6x64xf32>
  %same = arith.cmpf oeq, %r, %expected : !tile.tile<6x64xf32>
  tile.assert %same, "expected the elements of the other lanes" : !tile.tile<6x64xi1>
  tile.return
}

// A loop carries butterflies of sums, which have the layout of a reduction and are
// reduced.
// CHECK-LABEL: .entry chain(
tile.kernel @chain(%a: memref<32x32xi32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = tile.load %a[%c0, %c0] : memref<32x32xi32> -> !tile.tile<32x32xi32>
  %rows = tile.reduce add %x axis 1 : !tile.tile<32x32xi32> to !tile.tile<32xi32>
  %r = scf.for %n = %c0 to %c3 step %c1 iter_args(%t = %rows) -> !tile.tile<32xi32> {
    %u = example.butterfly %t mask 16 : !tile.tile<32xi32> to !tile.tile<32xi32>
    scf.yield %u : !tile.tile<32xi32>
  }
  %i = tile.iota axis 0 : !tile.tile<32xi32>
  %mask = arith.constant dense<16> : !tile.tile<32xi32>
  %places = arith.xori %i, %mask : !tile.tile<32xi32>
  %expected = tile.take %rows at %places axis 0 : !tile.tile<32xi32>, !tile.tile<32xi32> to !tile.tile<32xi32>
  %same = arith.cmpi eq, %r, %expected : !tile.tile<32xi32>
  tile.assert %same, "expected the sums of the other rows" : !tile.tile<32xi1>
  %d = arith.subi %r, %rows : !tile.tile<32xi32>
  %sum = tile.reduce add %d axis 0 : !tile.tile<32xi32> to !tile.tile<i32>
  %zero = arith.constant dense<0> : !tile.tile<i32>
  %none = arith.cmpi eq, %sum, %zero : !tile.tile<i32>
  tile.assert %none, "expected the same elements in another order" : !tile.tile<i1>
  tile.return
}

// Both variants execute assertions: with another mask, this assertion fails.
tile.kernel @other_mask(%a: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<32xf32> -> !tile.tile<32xf32>
  %r = example.butterfly %x mask 1 : !tile.tile<32xf32> to !tile.tile<32xf32>
  %s = example.butterfly %x mask 2 : !tile.tile<32xf32> to !tile.tile<32xf32>
  %same = arith.cmpf oeq, %r, %s : !tile.tile<32xf32>
  // expected-error @below {{assertion failed: expected the same}}
  tile.assert %same, "expected the same" : !tile.tile<32xi1>
  tile.return
}
