// RUN: tile-opt %s -verify-diagnostics -split-input-file

// A function returns with its own dialect's operation.
func.func @return_in_function() {
  // expected-error @below {{'tile.return' op expects parent op 'tile.kernel'}}
  tile.return
}

// -----

// Only the end of a kernel may return.
tile.kernel @return_inside_loop(%lower: index) {
  scf.for %i = %lower to %lower step %lower {
    // expected-error @below {{'tile.return' op expects parent op 'tile.kernel'}}
    tile.return
  }
  tile.return
}

// -----

tile.kernel @return_in_the_middle() {
  // expected-error @below {{'tile.return' op must be the last operation in the parent block}}
  tile.return
  tile.return
}
