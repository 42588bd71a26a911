// Threads hold vectors in a program that has no other operation on vectors: the
// pass itself loads the dialects of the operations that it creates.
// RUN: tile-opt %s -convert-tile-to-cpu | FileCheck %s

// CHECK-LABEL: func.func @_tile_program_k(
// CHECK: scf.for
// CHECK: vector.from_elements {{.*}} : vector<2xi8>
// CHECK-NOT: tile.per_thread
tile.kernel @k(%a: memref<32x2xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<32x2xi8> -> !tile.tile<32x2xi8>
  %r = tile.per_thread %t : !tile.tile<32x2xi8> to !tile.tile<32x2xi8> {
  ^bb0(%thread: index, %held: vector<2xi8>):
    tile.yield %held : vector<2xi8>
  }
  tile.store %r, %a[%c0, %c0] : !tile.tile<32x2xi8>, memref<32x2xi8>
  tile.return
}
