// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @tile
func.func @tile(%t: !tile.tile<4x4xf32>) {
  // CHECK: tile.print "sums", %{{.*}} : !tile.tile<4x4xf32>
  tile.print "sums", %t : !tile.tile<4x4xf32>
  return
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%i: index, %c: complex<f64>, %t: !tile.tile<i1, #tile.register>) {
  // CHECK: tile.print "here"{{$}}
  tile.print "here"
  // CHECK: tile.print "%d \22quoted\22\0A", %{{.*}} : index
  tile.print "%d \22quoted\22\0A", %i : index
  // CHECK: tile.print "", %{{.*}} : complex<f64>
  tile.print "", %c : complex<f64>
  // CHECK: tile.print "bit", %{{.*}} : !tile.tile<i1, #tile.register> {note = "x"}
  tile.print "bit", %t : !tile.tile<i1, #tile.register> {note = "x"}
  return
}

// From phase 5 on the tile is in shared memory, and `storage` records its original
// CHECK-LABEL: func.func @buffer
func.func @buffer(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // CHECK: tile.print "sums", %{{.*}} : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> {storage = "register"}
  tile.print "sums", %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> {storage = "register"}
  return
}
