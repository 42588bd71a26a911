// RUN: tile-opt %s -verify-diagnostics -split-input-file

// Where upstream refuses tiles, a note names the operation to use instead.

func.func @extf(%t: !tile.tile<8xf16>) {
  // expected-error @below {{'arith.extf' op operand type '!tile.tile<8xf16>' and result type '!tile.tile<8xf32>' are cast incompatible}}
  // expected-note @below {{'tile.cast' converts the elements of a tile}}
  %0 = arith.extf %t : !tile.tile<8xf16> to !tile.tile<8xf32>
  return
}

// -----

func.func @truncf(%t: !tile.tile<8xf32>) {
  // expected-error @below {{cast incompatible}}
  // expected-note @below {{'tile.cast' converts the elements of a tile}}
  %0 = arith.truncf %t : !tile.tile<8xf32> to !tile.tile<8xf16>
  return
}

// -----

func.func @sitofp(%t: !tile.tile<8xi32>) {
  // expected-error @below {{'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got '!tile.tile<8xi32>'}}
  // expected-note @below {{'tile.cast' converts the elements of a tile}}
  %0 = arith.sitofp %t : !tile.tile<8xi32> to !tile.tile<8xf16>
  return
}

// -----

func.func @uitofp(%t: !tile.tile<8xi32>) {
  // expected-error @below {{'arith.uitofp' op operand #0}}
  // expected-note @below {{'tile.cast ... unsigned' converts the elements of a tile}}
  %0 = arith.uitofp %t : !tile.tile<8xi32> to !tile.tile<8xf16>
  return
}

// -----

func.func @index_cast(%t: !tile.tile<8xi32>) {
  // expected-error @below {{cast incompatible}}
  // expected-note @below {{'tile.cast' converts the elements of a tile}}
  %0 = arith.index_cast %t : !tile.tile<8xi32> to !tile.tile<8xindex>
  return
}

// -----

func.func @bitcast(%t: !tile.tile<8xi32>) {
  // expected-error @below {{cast incompatible}}
  // expected-note @below {{'tile.cast ... bitcast' takes the bits of a tile's elements}}
  %0 = arith.bitcast %t : !tile.tile<8xi32> to !tile.tile<8xf32>
  return
}

// -----

func.func @select(%c: !tile.tile<8xi1>, %t: !tile.tile<8xi32>) {
  // expected-error @below {{'arith.select' op expected condition to be a signless i1, but got '!tile.tile<8xi1>'}}
  // expected-note @below {{'tile.select' chooses by a tile of i1}}
  %0 = arith.select %c, %t, %t : !tile.tile<8xi1>, !tile.tile<8xi32>
  return
}

// -----

func.func @complex(%t: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{custom op 'complex.mul' invalid kind of type specified: expected builtin.complex, but found '!tile.tile<8xcomplex<f32>>'}}
  // expected-note @below {{'tile.complex' computes with tiles of complex numbers, and 'tile.map' with their elements}}
  %0 = complex.mul %t, %t : !tile.tile<8xcomplex<f32>>
  return
}

// -----

func.func @complex_generic(%t: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'complex.conj' op operand #0}}
  // expected-note @below {{'tile.complex' computes}}
  %0 = "complex.conj"(%t) : (!tile.tile<8xcomplex<f32>>) -> !tile.tile<8xcomplex<f32>>
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @scalar(%t: !tile.tile<8xf32>, %x: f32) {
  // expected-error @below {{use of value '%x' expects different type than prior uses: '!tile.tile<8xf32>' vs 'f32'}}
  // expected-note @below {{'tile.fill' makes a tile of a scalar, 'tile.broadcast' one of a row or a column, and 'tile.map' takes all of them}}
  %0 = arith.addf %t, %x : !tile.tile<8xf32>
  return
}

// -----

// Vectors get no note.
func.func @vectors(%t: vector<8xf16>) {
  // expected-error @below {{cast incompatible}}
  %0 = arith.extf %t : vector<8xf16> to vector<8xf16>
  return
}
