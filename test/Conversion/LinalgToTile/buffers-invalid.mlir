// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile -verify-diagnostics

// expected-error @below {{expected arrays without strides and memory spaces as arguments, got 'memref<4xf32, strided<[2]>>'}}
func.func @strided(%a: memref<4xf32, strided<[2]>>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32, strided<[2]>>) outs(%b : memref<4xf32>)
  return
}

// -----

func.func @in_place(%a: memref<4x4xf32>) {
  // expected-error @below {{expected an array that is written to be read at the same elements alone, got another operand with its memory}}
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
  return
}

// -----

// The loops of the matmul would read elements that they have written.
func.func @square(%a: memref<4x4xf32>) {
  // expected-error @below {{expected an array that is written to be read at the same elements alone, got another operand with its memory}}
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

func.func @shifted(%a: memref<8xf32>) {
  %from = memref.subview %a[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %to = memref.subview %a[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  // expected-error @below {{expected an array that is written to be read at the same elements alone, got another operand with its memory}}
  linalg.exp ins(%from : memref<7xf32, strided<[1]>>) outs(%to : memref<7xf32, strided<[1], offset: 1>>)
  return
}

// -----

func.func @moved(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  %from = memref.subview %a[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %to = memref.subview %a[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  // expected-error @below {{expected a copy between different arrays, got two views of one}}
  memref.copy %from, %to : memref<7xf32, strided<[1]>> to memref<7xf32, strided<[1], offset: 1>>
  return
}

// -----

#map = affine_map<(i) -> (i)>
func.func @body_store(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    // expected-error @below {{expected a body that only loads of arrays, got 'memref.store'}}
    memref.store %x, %a[%c0] : memref<4xf32>
    linalg.yield %x : f32
  }
  return
}

// -----

#map = affine_map<(i) -> (i)>
func.func @body_load(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    // expected-error @below {{expected a body to load of other arrays than those that its operation writes}}
    %y = memref.load %b[%c0] : memref<4xf32>
    linalg.yield %y : f32
  }
  return
}

// -----

func.func @load(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected linalg on buffers, alloc, dealloc, copy, dim, get_global, or a cast, subview or reshape of memref, got 'memref.load'}}
  %x = memref.load %a[%c0] : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  return
}

// -----

func.func @loop(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{or a cast, subview or reshape of memref, got 'scf.for'}}
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  }
  return
}

// -----

memref.global "private" @variable : memref<4xf32> = dense<1.0>

func.func @variable_user(%a: memref<4xf32>) {
  // expected-error @below {{expected a memref.global that is a constant, got '@variable'}}
  %t = memref.get_global @variable : memref<4xf32>
  linalg.exp ins(%t : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

memref.global "private" constant @fixed : memref<4xf32> = dense<1.0>

func.func @fixed_user(%a: memref<4xf32>) {
  // expected-note @below {{the constant}}
  %t = memref.get_global @fixed : memref<4xf32>
  // expected-error @below {{expected an array that may be written, got a constant}}
  linalg.exp ins(%a : memref<4xf32>) outs(%t : memref<4xf32>)
  return
}

// -----

func.func @reinterpreted(%a: memref<8xf32>, %b: memref<4xf32>) {
  // expected-error @below {{or a cast, subview or reshape of memref, got 'memref.reinterpret_cast'}}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  linalg.exp ins(%v : memref<4xf32, strided<[2]>>) outs(%b : memref<4xf32>)
  return
}

// -----

func.func @number(%a: memref<4xf32>, %n: f32) -> f32 {
  linalg.fill ins(%n : f32) outs(%a : memref<4xf32>)
  return %n : f32
}
// expected-error @-4 {{expected tensors as results, got 'f32'}}
