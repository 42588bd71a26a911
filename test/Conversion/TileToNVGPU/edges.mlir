// Boxes at the edges of arrays whose part inside consists of whole accesses: each
// access is tested, instead of each element.
// RUN: tile-opt %s -tile-phases=arch=sm_80 -convert-tile-to-nvgpu | FileCheck %s

// A copy in a loop: boxes inside the array, boxes that end between chunks, all others.
// The distances to the limits are tied, so that chunks are not compared before the loop.
// CHECK-LABEL: tile.kernel @copies(
// CHECK:       iter_args
// CHECK:         } else {
// CHECK:           arith.andi %{{.*}}, %c7{{.*}} : i32
// CHECK:           scf.if %{{.*}} {
// CHECK:             %[[LEFT:.*]] = llvm.inline_asm has_side_effects {{.*}} "// computed in the loop"
// CHECK-NOT:         arith.maxsi
// CHECK:             %[[INSIDE:.*]] = arith.cmpi sgt, %[[LEFT]],
// CHECK:             %[[BYTES:.*]] = arith.select %{{.*}}, %c16{{.*}}, %c0
// CHECK-NOT:         arith.maxsi
// CHECK:             nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]] :
// CHECK:           } else {
// CHECK:             arith.maxsi
// CHECK:             nvvm.cp.async.shared.global
tile.kernel @copies(%a: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16},
    %b: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16},
    %c: memref<64x64xf32>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %c64 = arith.constant 64 : index
  %program = tile.program_id x
  %i = arith.muli %program, %c64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %p = %c0 to %k step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %l = tile.load %a[%i, %p] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %r = tile.load %b[%p, %i] : memref<?x?xf16> -> !tile.tile<32x64xf16>
    %d = tile.matmul %l, %r, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %c[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Tiles of several rows: one branch for boxes of whole vectors, in which each vector is
// tested, and one for all others.
// CHECK-LABEL: tile.kernel @rows(
// CHECK:       arith.andi %{{.*}}, %c7{{.*}} : i32
// CHECK:       scf.if %{{.*}} -> ({{.*}}) {
// CHECK:         scf.if %{{.*}} -> (vector<8xf16>) {
// CHECK-NEXT:      vector.load {{.*}} vector<8xf16>
// CHECK:       } else {
// CHECK:         vector.maskedload
// CHECK:       scf.if %{{.*}} {
// CHECK:         scf.if %{{.*}} {
// CHECK:           vector.store {{.*}} vector<8xf16>
// CHECK:       } else {
// CHECK:         vector.maskedstore
tile.kernel @rows(%a: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16},
    %b: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16})
    attributes {block = 32} {
  %c64 = arith.constant 64 : index
  %program = tile.program_id x
  %i = arith.muli %program, %c64 : index
  %t = tile.load %a[%i, %i] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  tile.store %t, %b[%i, %i] : !tile.tile<16x64xf16>, memref<?x?xf16>
  tile.return
}

// A tile of one row: boxes inside the array, all others.
// CHECK-LABEL: tile.kernel @row(
// CHECK-NOT:   arith.andi %{{.*}}, %c7{{.*}} : i32
// CHECK:       vector.load {{.*}} vector<8xf16>
// CHECK-NOT:   scf.if %{{.*}} -> (vector<8xf16>)
// CHECK:       vector.maskedload
// CHECK-NOT:   arith.andi %{{.*}}, %c7{{.*}} : i32
// CHECK:       vector.store {{.*}} vector<8xf16>
// CHECK:       vector.maskedstore
tile.kernel @row(%a: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16},
    %b: memref<?x?xf16> {tile.alignment = 16, tile.stride_alignment = 16})
    attributes {block = 32} {
  %c64 = arith.constant 64 : index
  %program = tile.program_id x
  %i = arith.muli %program, %c64 : index
  %t = tile.load %a[%i, %i] : memref<?x?xf16> -> !tile.tile<1x1024xf16>
  tile.store %t, %b[%i, %i] : !tile.tile<1x1024xf16>, memref<?x?xf16>
  tile.return
}
