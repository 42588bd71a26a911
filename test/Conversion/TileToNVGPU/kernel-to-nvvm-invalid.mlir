// RUN: tile-opt %s -convert-tile-kernel-to-nvvm -split-input-file -verify-diagnostics

tile.kernel @assertion(%n: i1) {
  // expected-error @below {{expected 'tile.assert', got 'cf.assert'}}
  cf.assert %n, "n holds"
  tile.return
}
