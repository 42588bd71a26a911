// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -split-input-file -verify-diagnostics

// Only operations of the tile dialect compute addresses of a buffer's elements.
!rows = memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
tile.kernel @load_of_one_element(%x: memref<8x8xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() {tile.shared_offset = 0 : i64} : !rows
  // expected-error @below {{expected an operation of the tile dialect on 'memref<8x8xf16, #tile.shared<(8,8):(8,1)>>', got 'memref.load'}}
  %v = memref.load %b[%c0, %c0] : !rows
  memref.store %v, %x[%c0, %c0] : memref<8x8xf16>
  tile.return
}
