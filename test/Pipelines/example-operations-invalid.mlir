// RUN: tile-opt %s -allow-unregistered-dialect -tile-to-nvvm -verify-diagnostics -split-input-file

// If an operation lacks an interface, the phase that queries the interface reports an
// error at the operation's line (docs/AddingAnOperation.md). The specialized and the
// generic variant have the same line.

// The storage of the operation's tiles is not declared.
tile.kernel @no_storage(%a: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected an operation with StorageOpInterface, got 'unknown.op'}}
  %y = "unknown.op"(%x) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %y, %a[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The elementwise computation of the operation is not declared.
tile.kernel @no_elements(%a: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected an operation with ElementOpInterface, got 'example.unanswered'}}
  %y = example.unanswered %x : !tile.tile<64xf32>
  tile.store %y, %a[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The butterfly is along rows that do not fill a warp.
func.func @short_rows(%x: !tile.tile<48xf32>) {
  // expected-error @below {{'example.butterfly' op expected rows of a multiple of 32 elements, got '!tile.tile<48xf32>'}}
  %y = example.butterfly %x mask 1 : !tile.tile<48xf32> to !tile.tile<48xf32>
  return
}

// -----

// The butterfly exchanges elements between warps.
func.func @other_warps(%x: !tile.tile<64xf32>) {
  // expected-error @below {{'example.butterfly' op expected a mask below 32, got 32}}
  %y = example.butterfly %x mask 32 : !tile.tile<64xf32> to !tile.tile<64xf32>
  return
}

// -----

// A shuffle does not support the butterfly's elements.
func.func @wide(%x: !tile.tile<64xf64>) {
  // expected-error @below {{'example.butterfly' op expected elements of f32 or i32, got '!tile.tile<64xf64>'}}
  %y = example.butterfly %x mask 1 : !tile.tile<64xf64> to !tile.tile<64xf64>
  return
}

// -----

// The mean has integer elements.
func.func @integers(%x: !tile.tile<64xi32>) {
  // expected-error @below {{'example.mean' op expected elements of f32 or f16, got 'i32'}}
  %y = example.mean %x, %x : !tile.tile<64xi32>
  return
}

// -----

// The operation needs more warps than can share its rows.
tile.kernel @no_distribution(%a: memref<32xf32>) attributes {block = 160 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<32xf32> -> !tile.tile<32xf32>
  // expected-error @below {{expected a distribution over 5 warps, got none of 'example.butterfly'}}
  %y = example.butterfly %x mask 1 : !tile.tile<32xf32> to !tile.tile<32xf32>
  tile.store %y, %a[%c0] : !tile.tile<32xf32>, memref<32xf32>
  tile.return
}
