// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -verify-diagnostics -split-input-file

tile.kernel @align_rows_c3_wide_elements(%x: memref<?x?xf32>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x32xf32, #tile.shared<(4,32):(32,1)>>
  %e = memref.alloc() {tile.shared_offset = 512 : i64} : memref<4x4xf32, #tile.shared<(4,4):(4,1)>>
  // expected-error @below {{'tile_gpu.align_rows' op expected rows of 8- or 16-bit elements}}
  tile_gpu.align_rows %a, %e of %x[%i, %c0] : memref<4x32xf32, #tile.shared<(4,32):(32,1)>>, memref<4x4xf32, #tile.shared<(4,4):(4,1)>> of memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @align_rows_c4_begin(%x: memref<?x?xf16>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x72xf16, #tile.shared<(4,72):(72,1)>>
  %v = memref.subview %a[0, 1] [4, 64] [1, 1] : memref<4x72xf16, #tile.shared<(4,72):(72,1)>> to memref<4x64xf16, strided<[72, 1], offset: 1>, #tile.shared<(4,72):(72,1)>>
  %e = memref.alloc() {tile.shared_offset = 640 : i64} : memref<4x8xf16, #tile.shared<(4,8):(8,1)>>
  // expected-error @below {{'tile_gpu.align_rows' op expected rows of 8- or 16-bit elements along the array's contiguous dimension, up to 32 chunks of 16 bytes, from a buffer's begin on, and a chunk for the end of each, got 'memref<?x?xf16>' and 'memref<4x64xf16, strided<[72, 1], offset: 1>, #tile.shared<(4,72):(72,1)>>' with ends 'memref<4x8xf16, #tile.shared<(4,8):(8,1)>>'}}
  tile_gpu.align_rows %v, %e of %x[%i, %c0] : memref<4x64xf16, strided<[72, 1], offset: 1>, #tile.shared<(4,72):(72,1)>>, memref<4x8xf16, #tile.shared<(4,8):(8,1)>> of memref<?x?xf16>
  tile.return
}

// -----

tile.kernel @align_rows_c4_ends(%x: memref<?x?xf16>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  %e = memref.alloc() {tile.shared_offset = 512 : i64} : memref<2x8xf16, #tile.shared<(2,8):(8,1)>>
  // expected-error @below {{'tile_gpu.align_rows' op expected rows of 8- or 16-bit elements}}
  tile_gpu.align_rows %a, %e of %x[%i, %c0] : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>, memref<2x8xf16, #tile.shared<(2,8):(8,1)>> of memref<?x?xf16>
  tile.return
}

// -----

tile.kernel @copy_async_c3_layout(%x: memref<?x?xf16>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x64xf16, #tile.shared<(4,64):(66,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected rows of 8- or 16-bit elements}}
  tile_gpu.copy_async %x[%i, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16> to memref<4x64xf16, #tile.shared<(4,64):(66,1)>>
  tile.return
}
