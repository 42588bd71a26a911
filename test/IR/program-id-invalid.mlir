// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @program_id_fourth_axis() {
  // expected-error @below {{custom op 'tile.program_id' expected axis x, y or z, got 'w'}}
  %w = tile.program_id w
  tile.return
}

// -----

tile.kernel @program_id_no_axis() {
  // expected-error @below {{'tile.program_id' op requires attribute 'axis'}}
  %x = "tile.program_id"() : () -> index
  tile.return
}

// -----

tile.kernel @program_id_result_type() {
  // expected-error @below {{'tile.program_id' op result #0 must be index, but got 'i32'}}
  %x = "tile.program_id"() <{axis = #tile<axis x>}> : () -> i32
  tile.return
}
