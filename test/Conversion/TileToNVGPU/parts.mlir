// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// The halves of each row are exchanged without moving data between threads: loaded
// elements are stored at other addresses.
// CHECK-LABEL: llvm.func @swap_halves(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: !llvm.ptr<3>
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @swap_halves(%x: memref<16x128xf32> {tile.alignment = 16 : i64}, %y: memref<16x128xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = tile.load %x[%c0, %c0] : memref<16x128xf32> -> !tile.tile<16x128xf32>
  %a = tile.view %t[%c0, %c0] : !tile.tile<16x128xf32> to !tile.tile<16x64xf32>
  %b = tile.view %t[%c0, %c64] : !tile.tile<16x128xf32> to !tile.tile<16x64xf32>
  %r = tile.join %b, %a axis 1 : !tile.tile<16x64xf32>, !tile.tile<16x64xf32> to !tile.tile<16x128xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<16x128xf32>, memref<16x128xf32>
  tile.return
}

// Two f16 in one register are taken apart, joined with others to new pairs, and stored
// as pairs.
// CHECK-LABEL: llvm.func @split_pairs(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<2xf16>, !llvm.ptr<1>
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: !llvm.ptr<3>
// CHECK: llvm.return
tile.kernel @split_pairs(%x: memref<64x2xf16> {tile.alignment = 16 : i64}, %y: memref<64x2xf16> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0, %c0] : memref<64x2xf16> -> !tile.tile<64x2xf16, #tile.register<(32,1,(2,2)):(2,0,(1,64)), box = [64, 2]>>
  %a = tile.view %t[%c0, %c0] : !tile.tile<64x2xf16, #tile.register<(32,1,(2,2)):(2,0,(1,64)), box = [64, 2]>> to !tile.tile<64x1xf16>
  %b = tile.view %t[%c0, %c1] : !tile.tile<64x2xf16, #tile.register<(32,1,(2,2)):(2,0,(1,64)), box = [64, 2]>> to !tile.tile<64x1xf16>
  %r = tile.join %b, %a axis 1 : !tile.tile<64x1xf16>, !tile.tile<64x1xf16> to !tile.tile<64x2xf16>
  tile.store %r, %y[%c0, %c0] : !tile.tile<64x2xf16>, memref<64x2xf16>
  tile.return
}

// Some rows of a tile are replaced by those of another tile.
// CHECK-LABEL: llvm.func @insert_rows(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: !llvm.ptr<3>
// CHECK: llvm.return
tile.kernel @insert_rows(%x: memref<32x64xf32>, %y: memref<8x64xf32>, %z: memref<32x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = tile.load %x[%c0, %c0] : memref<32x64xf32> -> !tile.tile<32x64xf32>
  %b = tile.load %y[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %r = tile.insert %b into %a[%c16, %c0] : !tile.tile<8x64xf32> into !tile.tile<32x64xf32>
  tile.store %r, %z[%c0, %c0] : !tile.tile<32x64xf32>, memref<32x64xf32>
  tile.return
}
