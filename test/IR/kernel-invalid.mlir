// RUN: tile-opt %s -verify-diagnostics -split-input-file

// A tensor has no address.
// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'tensor<4xf32>'}}
tile.kernel @kernel_c1_tensor(%a: tensor<4xf32>) {
  tile.return
}

// -----

// Tiles are created by kernels, and are never their arguments.
// expected-error @below {{'tile.kernel' op expected argument 1 to be an array in global memory (memref of rank 1 to 8) or a scalar, got '!tile.tile<4xf32>'}}
tile.kernel @kernel_c1_tile(%a: f32, %b: !tile.tile<4xf32>) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<f32>'}}
tile.kernel @kernel_c1_rank_0(%a: memref<f32>) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<1x1x1x1x1x1x1x1x1xf32>'}}
tile.kernel @kernel_c1_rank_9(%a: memref<1x1x1x1x1x1x1x1x1xf32>) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<4xf32, #gpu.address_space<workgroup>>'}}
tile.kernel @kernel_c1_shared_memory(%a: memref<4xf32, #gpu.address_space<workgroup>>) {
  tile.return
}

// -----

// An integer memory space is specific to a target.
// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<4xf32, 3>'}}
tile.kernel @kernel_c1_numbered_space(%a: memref<4xf32, 3>) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<4xi4>'}}
tile.kernel @kernel_c1_element_type(%a: memref<4xi4>) {
  tile.return
}

// -----

// A layout that is not strided has no strides that a launcher could pass.
// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
tile.kernel @kernel_c1_affine_layout(%a: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array in global memory (memref of rank 1 to 8) or a scalar, got 'f128'}}
tile.kernel @kernel_c1_scalar_type(%a: f128) {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected 'block' to be from 1 to 1024, got -32}}
tile.kernel @kernel_c2_negative() attributes {block = -32 : i64} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected 'block' to be from 1 to 1024, got 1025}}
tile.kernel @kernel_c2_too_many() attributes {block = 1025 : i64} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected 'block' to be from 1 to 1024, got 0}}
tile.kernel @kernel_c2_zero() attributes {block = 0 : i64} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected 'block' to be from 1 to 1024, got -9223372036854775808}}
tile.kernel @kernel_c2_least_integer() attributes {block = -9223372036854775808 : i64} {
  tile.return
}

// -----

// expected-error @below {{custom op 'tile.kernel' attribute 'block' failed to satisfy constraint: 64-bit signless integer attribute}}
tile.kernel @kernel_block_type() attributes {block = "all"} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [1, 0]}}
tile.kernel @kernel_c3_no_such_argument(%a: memref<?xf32>)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[1, 0]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [0, 1]}}
tile.kernel @kernel_c3_no_such_dimension(%a: memref<?xf32>)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0, 1]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [0]}}
tile.kernel @kernel_c3_dimension_missing(%a: memref<?xf32>)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [0]}}
tile.kernel @kernel_c3_float_scalar(%a: f32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [0, 0]}}
tile.kernel @kernel_c3_dimension_of_scalar(%a: i32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0, 0]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got []}}
tile.kernel @kernel_c3_empty_source(%a: i32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got "x"}}
tile.kernel @kernel_c3_text(%a: i32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of ["x"]>} {
  tile.return
}

// -----

// An attribute of the wrong kind is an error, and is not ignored.
// expected-error @below {{custom op 'tile.kernel' attribute 'grid' failed to satisfy constraint: the program grid as an expression over the arguments}}
tile.kernel @kernel_grid_type() attributes {grid = 1} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [0 : ui64]}}
tile.kernel @kernel_c3_unsigned_integer(%a: i32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0 : ui64]]>} {
  tile.return
}

// -----

// An integer wider than 64 bits is not the index of an argument.
// expected-error @below {{'tile.kernel' op expected a source of the grid to be [argument, dimension] of an array or [argument] of an integer scalar, got [18446744073709551616 : i128]}}
tile.kernel @kernel_c3_huge_integer(%a: i32)
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[18446744073709551616 : i128]]>} {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected no results, got 1}}
tile.kernel @kernel_c4_results() -> i32 {
  tile.return
}

// -----

// expected-error @below {{'tile.kernel' op expected a body that ends with 'tile.return'}}
tile.kernel @kernel_c4_other_terminator() {
  llvm.unreachable
}

// -----

// expected-error @below {{'tile.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
tile.kernel @kernel_c4_no_body()

// -----

// expected-error @below {{'tile.kernel' op expects region #0 to have 0 or 1 blocks}}
tile.kernel @kernel_c4_two_blocks() {
  cf.br ^end
^end:
  tile.return
}

// -----

// A private kernel would be removed as dead code.
// expected-error @below {{'tile.kernel' op expected a public kernel, got a private one}}
tile.kernel private @kernel_c5_private() {
  tile.return
}

// -----

// The generic form is verified by all checks, too.
// expected-error @below {{'tile.kernel' op requires attribute 'function_type'}}
"tile.kernel"() <{sym_name = "generic_without_type"}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op expected argument 0 to be an array of offset 0 or ? (a launch gives the address of the first element), got 'memref<8xf32, strided<[1], offset: 2>>'}}
tile.kernel @c1_offset(%a: memref<8xf32, strided<[1], offset: 2>>) {
  tile.return
}
