// REQUIRES: nvptx
// RUN: tile-compile %s --arch=sm_80 --emit=report --ptxas=none -o - 2>/dev/null | FileCheck %s

// A view starts at an odd byte, so its bytes are read one by one, although rows are
// whole vectors. The pitch of the whole tile's rows avoids bank conflicts of reads of
// the view.
// CHECK-LABEL: kernel odd_byte at
// CHECK: 16 (0 by bank conflicts) tile_gpu.load_shared at {{.*}}:[[#@LINE+8]]
tile.kernel @odd_byte(%a: memref<64x64xi8>, %r: memref<32x16xi8>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xi8> -> !tile.tile<64x64xi8>
  %s = tile.convert_layout %x : !tile.tile<64x64xi8> to !tile.tile<64x64xi8, #tile.shared>
  %v = tile.view %s[%c4, %c1] : !tile.tile<64x64xi8, #tile.shared> to !tile.tile<32x16xi8>
  tile.store %v, %r[%c0, %c0] : !tile.tile<32x16xi8>, memref<32x16xi8>
  tile.return
}

// The swizzle depends on the row of the buffer, not of the view: a warp's 32 words of
// rows 0 and 1 are in different banks, those of rows 3 and 4 are not.
// CHECK-LABEL: kernel rows_behind at
// CHECK: 8 (4 by bank conflicts) tile_gpu.load_shared at {{.*}}:[[#@LINE+7]]
tile.kernel @rows_behind(%a: memref<24x96xi32>, %r: memref<8x16xi32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = tile.load %a[%c0, %c0] : memref<24x96xi32> -> !tile.tile<24x96xi32>
  %s = tile.convert_layout %x : !tile.tile<24x96xi32> to !tile.tile<24x96xi32, #tile.shared<(24,96):(96,1), swizzle = <2, 5, 2>, align = 128>>
  %v = tile.view %s[%c3, %c0] : !tile.tile<24x96xi32, #tile.shared<(24,96):(96,1), swizzle = <2, 5, 2>, align = 128>> to !tile.tile<8x16xi32>
  tile.store %v, %r[%c0, %c0] : !tile.tile<8x16xi32>, memref<8x16xi32>
  tile.return
}

// A layout that the compiler chooses has no such conflicts, even through two views.
// CHECK-LABEL: kernel chosen at
// CHECK: 4 (0 by bank conflicts) tile_gpu.load_shared at {{.*}}:[[#@LINE+9]]
tile.kernel @chosen(%a: memref<24x96xi32>, %r: memref<8x16xi32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.load %a[%c0, %c0] : memref<24x96xi32> -> !tile.tile<24x96xi32>
  %s = tile.convert_layout %x : !tile.tile<24x96xi32> to !tile.tile<24x96xi32, #tile.shared>
  %u = tile.view %s[%c1, %c0] : !tile.tile<24x96xi32, #tile.shared> to !tile.tile<12x32xi32, #tile.shared>
  %v = tile.view %u[%c2, %c0] : !tile.tile<12x32xi32, #tile.shared> to !tile.tile<8x16xi32>
  tile.store %v, %r[%c0, %c0] : !tile.tile<8x16xi32>, memref<8x16xi32>
  tile.return
}

// If the view's offset is a multiple of four, bytes are read in vectors of four.
// CHECK-LABEL: kernel whole_vectors at
// CHECK: 4 (0 by bank conflicts) tile_gpu.load_shared at {{.*}}:[[#@LINE+7]]
tile.kernel @whole_vectors(%a: memref<64x64xi8>, %r: memref<32x16xi8>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xi8> -> !tile.tile<64x64xi8>
  %s = tile.convert_layout %x : !tile.tile<64x64xi8> to !tile.tile<64x64xi8, #tile.shared>
  %v = tile.view %s[%c0, %c16] : !tile.tile<64x64xi8, #tile.shared> to !tile.tile<32x16xi8>
  tile.store %v, %r[%c0, %c0] : !tile.tile<32x16xi8>, memref<32x16xi8>
  tile.return
}
