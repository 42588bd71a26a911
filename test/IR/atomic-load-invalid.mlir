// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @atomic_load_c1(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected 1 offsets (the array's rank), got 2}}
  %t = tile.atomic_load %a[%i, %i] : memref<?xi32> -> !tile.tile<4xi32>
  return
}

// -----

func.func @atomic_load_c2(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected a tile of rank at most 1 (the array's), got rank 2}}
  %t = tile.atomic_load %a[%i] : memref<?xi32> -> !tile.tile<4x4xi32>
  return
}

// -----

func.func @atomic_load_c3(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected element type 'i32' (the array's), got 'i64'}}
  %t = tile.atomic_load %a[%i] : memref<?xi32> -> !tile.tile<4xi64>
  return
}

// -----

func.func @atomic_load_c4_complex(%a: memref<?xcomplex<f32>>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64, got 'complex<f32>'}}
  %t = tile.atomic_load %a[%i] : memref<?xcomplex<f32>> -> !tile.tile<4xcomplex<f32>>
  return
}

// -----

func.func @atomic_load_c4_bool(%a: memref<?xi1>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64, got 'i1'}}
  %t = tile.atomic_load %a[%i] : memref<?xi1> -> !tile.tile<4xi1>
  return
}

// -----

func.func @atomic_load_c4_f8(%a: memref<?xf8E5M2>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64, got 'f8E5M2'}}
  %t = tile.atomic_load %a[%i] : memref<?xf8E5M2> -> !tile.tile<4xf8E5M2>
  return
}

// -----

func.func @atomic_load_c5_release(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected order 'relaxed' or 'acquire', got 'release'}}
  %t = tile.atomic_load %a[%i] order release : memref<?xi32> -> !tile.tile<4xi32>
  return
}

// -----

func.func @atomic_load_c5_acq_rel(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{'tile.atomic_load' op expected order 'relaxed' or 'acquire', got 'acq_rel'}}
  %t = tile.atomic_load %a[%i] order acq_rel : memref<?xi32> -> !tile.tile<4xi32>
  return
}

// -----

func.func @atomic_load_order_unknown(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{expected order of an atomic access relaxed, acquire, release or acq_rel, got 'seq_cst'}}
  %t = tile.atomic_load %a[%i] order seq_cst : memref<?xi32> -> !tile.tile<4xi32>
  return
}

// -----

func.func @atomic_load_scope_unknown(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{expected scope of an atomic access block, gpu or system, got 'cluster'}}
  %t = tile.atomic_load %a[%i] scope cluster : memref<?xi32> -> !tile.tile<4xi32>
  return
}

// -----

func.func @atomic_load_scope_first(%a: memref<?xi32>, %i: index) {
  // expected-error @below {{expected ':'}}
  %t = tile.atomic_load %a[%i] scope gpu order acquire : memref<?xi32> -> !tile.tile<4xi32>
  return
}
