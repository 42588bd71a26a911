// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @print_c1() {
  // expected-error @below {{'tile.print' op expected a text without character 0}}
  tile.print "a\00b"
  return
}

// -----

func.func @print_of_vector(%v: vector<4xf32>) {
  // expected-error @below {{'tile.print' op operand #0 must be element of a tile or tile, or buffer in shared memory, but got 'vector<4xf32>'}}
  tile.print "v", %v : vector<4xf32>
  return
}

// -----

func.func @print_of_array(%a: memref<4xf32>) {
  // expected-error @below {{'tile.print' op operand #0 must be element of a tile or tile, or buffer in shared memory, but got 'memref<4xf32>'}}
  tile.print "a", %a : memref<4xf32>
  return
}

// -----

func.func @print_without_text(%i: index) {
  // expected-error @below {{expected attribute value}}
  tile.print %i : index
  return
}

// -----

func.func @print_two_values(%i: index) {
  // expected-error @below {{expected ':'}}
  tile.print "two", %i, %i : index, index
  return
}
