// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @matmul_c1_lhs_rank(%a: !tile.tile<4xf32>, %b: !tile.tile<4x4xf32>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'lhs' of rank 2, got rank 1}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c1_rhs_rank(%a: !tile.tile<4x4xf32>, %b: !tile.tile<2x4x4xf32>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'rhs' of rank 2, got rank 3}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xf32>, !tile.tile<2x4x4xf32> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c1_acc_rank(%a: !tile.tile<4x4xf32>, %b: !tile.tile<4x4xf32>, %c: !tile.tile<f32>) {
  // expected-error @below {{'tile.matmul' op expected 'acc' of rank 2 or 3, got rank 0}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<f32>
  return
}

// -----

func.func @matmul_c1_batches_of_batches(%a: !tile.tile<2x2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'acc' of rank 2 or 3, got rank 4}}
  %0 = tile.matmul %a, %a, %a : !tile.tile<2x2x4x4xf32>, !tile.tile<2x2x4x4xf32> -> !tile.tile<2x2x4x4xf32>
  return
}

// -----

func.func @matmul_c1_lhs_rank_in_a_batch(%a: !tile.tile<4xf32>, %b: !tile.tile<2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'lhs' of rank 2 or 3, got rank 1}}
  %0 = tile.matmul %a, %b, %b : !tile.tile<4xf32>, !tile.tile<2x4x4xf32> -> !tile.tile<2x4x4xf32>
  return
}

// -----

func.func @matmul_c2_batch_of_lhs(%a: !tile.tile<3x4x4xf32>, %b: !tile.tile<2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected a batch of 2 (the accumulator's) in 'lhs', got 3}}
  %0 = tile.matmul %a, %b, %b : !tile.tile<3x4x4xf32>, !tile.tile<2x4x4xf32> -> !tile.tile<2x4x4xf32>
  return
}

// -----

// An operand that all matmuls of the batch share has rank 2.
func.func @matmul_c2_batch_of_rhs(%a: !tile.tile<1x4x4xf32>, %b: !tile.tile<2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected a batch of 2 (the accumulator's) in 'rhs', got 1}}
  %0 = tile.matmul %b, %a, %b : !tile.tile<2x4x4xf32>, !tile.tile<1x4x4xf32> -> !tile.tile<2x4x4xf32>
  return
}

// -----

func.func @matmul_c2_inner_extent_in_a_batch(%a: !tile.tile<2x4x8xf32>, %b: !tile.tile<2x6x4xf32>, %c: !tile.tile<2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected rhs of 8 rows (columns of lhs), got 6}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x4x8xf32>, !tile.tile<2x6x4xf32> -> !tile.tile<2x4x4xf32>
  return
}

// -----

func.func @matmul_c6_warps_of_a_batch(%a: !tile.tile<2x4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'warps' of 3 numbers (along the batch, M and N), got [2, 1]}}
  %0 = tile.matmul %a, %a, %a tiling <warps = [2, 1]> : !tile.tile<2x4x4xf32>, !tile.tile<2x4x4xf32> -> !tile.tile<2x4x4xf32>
  return
}

// -----

func.func @matmul_c6_sub_tiles_of_one_product(%a: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected 'sub' of 2 numbers (along M and N), got [1, 1, 2]}}
  %0 = tile.matmul %a, %a, %a tiling <sub = [1, 1, 2]> : !tile.tile<4x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c2_inner_extent(%a: !tile.tile<4x8xf32>, %b: !tile.tile<6x4xf32>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected rhs of 8 rows (columns of lhs), got 6}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x8xf32>, !tile.tile<6x4xf32> -> !tile.tile<4x4xf32>
  return
}

// -----

// The message states from which type the expected one is derived.
func.func @matmul_c2_accumulator(%a: !tile.tile<64x8xf32>, %b: !tile.tile<8x64xf32>, %c: !tile.tile<64x32xf32>) {
  // expected-error @below {{'tile.matmul' op expected accumulator shape 64x64 (from lhs and rhs), got 64x32}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<64x8xf32>, !tile.tile<8x64xf32> -> !tile.tile<64x32xf32>
  return
}

// -----

