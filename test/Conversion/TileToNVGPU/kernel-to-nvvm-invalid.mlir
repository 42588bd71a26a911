// RUN: tile-opt %s -convert-tile-kernel-to-nvvm -split-input-file -verify-diagnostics

tile.kernel @assertion(%n: i1) {
  // expected-error @below {{expected 'tile.assert', got 'cf.assert'}}
  cf.assert %n, "n holds"
  tile.return
}

// -----

// expected-error @below {{expected a name that does not begin with '__nv_', as those of libdevice's functions do, got '__nv_exp'}}
tile.kernel @__nv_exp(%n: i1) {
  tile.return
}
