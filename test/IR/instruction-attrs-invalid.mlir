// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected a shape and types of the instruction table, got 16x8x8, 'f16', 'f32'}}
func.func private @mma_shape() attributes {test = #tile.mma<16x8x8, f16, f32>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got 16x8x16, 'f16', 'f64'}}
func.func private @mma_accumulator() attributes {test = #tile.mma<16x8x16, f16, f64>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got 16x8, 'f16', 'f32'}}
func.func private @mma_rank() attributes {test = #tile.mma<16x8, f16, f32>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got 64x8x16, 'f16', 'f32'}}
func.func private @wgmma_columns() attributes {test = #tile.wgmma<64x8x16, f16, f32>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got 64x?x16, 'vector<2xf16>', 'f32'}}
func.func private @wgmma_type() attributes {test = #tile.wgmma<64x?x16, vector<2xf16>, f32>}

// -----

tile.kernel @other_types(%x: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f16' and an accumulator of 'f32', got #tile.mma<16x8x16, bf16, f32>}}
  %d = tile.matmul %a, %a, %c tiling <atom = #tile.mma<16x8x16, bf16, f32>> : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @other_precision(%x: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f32' with precision tf32 and an accumulator of 'f32', got #tile.fma}}
  %d = tile.matmul %a, %a, %c precision tf32 tiling <atom = #tile.fma> : !tile.tile<64x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
  tile.return
}

// -----

tile.kernel @without_fast_accumulation(%x: memref<64x64xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf8E5M2> -> !tile.tile<64x64xf8E5M2>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // expected-error @below {{'tile.matmul' op expected an instruction for operands of 'f8E5M2' and an accumulator of 'f32', got #tile.wgmma<64x?x32, f8E5M2, f32>}}
  %d = tile.matmul %a, %a, %c tiling <atom = #tile.wgmma<64x?x32, f8E5M2, f32>> : !tile.tile<64x64xf8E5M2>, !tile.tile<64x64xf8E5M2> -> !tile.tile<64x64xf32>
  tile.return
}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got 16x8x16, 'index', 'f32'}}
func.func private @mma_index() attributes {test = #tile.mma<16x8x16, index, f32>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got ?x?x?, 'f16', 'f32'}}
func.func private @mma_dynamic() attributes {test = #tile.mma<?x?x?, f16, f32>}

// -----

// expected-error @below {{expected a shape and types of the instruction table, got ?x?x16, 'f16', 'f32'}}
func.func private @wgmma_dynamic() attributes {test = #tile.wgmma<?x?x16, f16, f32>}
