// RUN: tile-opt %s -tile-phases -o - | FileCheck %s

// Unaligned rows are copied by the aligned chunks of 16 bytes that cover them, if the
// rows of the buffer also start at such chunks. The declared layout here does not have
// this: its planes have 289 elements.
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @rows_between_chunks
// CHECK:       memref.alloc(){{.*}}#tile.shared<
// CHECK-NOT:   tile_gpu.align_rows
tile.kernel @rows_between_chunks(%a: memref<16x?x?xf16>, %b: memref<2x4x64xf16>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %t = tile.load %a[%c2, %c7, %c0] : memref<16x?x?xf16> -> !tile.tile<2x4x64xf16, #tile.shared<(2,4,64):(289,72,1), align = 128>>
  %u = tile.convert_layout %t : !tile.tile<2x4x64xf16, #tile.shared<(2,4,64):(289,72,1), align = 128>> to !tile.tile<2x4x64xf16, #tile.register>
  tile.store %u, %b[%c0, %c0, %c0] : !tile.tile<2x4x64xf16, #tile.register>, memref<2x4x64xf16>
  tile.return
}
}