func.func @matmul_c3_element_types(%a: !tile.tile<4x4xf16>, %b: !tile.tile<4x4xbf16>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected rhs of element type 'f16' (that of lhs), got 'bf16'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xf16>, !tile.tile<4x4xbf16> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c4_f16(%a: !tile.tile<4x4xf16>, %b: !tile.tile<4x4xf16>, %c: !tile.tile<4x4xf64>) {
  // expected-error @below {{'tile.matmul' op expected accumulator element type 'f32', 'f16' for operands of 'f16', got 'f64'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xf16>, !tile.tile<4x4xf16> -> !tile.tile<4x4xf64>
  return
}

// -----

func.func @matmul_c4_bf16(%a: !tile.tile<4x4xbf16>, %b: !tile.tile<4x4xbf16>, %c: !tile.tile<4x4xbf16>) {
  // expected-error @below {{'tile.matmul' op expected accumulator element type 'f32' for operands of 'bf16', got 'bf16'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xbf16>, !tile.tile<4x4xbf16> -> !tile.tile<4x4xbf16>
  return
}

// -----

func.func @matmul_c4_i8(%a: !tile.tile<4x4xi8>, %b: !tile.tile<4x4xi8>, %c: !tile.tile<4x4xi8>) {
  // expected-error @below {{'tile.matmul' op expected accumulator element type 'i32' for operands of 'i8', got 'i8'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xi8>, !tile.tile<4x4xi8> -> !tile.tile<4x4xi8>
  return
}

// -----

func.func @matmul_c4_complex(%a: !tile.tile<4x4xcomplex<f32>>, %b: !tile.tile<4x4xcomplex<f32>>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected accumulator element type 'complex<f32>' for operands of 'complex<f32>', got 'f32'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xcomplex<f32>>, !tile.tile<4x4xcomplex<f32>> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c4_no_product_of_i1(%a: !tile.tile<4x4xi1>, %b: !tile.tile<4x4xi1>, %c: !tile.tile<4x4xi32>) {
  // expected-error @below {{'tile.matmul' op expected operands of element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i8, i16, i32, i64 or complex, got 'i1'}}
  %0 = tile.matmul %a, %b, %c : !tile.tile<4x4xi1>, !tile.tile<4x4xi1> -> !tile.tile<4x4xi32>
  return
}

// -----

func.func @matmul_c5_tf32(%a: !tile.tile<4x4xf16>, %b: !tile.tile<4x4xf16>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected operands of f32 for precision tf32, got 'f16'}}
  %0 = tile.matmul %a, %b, %c precision tf32 : !tile.tile<4x4xf16>, !tile.tile<4x4xf16> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_c5_fast_accumulation(%a: !tile.tile<4x4xf16>, %b: !tile.tile<4x4xf16>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op expected operands of f8E4M3FN or f8E5M2 for precision fast_accumulation, got 'f16'}}
  %0 = tile.matmul %a, %b, %c precision fast_accumulation : !tile.tile<4x4xf16>, !tile.tile<4x4xf16> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_unknown_precision(%a: !tile.tile<4x4xf32>, %b: !tile.tile<4x4xf32>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{custom op 'tile.matmul' expected precision ieee, tf32 or fast_accumulation, got 'tf16'}}
  %0 = tile.matmul %a, %b, %c precision tf16 : !tile.tile<4x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x4xf32>
  return
}

// -----

func.func @matmul_accumulator_is_the_result(%a: !tile.tile<4x4xf32>, %c: !tile.tile<4x4xf64>) {
  // expected-error @below {{'tile.matmul' op failed to verify that all of {acc, result} have same type}}
  %0 = "tile.matmul"(%a, %a, %c) : (!tile.tile<4x4xf32>, !tile.tile<4x4xf32>, !tile.tile<4x4xf64>) -> !tile.tile<4x4xf32>
  return
}

// -----

// An array in global memory must be loaded first.
func.func @matmul_of_array(%a: memref<4x4xf32>, %c: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.matmul' op operand #0 must be tile, or buffer in shared memory, but got 'memref<4x4xf32>'}}
  %0 = tile.matmul %a, %c, %c : memref<4x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x4xf32>
  return
}
