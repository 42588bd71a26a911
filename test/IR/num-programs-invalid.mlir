// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @num_programs_fourth_axis() {
  // expected-error @below {{custom op 'tile.num_programs' expected axis x, y or z, got 'w'}}
  %w = tile.num_programs w
  tile.return
}

// -----

tile.kernel @num_programs_no_axis() {
  // expected-error @below {{'tile.num_programs' op requires attribute 'axis'}}
  %x = "tile.num_programs"() : () -> index
  tile.return
}

// -----

tile.kernel @num_programs_result_type() {
  // expected-error @below {{'tile.num_programs' op result #0 must be index, but got 'i32'}}
  %x = "tile.num_programs"() <{axis = #tile<axis x>}> : () -> i32
  tile.return
}
