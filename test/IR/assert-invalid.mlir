// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @assert_c1_tile(%t: !tile.tile<64xi32>) {
  // expected-error @below {{'tile.assert' op expected a condition of i1, got '!tile.tile<64xi32>'}}
  tile.assert %t, "x" : !tile.tile<64xi32>
  return
}

// -----

func.func @assert_c1_scalar(%c: i32) {
  // expected-error @below {{'tile.assert' op operand #0 must be 1-bit signless integer or tile, but got 'i32'}}
  tile.assert %c, "x" : i32
  return
}

// -----

func.func @assert_c2(%c: i1) {
  // expected-error @below {{'tile.assert' op expected a message without character 0}}
  tile.assert %c, "\00" : i1
  return
}

// -----

func.func @assert_without_message(%c: i1) {
  // expected-error @below {{expected ','}}
  tile.assert %c : i1
  return
}
