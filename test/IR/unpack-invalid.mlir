// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @unpack_c1(%t: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.unpack' op expected an axis below the rank 2, got 2}}
  %0 = tile.unpack %t axis 2 bits 4 : !tile.tile<8x4xi8> to !tile.tile<8x8xi8>
  return
}

// -----

func.func @unpack_c2_bits(%t: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.unpack' op expected 1, 2 or 4 bits, got 3}}
  %0 = tile.unpack %t axis 1 bits 3 : !tile.tile<8x4xi8> to !tile.tile<8x8xi8>
  return
}

// -----

func.func @unpack_c2_words(%t: !tile.tile<8x4xindex>) {
  // expected-error @below {{'tile.unpack' op expected words of element type i8, i16, i32 or i64, got 'index'}}
  %0 = tile.unpack %t axis 1 bits 4 : !tile.tile<8x4xindex> to !tile.tile<8x64xi8>
  return
}

// -----

func.func @unpack_c3_shape(%t: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.unpack' op expected a result of shape [8, 16] and element type i8, got '!tile.tile<8x8xi8>'}}
  %0 = tile.unpack %t axis 1 bits 2 : !tile.tile<8x4xi8> to !tile.tile<8x8xi8>
  return
}

// -----

func.func @unpack_c3_element(%t: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.unpack' op expected a result of shape [8, 8] and element type i8, got '!tile.tile<8x8xi32>'}}
  %0 = tile.unpack %t axis 1 bits 4 : !tile.tile<8x4xi8> to !tile.tile<8x8xi32>
  return
}
