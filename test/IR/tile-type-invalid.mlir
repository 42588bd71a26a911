// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected a tile of rank 0 to 8, got rank 9}}
func.func private @tile_c1_rank_9(!tile.tile<1x1x1x1x1x1x1x1x1xf32>)

// -----

// A tile is never empty.
// expected-error @below {{expected positive static extents, got 0}}
func.func private @tile_c2_zero(!tile.tile<0x4xf32>)

// -----

// A tile is static.
// expected-error @below {{expected positive static extents, got ?}}
func.func private @tile_c2_dynamic(!tile.tile<?x4xf32>)

// -----

// expected-error @below {{expected a tile of fewer than 2^31 elements}}
func.func private @tile_c2_too_many_elements(!tile.tile<65536x65536xf32>)

// -----

// expected-error @below {{expected a tile of fewer than 2^31 elements}}
func.func private @tile_c2_one_too_many(!tile.tile<2147483648xi8>)

// -----

// The computed count of elements does not overflow.
// expected-error @below {{expected a tile of fewer than 2^31 elements}}
func.func private @tile_c2_product_overflows(!tile.tile<2147483647x2147483647x2147483647x2147483647xf32>)

// -----

// expected-error @below {{expected a tile of fewer than 2^31 elements}}
func.func private @tile_c2_greatest_extent(!tile.tile<9223372036854775807xf32>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'si32'}}
func.func private @tile_c3_signed(!tile.tile<4xsi32>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'i4'}}
func.func private @tile_c3_narrow_integer(!tile.tile<4xi4>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'i128'}}
func.func private @tile_c3_wide_integer(!tile.tile<4xi128>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'f80'}}
func.func private @tile_c3_f80(!tile.tile<4xf80>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'f8E4M3'}}
func.func private @tile_c3_other_f8(!tile.tile<4xf8E4M3>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'complex<f16>'}}
func.func private @tile_c3_complex_of_f16(!tile.tile<4xcomplex<f16>>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got '!tile.tile<4xf32>'}}
func.func private @tile_c3_tile_of_tiles(!tile.tile<4x!tile.tile<4xf32>>)

// -----

// expected-error @below {{expected element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, complex<f32> or complex<f64>, got 'vector<4xf32>'}}
func.func private @tile_c3_tile_of_vectors(!tile.tile<4xvector<4xf32>>)

// -----

// expected-error @below {{expected storage #tile.register or #tile.shared, got 3 : i64}}
func.func private @tile_c4_other_attribute(!tile.tile<4xf32, 3>)

// -----

// expected-error @below {{expected storage #tile.register or #tile.shared, got #tile.layout<4:1>}}
func.func private @tile_c4_layout_alone(!tile.tile<4xf32, #tile.layout<4:1>>)

// -----

// expected-error @below {{expected a box of the tile's rank 1, got rank 2}}
func.func private @tile_c4_register_rank(!tile.tile<16xf32, #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>>)

// -----

// expected-error @below {{expected the box to contain the tile, got extent 16 for 17 of dimension 0}}
func.func private @tile_c4_register_too_small(!tile.tile<17x8xf32, #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>>)

// -----

// expected-error @below {{expected a box of the tile's rank 1, got rank 2}}
func.func private @tile_c4_shared_rank(!tile.tile<8xf32, #tile.shared<(8,4):(4,1)>>)

// -----

// expected-error @below {{expected the box to contain the tile, got extent 4 for 5 of dimension 1}}
func.func private @tile_c4_shared_too_small(!tile.tile<8x5xf32, #tile.shared<(8,4):(4,1)>>)

// -----

// expected-error @below {{expected '>'}}
func.func private @tile_two_storages(!tile.tile<4xf32, #tile.register, #tile.shared>)

// -----

// expected-error @below {{expected 'x' in dimension list}}
func.func private @tile_without_element_type(!tile.tile<4x4>)

// -----

// expected-error @below {{expected non-function type}}
func.func private @tile_empty(!tile.tile<>)

// -----

// expected-error @below {{expected non-function type}}
func.func private @tile_negative_extent(!tile.tile<-1x4xf32>)

// -----

// expected-error @below {{invalid dimension}}
func.func private @tile_huge_extent(!tile.tile<99999999999999999999x4xf32>)

// -----

// expected-error @below {{expected '<'}}
func.func private @tile_without_parameters(!tile.tile)

// -----

// expected-error @below {{unbalanced '<' character in pretty dialect name}}
func.func private @tile_unbalanced(!tile.tile<4xf32)

// -----

// expected-error @below {{unknown  type `vector` in dialect `tile`}}
func.func private @type_unknown(!tile.vector<4xf32>)
