#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reports, for each program, how its layout conversions move elements.
#
#   count-exchanges.sh PROGRAM.mlir...
set -euo pipefail
distributed='builtin.module(tile-canonical-form,
  tile.kernel(tile-decompose,canonicalize,cse),tile-specialize-alignment,
  tile.kernel(tile-warp-tiling,tile-assign-storage,tile-assign-layouts,
    canonicalize,cse,test-tile-count-exchanges))'
for program in "$@"; do
  tile-opt "$program" -pass-pipeline="$distributed" -o /dev/null 2>&1
done
