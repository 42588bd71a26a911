// RUN: not tile-opt %s -tile-gradient='kernel=square values saved=y' 2>&1 | FileCheck %s --check-prefix=SAVED
// RUN: not tile-opt %s -tile-gradient='kernel=own values' 2>&1 | FileCheck %s --check-prefix=CUSTOM

// SAVED:  :[[@LINE+1]]:1: error: expected a derivative without 'saved', since it stores the outputs, got 'y'
tile.kernel @square(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?x8xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %e = arith.mulf %t, %t : !tile.tile<8xf64>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}

// CUSTOM: :[[@LINE+1]]:1: error: expected a derivative without 'values', since its author states it, and it has no outputs
tile.kernel @own(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?x8xf64> {tile.name = "y"}) attributes {tile.custom_adjoint = @own_adjoint} {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  tile.store %t, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}

tile.kernel @own_adjoint(%d: memref<?x8xf64> {tile.name = "y__cotangent"}, %g: memref<?x8xf64> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %d[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  tile.store %t, %g[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}
