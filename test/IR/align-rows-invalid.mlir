// RUN: tile-opt %s -verify-diagnostics -split-input-file

// test/Conversion/TileToNVGPU tests constraints C3 and C4.
func.func @align_rows_c1(%a: memref<?x?xf16>, %i: index, %b: memref<8x64xf16, #tile.shared<(8,64):(64,1)>>) {
  // expected-error @below {{'tile_gpu.align_rows' op expected 2 offsets (the array's rank), got 1}}
  tile_gpu.align_rows %b, %b of %a[%i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x64xf16, #tile.shared<(8,64):(64,1)>> of memref<?x?xf16>
  return
}

// -----

func.func @align_rows_c2_rank(%a: memref<?xf16>, %i: index, %b: memref<8x64xf16, #tile.shared<(8,64):(64,1)>>) {
  // expected-error @below {{'tile_gpu.align_rows' op expected a tile of rank at most 1 (the array's), got rank 2}}
  tile_gpu.align_rows %b, %b of %a[%i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x64xf16, #tile.shared<(8,64):(64,1)>> of memref<?xf16>
  return
}

// -----

func.func @align_rows_c2_element_type(%a: memref<?x?xbf16>, %i: index, %b: memref<8x64xf16, #tile.shared<(8,64):(64,1)>>) {
  // expected-error @below {{'tile_gpu.align_rows' op expected element type 'bf16' (the array's), got 'f16'}}
  tile_gpu.align_rows %b, %b of %a[%i, %i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x64xf16, #tile.shared<(8,64):(64,1)>> of memref<?x?xbf16>
  return
}

// -----

func.func @align_rows_of_array(%a: memref<?x?xf16>, %i: index) {
  // expected-error @below {{'tile_gpu.align_rows' op operand #0 must be buffer in shared memory, but got 'memref<?x?xf16>'}}
  tile_gpu.align_rows %a, %a of %a[%i, %i] : memref<?x?xf16>, memref<?x?xf16> of memref<?x?xf16>
  return
}
