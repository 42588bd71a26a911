// RUN: tile-opt %s -tile-gradient | FileCheck %s
// RUN: tile-opt %s -tile-gradient -tile-phases=arch=sm_86 -o /dev/null

// The program's block is kept. Two blocks of 1024 threads would be more than a
// multiprocessor has threads for.
// CHECK-LABEL: tile.kernel @given__adjoint__w(
// CHECK-SAME:    attributes {block = 1024 : i64, tile.blocks_per_processor = 1 : i64
tile.kernel @given(%x: memref<?x64xf32> {tile.name = "x"}, %w: memref<64x64xf32> {tile.name = "w"}, %y: memref<?x64xf32> {tile.name = "y"}) attributes {block = 1024 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c128 : index
  %t = tile.load %x[%i, %c0] : memref<?x64xf32> -> !tile.tile<128x64xf32>
  %v = tile.load %w[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %z = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  %r = tile.matmul %t, %v, %z : !tile.tile<128x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<128x64xf32>
  tile.store %r, %y[%i, %c0] : !tile.tile<128x64xf32>, memref<?x64xf32>
  tile.return
}

// A program runs every so many iterations as there are programs.
// CHECK-LABEL: tile.kernel @plain__adjoint__w(
// CHECK-NOT:     block =
// CHECK-SAME:    tile.blocks_per_processor = 6 : i64
// CHECK:         %[[FIRST:.*]] = tile.program_id x
// CHECK:         %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[PROGRAMS]]
tile.kernel @plain(%x: memref<?x1000xbf16> {tile.name = "x"}, %w: memref<1000xbf16> {tile.name = "w"}, %y: memref<?x1000xbf16> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x1000xbf16> -> !tile.tile<1000xbf16>
  %v = tile.load %w[%c0] : memref<1000xbf16> -> !tile.tile<1000xbf16>
  %r = arith.mulf %t, %v : !tile.tile<1000xbf16>
  tile.store %r, %y[%p, %c0] : !tile.tile<1000xbf16>, memref<?x1000xbf16>
  tile.return
}

// With three reductions, which make the warps of a block wait for each other,
// and room in registers, half of the threads compute a row.
// CHECK-LABEL: tile.kernel @reduces_thrice__adjoint__w(
// CHECK-SAME:    attributes {block = 128 : i64, tile.blocks_per_processor = 3 : i64
tile.kernel @reduces_thrice(%x: memref<?x4096xf16> {tile.name = "x"}, %w: memref<4096xf16> {tile.name = "w"}, %y: memref<?xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x4096xf16> -> !tile.tile<4096xf16>
  %v = tile.load %w[%c0] : memref<4096xf16> -> !tile.tile<4096xf16>
  %a = tile.cast %t : !tile.tile<4096xf16> to !tile.tile<4096xf32>
  %b = tile.cast %v : !tile.tile<4096xf16> to !tile.tile<4096xf32>
  %s = tile.reduce add %a : !tile.tile<4096xf32> to !tile.tile<f32>
  %sb = tile.broadcast %s : !tile.tile<f32> to !tile.tile<4096xf32>
  %d = arith.mulf %a, %sb : !tile.tile<4096xf32>
  %e = arith.mulf %d, %b : !tile.tile<4096xf32>
  %q = arith.mulf %e, %e : !tile.tile<4096xf32>
  %u = tile.reduce add %q : !tile.tile<4096xf32> to !tile.tile<f32>
  %ub = tile.broadcast %u : !tile.tile<f32> to !tile.tile<4096xf32>
  %f = arith.mulf %e, %ub : !tile.tile<4096xf32>
  %z = tile.reduce add %f : !tile.tile<4096xf32> to !tile.tile<f32>
  tile.store %z, %y[%p] : !tile.tile<f32>, memref<?xf32>
  tile.return
}
