// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -tile-set-target=arch=sm_90a | FileCheck %s --check-prefix=GIVEN
// RUN: tile-opt %s -tile-set-target | FileCheck %s --check-prefix=KEPT
// RUN: not tile-opt %s -tile-set-target=arch=sm90 2>&1 | FileCheck %s --check-prefix=WRONG

// GIVEN: module attributes {tile.target = "sm_90a"}
// KEPT: module attributes {tile.target = "sm_86"}
// WRONG: error: expected architecture sm_80, sm_86, {{.*}}, got 'sm90'
module attributes {tile.target = "sm_86"} {
  tile.kernel @k() {
    tile.return
  }
}
