// RUN: tile-opt %s -split-input-file -verify-diagnostics

// Attributes on a kernel's argument have invalid 64-bit integers.

// expected-error @below {{expected 'tile.alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got 0 : i64}}
tile.kernel @aligned_to_nothing(%x: memref<?xf32> {tile.alignment = 0 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got -16 : i64}}
tile.kernel @aligned_backwards(%x: memref<?xf32> {tile.alignment = -16 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 1 to be a power of two from 1 to 2^32 (i64), got 24 : i64}}
tile.kernel @aligned_to_24(%n: index, %x: memref<?xf32> {tile.alignment = 24 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got 8589934592 : i64}}
tile.kernel @aligned_to_too_much(%x: memref<?xf32> {tile.alignment = 8589934592 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got 16 : i32}}
tile.kernel @aligned_in_32_bits(%x: memref<?xf32> {tile.alignment = 16 : i32}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got "16"}}
tile.kernel @aligned_in_words(%x: memref<?xf32> {tile.alignment = "16"}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 to be on an array, got 'index'}}
tile.kernel @aligned_number(%n: index {tile.alignment = 16 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.stride_alignment' on argument 0 to be a power of two from 1 to 2^32 (i64), got 12 : i64}}
tile.kernel @strides_of_12(%x: memref<?x?xf32> {tile.stride_alignment = 12 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.workspace' on argument 0 to be on an array of static shape, got 'memref<?xi64>'}}
tile.kernel @workspace_of_any_size(%x: memref<?xi64> {tile.workspace}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.workspace' on argument 0 to be without a value, got 64 : i64}}
tile.kernel @workspace_of_64(%x: memref<8xi64> {tile.workspace = 64 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.name' on argument 0 to be a string, got 7 : i64}}
tile.kernel @name_is_a_number(%x: memref<8xi64> {tile.name = 7 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected an attribute of the tile dialect on argument 0, one of tile.alignment, tile.assumed_alignment, tile.assumed_stride_alignment, tile.name, tile.stride_alignment, tile.workspace, got 'tile.aligned'}}
tile.kernel @unknown_of_an_argument(%x: memref<8xi64> {tile.aligned = 16 : i64}) {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.alignment' on argument 0 of a 'tile.kernel', got 'func.func'}}
func.func @function(%x: memref<8xi64> {tile.alignment = 16 : i64}) {
  return
}

// -----

// expected-error @below {{expected an attribute of the tile dialect on result 0, one of tile.result_array, got 'tile.alignment'}}
func.func private @result() -> (memref<8xi64> {tile.alignment = 16 : i64})

// -----

// expected-error @below {{expected 'tile.result_array' on result 0 to be the number of an argument (i64), got -1 : i64}}
func.func private @result_array() -> (tensor<8xi64> {tile.result_array = -1 : i64})

// -----

func.func @loops_twice(%x: tensor<8xf32>) {
  // expected-error @below {{expected 'tile.loops' to be a list of the group's loops (array<i64: ...>), each once, got array<i64: 1, 1>}}
  %0 = tensor.empty() {tile.loops = array<i64: 1, 1>} : tensor<8xf32>
  return
}

// -----

// The attributes are on a kernel.

// expected-error @below {{expected 'tile.general_of' to be the name of a kernel (a string), got 3 : i64}}
tile.kernel @general_of_three() attributes {tile.general_of = 3 : i64} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.general_of' to be the name of a kernel (a string), got ""}}
tile.kernel @general_of_nothing() attributes {tile.general_of = ""} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.storage' to be a list of dictionaries with 'type', 'storage' and 'reason', got "registers"}}
tile.kernel @storage_is_a_word() attributes {tile.storage = "registers"} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.storage' to be a list of dictionaries with 'type', 'storage' and 'reason', got ["registers", 1]}}
tile.kernel @storage_of_a_number() attributes {tile.storage = ["registers", 1]} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.storage' to be a list of dictionaries with 'type', 'storage' and 'reason', got [{reason = "r", storage = "shared", type = "f32"}]}}
tile.kernel @storage_of_a_word() attributes {tile.storage = [{reason = "r", storage = "shared", type = "f32"}]} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.decisions' to be a list of dictionaries with 'about', 'chosen' and 'reason', got [{about = "warps", chosen = 4 : i64, reason = "r"}]}}
tile.kernel @decision_of_a_number() attributes {tile.decisions = [{about = "warps", chosen = 4 : i64, reason = "r"}]} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.decisions' to be a list of dictionaries with 'about', 'chosen' and 'reason', got [{about = "warps", chosen = "4"}]}}
tile.kernel @decision_without_reason() attributes {tile.decisions = [{about = "warps", chosen = "4"}]} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.shared_bytes' to be an integer of 64 bits that is not negative, got -1 : i64}}
tile.kernel @negative_bytes() attributes {tile.shared_bytes = -1 : i64} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.shared_bytes' to be an integer of 64 bits that is not negative, got 1.000000e+00 : f64}}
tile.kernel @bytes_in_floating_point() attributes {tile.shared_bytes = 1.0} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.exact_accesses' to be without a value, got true}}
tile.kernel @exact_is_true() attributes {tile.exact_accesses = true} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.blocks_per_processor' to be an integer of 64 bits, got "two"}}
tile.kernel @blocks_in_words() attributes {tile.blocks_per_processor = "two"} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.level' to be a level (#tile<level ...>), got "buffered"}}
tile.kernel @level_in_words() attributes {tile.level = "buffered"} {
  tile.return
}

// -----

// expected-error @below {{expected an attribute of the tile dialect, one of tile.access, tile.blocks_per_processor, tile.copy, tile.custom_adjoint, tile.custom_tangent, tile.decisions, tile.defined, tile.exact_accesses,}}
tile.kernel @unknown_of_a_kernel() attributes {tile.blocks = 2 : i64} {
  tile.return
}

// -----

// expected-error @below {{expected 'tile.shared_bytes' of a 'tile.kernel', got 'func.func'}}
func.func private @bytes_of_a_function() attributes {tile.shared_bytes = 0 : i64}

// -----

// The attributes are on a module.

// expected-error @below {{expected 'tile.target' to be the name of an architecture (a string), got 80 : i64}}
module attributes {tile.target = 80 : i64} {}

// -----

// expected-error @below {{expected 'tile.sites' to be a list of strings, got 80 : i64}}
module attributes {tile.sites = 80 : i64} {}

// -----

// The attributes are on operations in a kernel.

tile.kernel @stages_in_words(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected 'tile.num_stages' to be an integer of 64 bits, got "three"}}
  scf.for %i = %c0 to %n step %c1 {
  } {tile.num_stages = "three"}
  tile.return
}

// -----

tile.kernel @stage_in_32_bits(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 'tile.copy' to be a copy mechanism (#tile_gpu.cp_async), got 0 : i32}}
  %t = tile.load %x[%c0] {tile.copy = 0 : i32} : memref<8xf32> -> !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @place_of_a_load(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected 'tile.shared_offset' of a 'memref.alloc', got 'tile.load'}}
  %t = tile.load %x[%c0] {tile.shared_offset = 0 : i64} : memref<8xf32> -> !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @place_in_words() {
  // expected-error @below {{expected 'tile.shared_offset' to be an integer of 64 bits, got "0"}}
  %a = memref.alloc() {tile.shared_offset = "0"} : memref<8xf32, #tile.shared<(8):(1)>>
  tile.return
}

// -----

tile.kernel @threads_without_a_number() {
  // expected-error @below {{expected 'tile.threads' to be an integer of 64 bits, got unit}}
  tile.per_thread attributes {tile.threads} {
  ^bb0(%i: index):
    tile.yield
  }
  tile.return
}

// -----

func.func @in_flight(%t: !tile.tile<8x8xf32>) {
  // expected-error @below {{expected 'tile.in_flight' to be without a value, got 1 : i64}}
  %d = tile.matmul %t, %t, %t {tile.in_flight = 1 : i64} : !tile.tile<8x8xf32>, !tile.tile<8x8xf32> -> !tile.tile<8x8xf32>
  return
}

// -----

tile.kernel @access_in_words(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{expected 'tile.access' to be an access plan (#tile.access<...>), got "vector"}}
  %t = tile.load %x[%i] {tile.access = "vector"} : memref<?xf32> -> !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @operand_of_a_load(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{expected 'tile.lhs_access' of a 'tile.matmul', got 'tile.load'}}
  %t = tile.load %x[%i] {tile.lhs_access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<?xf32> -> !tile.tile<8xf32>
  tile.return
}
