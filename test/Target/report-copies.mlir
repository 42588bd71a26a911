// REQUIRES: nvptx
// RUN: tile-compile %s --arch=sm_80 --emit=report --ptxas=none -o - 2>/dev/null | FileCheck %s
// RUN: tile-compile %s --arch=sm_80 --emit=report --ptxas=none --json -o - 2>/dev/null | FileCheck %s --check-prefix=JSON

// Elements that a warp copies from different cache lines of 128 bytes are written to
// shared memory in different wavefronts: 16 rows of 256 bytes are 32 lines, thus 32
// wavefronts.
// CHECK-LABEL: kernel whole_lines
// CHECK: 32 (0 by bank conflicts) tile_gpu.copy_async at {{.*}}:[[#@LINE+4]] (assumes whole lines)
// JSON: "assumes": "whole lines"
tile.kernel @whole_lines(%a: memref<16x64xf32>, %r: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds : memref<16x64xf32> -> !tile.tile<16x64xf32, #tile.shared>
  %y = tile.convert_layout %x : !tile.tile<16x64xf32, #tile.shared> to !tile.tile<16x64xf32>
  tile.store %y, %r[%c0, %c0] : !tile.tile<16x64xf32>, memref<16x64xf32>
  tile.return
}

// Rows of 84 elements, read from column 16 on, start within cache lines, at varying
// offsets. Most rows are in three lines; the lanes of some lines take two wavefronts.
// CHECK-LABEL: kernel parts_of_lines
// CHECK: 60 (0 by bank conflicts) tile_gpu.copy_async at {{.*}}:[[#@LINE+5]] (assumes whole lines, inside)
// JSON: "assumes": "whole lines, inside"
tile.kernel @parts_of_lines(%a: memref<16x84xf32>, %r: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = tile.load %a[%c0, %c16] : memref<16x84xf32> -> !tile.tile<16x64xf32, #tile.shared>
  %y = tile.convert_layout %x : !tile.tile<16x64xf32, #tile.shared> to !tile.tile<16x64xf32>
  tile.store %y, %r[%c0, %c0] : !tile.tile<16x64xf32>, memref<16x64xf32>
  tile.return
}

// Rows that may be unaligned are copied as aligned chunks: 32 rows of one line each are
// 32 wavefronts. The chunks at the ends of rows are another 4; they read nothing if
// rows are whole lines. The shifted words depend on the array's address, and are not
// counted.
// CHECK-LABEL: kernel covered__general
// CHECK: 36 (0 by bank conflicts) tile_gpu.copy_async at {{.*}}:[[#@LINE+5]] (assumes whole lines, inside)
// CHECK: 32 (0 by bank conflicts) tile_gpu.align_rows at {{.*}}:[[#@LINE+4]]{{$}}
// CHECK: ? (not counted) tile_gpu.align_rows words at {{.*}}:[[#@LINE+3]]
tile.kernel @covered(%a: memref<?x?xf16>, %r: memref<32x64xf16>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16, #tile.shared>
  %y = tile.convert_layout %x : !tile.tile<32x64xf16, #tile.shared> to !tile.tile<32x64xf16>
  tile.store %y, %r[%c0, %c0] : !tile.tile<32x64xf16>, memref<32x64xf16>
  tile.return
}

// Rows of 134 bytes start at different offsets in a chunk, so the ends of rows are
// copied, too.
// CHECK-LABEL: kernel ends_of_rows at
// CHECK: 91 (0 by bank conflicts) tile_gpu.copy_async at {{.*}}:[[#@LINE+3]] (assumes whole lines, inside)
tile.kernel @ends_of_rows(%a: memref<32x67xf16>, %r: memref<32x64xf16>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<32x67xf16> -> !tile.tile<32x64xf16, #tile.shared>
  %y = tile.convert_layout %x : !tile.tile<32x64xf16, #tile.shared> to !tile.tile<32x64xf16>
  tile.store %y, %r[%c0, %c0] : !tile.tile<32x64xf16>, memref<32x64xf16>
  tile.return
}
