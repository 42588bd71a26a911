// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -tile-set-target -verify-diagnostics

// Without an option, the architecture that the module specifies is checked.
// expected-error-re@+1 {{expected architecture sm_80, {{.*}}, got 'sm_91'}}
module attributes {tile.target = "sm_91"} {
  tile.kernel @k() {
    tile.return
  }
}
