// RUN: tile-opt %s -tile-gradient=kernel=rows -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=halves -canonicalize -cse | FileCheck %s --check-prefix=HALVES
// RUN: tile-opt %s -tile-gradient=kernel=whole -canonicalize -cse | FileCheck %s --check-prefix=WHOLE

// The box of a view in a loop is loaded, so that its cotangent is stored in each
// iteration, instead of being inserted into the whole tile.
// CHECK-LABEL: tile.kernel @rows__adjoint{{.*}}(
// CHECK-NOT:   tile.insert
// CHECK:       scf.for
// CHECK:         %[[R:.*]] = tile.load %{{.*}} -> !tile.tile<1x64xf64>
// CHECK:         tile.store %{{.*}} : !tile.tile<1x64xf64>, memref<?x6x64xf64>
// CHECK-NOT:   tile.insert
tile.kernel @rows(%x: memref<?x6x64xf64> {tile.name = "x"}, %y: memref<?x64xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0, %c0] : memref<?x6x64xf64> -> !tile.tile<6x64xf64>
  %zero = arith.constant dense<0.0> : !tile.tile<1x64xf64>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %zero) -> !tile.tile<1x64xf64> {
    %v = tile.view %t[%i, %c0] : !tile.tile<6x64xf64> to !tile.tile<1x64xf64>
    %q = arith.mulf %v, %v : !tile.tile<1x64xf64>
    %u = arith.addf %s, %q : !tile.tile<1x64xf64>
    scf.yield %u : !tile.tile<1x64xf64>
  }
  tile.store %r, %y[%p, %c0] : !tile.tile<1x64xf64>, memref<?x64xf64>
  tile.return
}

// Boxes next to each other are stored, each once.
// HALVES-LABEL: tile.kernel @halves__adjoint{{.*}}(
// HALVES-NOT:   arith.addf
// HALVES:       tile.store %{{.*}} : !tile.tile<32xf64>, memref<?x64xf64>
// HALVES:       tile.store %{{.*}} : !tile.tile<32xf64>, memref<?x64xf64>
// HALVES-NOT:   tile.atomic
tile.kernel @halves(%x: memref<?x64xf64> {tile.name = "x"}, %y: memref<?x32xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x64xf64> -> !tile.tile<64xf64>
  %a = tile.view %t[%c0] : !tile.tile<64xf64> to !tile.tile<32xf64>
  %b = tile.view %t[%c32] : !tile.tile<64xf64> to !tile.tile<32xf64>
  %m = arith.mulf %a, %b : !tile.tile<32xf64>
  tile.store %m, %y[%p, %c0] : !tile.tile<32xf64>, memref<?x32xf64>
  tile.return
}

// A tile that is also used whole is loaded whole.
// WHOLE-LABEL: tile.kernel @whole__adjoint{{.*}}(
// WHOLE:       tile.load %{{.*}} -> !tile.tile<64xf64>
// WHOLE:       tile.insert
tile.kernel @whole(%x: memref<?x64xf64> {tile.name = "x"}, %y: memref<?x64xf64> {tile.name = "y"}, %z: memref<?x32xf64> {tile.name = "z"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x64xf64> -> !tile.tile<64xf64>
  %a = tile.view %t[%c0] : !tile.tile<64xf64> to !tile.tile<32xf64>
  %q = arith.mulf %t, %t : !tile.tile<64xf64>
  %r = arith.mulf %a, %a : !tile.tile<32xf64>
  tile.store %q, %y[%p, %c0] : !tile.tile<64xf64>, memref<?x64xf64>
  tile.store %r, %z[%p, %c0] : !tile.tile<32xf64>, memref<?x32xf64>
  tile.return
}
