// RUN: tile-opt %s -tile-to-nvvm -split-input-file -verify-diagnostics

// Unsupported operations of the GPU path are refused at their lines, with reasons.

tile.kernel @f8_arithmetic(%x: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path has no arithmetic and no order of f8 but in sums, products and sorts), got 'f8E5M2'}}
  %u = arith.addf %t, %t : !tile.tile<8xf8E5M2>
  tile.store %u, %x[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @f8_comparison(%x: memref<8xf8E5M2>, %y: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path has no arithmetic and no order of f8 but in sums, products and sorts), got 'f8E5M2'}}
  %u = arith.cmpf olt, %t, %t : !tile.tile<8xf8E5M2>
  tile.store %u, %y[%c0] : !tile.tile<8xi1>, memref<8xi1>
  tile.return
}

// -----

tile.kernel @f8_function(%x: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path has no arithmetic and no order of f8 but in sums, products and sorts), got 'f8E5M2'}}
  %u = math.exp %t : !tile.tile<8xf8E5M2>
  tile.store %u, %x[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}

// -----

tile.kernel @f8_order(%x: memref<8xf8E5M2>, %y: memref<1xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path has no arithmetic and no order of f8 but in sums, products and sorts), got 'f8E5M2'}}
  %u = tile.reduce max %t axis 0 : !tile.tile<8xf8E5M2> to !tile.tile<f8E5M2>
  %v = tile.reshape %u : !tile.tile<f8E5M2> to !tile.tile<1xf8E5M2>
  tile.store %v, %y[%c0] : !tile.tile<1xf8E5M2>, memref<1xf8E5M2>
  tile.return
}

// -----

tile.kernel @power_of_integers(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xi32> -> !tile.tile<8xi32>
  // expected-error @below {{expected an operation that the GPU path lowers (all of arith and math that tiles take, but math.ipowi and math.isnormal), got 'math.ipowi'}}
  %u = math.ipowi %t, %t : !tile.tile<8xi32>
  tile.store %u, %x[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}

// -----

tile.kernel @f8_in_a_region(%x: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf8E5M2> -> !tile.tile<8xf8E5M2>
  %u = tile.map %t : !tile.tile<8xf8E5M2> to !tile.tile<8xf8E5M2> {
  ^bb0(%a: f8E5M2):
    // expected-error @below {{expected elements of f64, f32, f16 or bf16 (the GPU path has no arithmetic and no order of f8 but in sums, products and sorts), got 'f8E5M2'}}
    %b = arith.addf %a, %a : f8E5M2
    tile.yield %b : f8E5M2
  }
  tile.store %u, %x[%c0] : !tile.tile<8xf8E5M2>, memref<8xf8E5M2>
  tile.return
}
