// The lanes of unpacked elements are two modes of the layout; merged into one
// mode, they show that the elements are in order.
// RUN: tile-fuzz --seed=2 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, 0 within a bound, 0 not known
tile.kernel @f(%a: memref<?xi32>, %b: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<?xi32> -> !tile.tile<2xi32>
  %u = tile.unpack %x axis 0 bits 4 : !tile.tile<2xi32> to !tile.tile<16xi8>
  %r:2 = tile.reduce %u, %u identity [1 : i8, 0 : i8] : !tile.tile<16xi8>, !tile.tile<16xi8> to !tile.tile<i8>, !tile.tile<i8> {
    ^bb0(%v8: i8, %v9: i8, %v10: i8, %v11: i8):
      %v12 = arith.muli %v8, %v10 : i8
      %v13 = arith.muli %v9, %v10 : i8
      %v14 = arith.addi %v13, %v11 : i8
      tile.yield %v12, %v14 : i8, i8
  }
  tile.store %r#1, %b[%c0] : !tile.tile<i8>, memref<1xi8>
  tile.return
}
