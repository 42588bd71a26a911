// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @copy_async_c1_number_of_offsets(%a: memref<?x?xf32>, %i: index) {
  %b = memref.alloc() : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected 2 offsets (the array's rank), got 1}}
  tile_gpu.copy_async %a[%i] to %b : memref<?x?xf32> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.return
}

// -----

tile.kernel @copy_async_c2_element_type(%a: memref<?x?xf16>, %i: index) {
  %b = memref.alloc() : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected element type 'f16' (the array's), got 'f32'}}
  tile_gpu.copy_async %a[%i, %i] to %b : memref<?x?xf16> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.return
}

// -----

tile.kernel @copy_async_c2_rank(%a: memref<?xf32>, %i: index) {
  %b = memref.alloc() : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected a tile of rank at most 1 (the array's), got rank 2}}
  tile_gpu.copy_async %a[%i] to %b : memref<?xf32> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.return
}

// -----

tile.kernel @copy_async_to_array(%a: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'tile_gpu.copy_async' op operand #3 must be buffer in shared memory, but got 'memref<?x?xf32>'}}
  tile_gpu.copy_async %a[%i, %i] to %a : memref<?x?xf32> to memref<?x?xf32>
  tile.return
}

// -----

tile.kernel @copy_async_c3_ends_alone(%a: memref<?x?xf16>, %i: index) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected a mechanism with a further buffer, got #tile_gpu.cp_async and a buffer of type 'memref<8x8xf16,}}
  tile_gpu.copy_async %a[%i, %i] to %b with %e : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.return
}

// -----

tile.kernel @copy_async_c3_arrival(%a: memref<?x?xf16>, %i: index) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // expected-error @below {{'tile_gpu.copy_async' op expected a mechanism whose copies arrive as a group, got #tile_gpu.through_registers}}
  tile_gpu.copy_async %a[%i, %i] to %b by(#tile_gpu.through_registers) : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.return
}

// -----

tile.kernel @copy_async_no_mechanism(%a: memref<?x?xf16>, %i: index) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // expected-error @below {{failed to satisfy constraint: copy mechanism}}
  tile_gpu.copy_async %a[%i, %i] to %b by("cp_async") : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.return
}

// -----

tile.kernel @align_rows_c1_number_of_offsets(%a: memref<?x?xf16>, %i: index) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  // expected-error @below {{'tile_gpu.align_rows' op expected 2 offsets (the array's rank), got 1}}
  tile_gpu.align_rows %b, %e of %a[%i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile.return
}

// -----

tile.kernel @align_rows_c2_element_type(%a: memref<?x?xbf16>, %i: index) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  // expected-error @below {{'tile_gpu.align_rows' op expected element type 'bf16' (the array's), got 'f16'}}
  tile_gpu.align_rows %b, %e of %a[%i, %i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xbf16>
  tile.return
}
