// RUN: tile-opt %s -test-tile-composite-undecomposed -tile-decompose -verify-diagnostics

// An operation that is declared composite without a decomposition, as the test
// pass declares math.copysign, is an error at its line.
tile.kernel @undeclared(%a: f32, %b: f32, %r: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a composite operation with a decomposition, got 'math.copysign'}}
  %x = math.copysign %a, %b : f32
  %t = tile.fill %x : !tile.tile<1xf32>
  tile.store %t, %r[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}
