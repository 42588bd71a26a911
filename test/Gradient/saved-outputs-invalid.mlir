// RUN: not tile-opt %s -tile-gradient='mode=forward saved=y' 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: not tile-opt %s -tile-gradient='saved=z' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s -tile-gradient='saved=x' 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not tile-opt %s -tile-gradient='kernel=own saved=y' 2>&1 | FileCheck %s --check-prefix=CUSTOM

// FORWARD: :[[@LINE+4]]:1: error: expected mode=reverse with 'saved', since tangents are computed with the outputs, got mode=forward
// UNKNOWN: :[[@LINE+3]]:1: error: expected an argument to load values from, got 'z', which the kernel does not have
// INPUT:   :[[@LINE+2]]:1: error: expected an array to load values from that the kernel writes, got 'x'
// CUSTOM:  error: expected a derivative without 'saved', since its author states which arrays it reads, got 'y'
tile.kernel @square(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?x8xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %e = arith.mulf %t, %t : !tile.tile<8xf64>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}

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
