// RUN: tile-opt %s -tile-gradient -verify-diagnostics -split-input-file

// Operations without a derivative on the way from an input to an output. Errors name the
// operations that have one.

tile.kernel @reflected(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %s: memref<8xf32>, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %r = tile.load %w[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %t = tile.load %s[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error @below {{got 'tile.apply_householder', on which a gradient depends; tile.qr has one}}
  %q = tile.apply_householder %r, %t, %v : !tile.tile<8x8xf32>, !tile.tile<8xf32>, !tile.tile<8x8xf32>
  tile.store %q, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

tile.kernel @rotated(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  // expected-error @below {{got 'tile.one_sided_jacobi', on which a gradient depends; tile.eigh and tile.svd have one}}
  %q, %s = tile.one_sided_jacobi %v : !tile.tile<8x8xf32>, !tile.tile<8xf32>
  tile.store %q, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

// The reason of a differentiable histogram's refusal: counts are integers.
// expected-error @below {{to differentiate by, got none; '0' has no influence on an output}}
tile.kernel @counted(%x: memref<64xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-note @below {{'tile.cast' has integers or conditions as results, on which no derivative depends}}
  %i = tile.cast %v : !tile.tile<64xf32> to !tile.tile<64xi32>
  %h = tile.histogram %i : !tile.tile<64xi32> to !tile.tile<8xi32>
  %f = tile.cast %h : !tile.tile<8xi32> to !tile.tile<8xf32>
  tile.store %f, %y[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}

// -----

tile.kernel @one_element(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{got 'memref.load', on which a gradient depends; tile.load with offsets has one}}
  %s = memref.load %x[%c0] : memref<64xf32>
  %t = tile.fill %s : !tile.tile<64xf32>
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @view_of_an_input(%x: memref<128xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{got 'memref.subview', on which a gradient depends; tile.load with offsets has one}}
  %sub = memref.subview %x[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  %v = tile.load %sub[%c0] : memref<64xf32, strided<[1], offset: 64>> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @view_of_an_output(%x: memref<64xf32>, %y: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected an output that is written by tile.store, or added to, got a use by 'memref.subview', of which it is not known which elements it writes how often}}
  %sub = memref.subview %y[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %sub[%c0] : !tile.tile<64xf32>, memref<64xf32, strided<[1], offset: 64>>
  tile.return
}

// -----

tile.kernel @written_by_threads(%x: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{got 'tile.per_thread', on which a gradient depends; operations on tiles have one}}
  %t = tile.per_thread %v : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %e: f32):
    tile.yield %e : f32
  }
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @vectors_of_eigh(%x: memref<8x8xcomplex<f32>>, %y: memref<8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  // expected-error @below {{expected real vectors, or complex ones that no gradient depends on}}
  %w, %v = tile.eigh %a : !tile.tile<8x8xcomplex<f32>> to !tile.tile<8xf32>, !tile.tile<8x8xcomplex<f32>>
  tile.store %v, %y[%c0, %c0] : !tile.tile<8x8xcomplex<f32>>, memref<8x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @largest_put(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  // expected-error @below {{expected a tile.put without a kind or by 'add', got another kind, whose derivative is not known}}
  %p = tile.put max %v into %v at %i axis 0 : !tile.tile<64xf32>, !tile.tile<64xi32> into !tile.tile<64xf32>
  tile.store %p, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The bits that become a value again depend on the input.
tile.kernel @bits_in_a_map(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %t = tile.map %v : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%a: f32):
    %one = arith.constant 1 : i32
    // expected-error @below {{expected a cast with a derivative, got one of bits}}
    %i = arith.bitcast %a : f32 to i32
    %j = arith.shrui %i, %one : i32
    %f = arith.bitcast %j : i32 to f32
    tile.yield %f : f32
  }
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @bits_to_integers(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : !tile.tile<64xi32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a cast with a derivative, got one of bits}}
  %i = tile.cast %v bitcast : !tile.tile<64xf32> to !tile.tile<64xi32>
  %j = arith.shrui %i, %one : !tile.tile<64xi32>
  %f = tile.cast %j bitcast : !tile.tile<64xi32> to !tile.tile<64xf32>
  %s = arith.addf %v, %f : !tile.tile<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The bits leave one map and become values in another one, after a loop.
tile.kernel @bits_through_a_loop(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a cast with a derivative, got one of bits}}
  %i = tile.map %v : !tile.tile<64xf32> to !tile.tile<64xi32> {
  ^bb0(%a: f32):
    %b = arith.bitcast %a : f32 to i32
    tile.yield %b : i32
  }
  %k = scf.for %p = %c0 to %n step %c1 iter_args(%q = %i) -> (!tile.tile<64xi32>) {
    %r = arith.addi %q, %q : !tile.tile<64xi32>
    scf.yield %r : !tile.tile<64xi32>
  }
  %f = tile.cast %k bitcast : !tile.tile<64xi32> to !tile.tile<64xf32>
  tile.store %f, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @bits_in_a_reduction(%x: memref<64xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.reduce %v identity [0.0 : f32] axis 0 keep : !tile.tile<64xf32> to !tile.tile<1xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{expected a cast with a derivative, got one of bits}}
    %i = arith.bitcast %a : f32 to i32
    %f = arith.bitcast %i : i32 to f32
    %c = arith.addf %f, %b : f32
    tile.yield %c : f32
  }
  tile.store %s, %y[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

// -----

// Accepted: the sign of a value is constant, and a choice by it has a derivative.
tile.kernel @sign_by_bits(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %t = tile.map %v : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%a: f32):
    %zero = arith.constant 0 : i32
    %i = arith.bitcast %a : f32 to i32
    %is = arith.cmpi slt, %i, %zero : i32
    %n = arith.negf %a : f32
    %f = arith.select %is, %n, %a : f32
    tile.yield %f : f32
  }
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
