// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @atomic_store_c1(%t: !tile.tile<4xi32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected 1 offsets (the array's rank), got 0}}
  tile.atomic_store %t, %a[] : !tile.tile<4xi32>, memref<?xi32>
  return
}

// -----

func.func @atomic_store_c2(%t: !tile.tile<4x4xi32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected a tile of rank at most 1 (the array's), got rank 2}}
  tile.atomic_store %t, %a[%i] : !tile.tile<4x4xi32>, memref<?xi32>
  return
}

// -----

func.func @atomic_store_c3(%t: !tile.tile<4xf32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected element type 'i32' (the array's), got 'f32'}}
  tile.atomic_store %t, %a[%i] : !tile.tile<4xf32>, memref<?xi32>
  return
}

// -----

func.func @atomic_store_c4(%t: !tile.tile<4xi1>, %a: memref<?xi1>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64, got 'i1'}}
  tile.atomic_store %t, %a[%i] : !tile.tile<4xi1>, memref<?xi1>
  return
}

// -----

func.func @atomic_store_c5_acquire(%t: !tile.tile<4xi32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected order 'relaxed' or 'release', got 'acquire'}}
  tile.atomic_store %t, %a[%i] order acquire : !tile.tile<4xi32>, memref<?xi32>
  return
}

// -----

func.func @atomic_store_c5_acq_rel(%t: !tile.tile<4xi32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_store' op expected order 'relaxed' or 'release', got 'acq_rel'}}
  tile.atomic_store %t, %a[%i] order acq_rel : !tile.tile<4xi32>, memref<?xi32>
  return
}

// -----

func.func @atomic_store_order_missing(%t: !tile.tile<4xi32>, %a: memref<?xi32>, %i: index) {
  // expected-error @below {{expected order of an atomic access relaxed, acquire, release or acq_rel}}
  tile.atomic_store %t, %a[%i] order : !tile.tile<4xi32>, memref<?xi32>
  return
}
