// Requests that a custom derivative does not compute.

// RUN: not tile-opt %s -tile-gradient="kernel=k wrt=w" 2>&1 | FileCheck %s --check-prefix=WRT
// RUN: not tile-opt %s -tile-gradient="kernel=k wrt=x,v" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s -tile-gradient="kernel=k outputs=y" 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// RUN: not tile-opt %s -tile-gradient="kernel=k outputs=y,z,u" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not tile-opt %s -tile-gradient="kernel=k wrt=x" 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tile-opt %s -tile-gradient="kernel=k mode=forward" 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: not tile-opt %s -tile-gradient="kernel=with_grid" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not tile-opt %s -tile-gradient="kernel=without_grid" 2>&1 | FileCheck %s --check-prefix=NOGRID
// RUN: tile-opt %s -tile-gradient="kernel=k wrt=0,x2" | FileCheck %s --check-prefix=ACCEPTED

// WRT: error: expected an argument 'w__gradient' of 'adjoint', the custom derivative of 'k', since the derivative by 'w' is requested, got none
// UNKNOWN: error: expected an argument 'v__gradient' of 'adjoint', the custom derivative of 'k', since the derivative by 'v' is requested, got none
// OUTPUTS: error: expected a request of all derivatives of the arrays that the custom derivative 'adjoint' takes, got one without 'z'; give zeros as its cotangent
// OUTPUT: error: expected an argument 'u__cotangent' of 'adjoint', the custom derivative of 'k', since the derivative of 'u' is requested, got none
// READ: error: expected a request of 'x2', too, since the custom derivative also reads 'x2__gradient' or uses its sizes
// FORWARD: error: expected 'tile.custom_tangent' of 'k', whose derivative in the other mode is stated by 'tile.custom_adjoint', got none
// GRID: error: expected the custom derivative of 'with_grid', which states its grid, to state one, got none
// NOGRID: error: expected the custom derivative of 'without_grid', which states no grid, to state none, got one
// ACCEPTED: tile.kernel @k__adjoint(

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %x2: memref<64xf32> {tile.name = "x2"},
               %w: memref<64xf32> {tile.name = "w"},
               %y: memref<64xf32> {tile.name = "y"}, %z: memref<64xf32> {tile.name = "z"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %u = tile.load %x2[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %v = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %p = arith.addf %t, %v : !tile.tile<64xf32>
  tile.store %p, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %u, %z[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

tile.kernel @adjoint(%dy: memref<64xf32> {tile.name = "y__cotangent"},
                     %dz: memref<64xf32> {tile.name = "z__cotangent"},
                     %dx: memref<64xf32> {tile.name = "x__gradient"},
                     %dx2: memref<64xf32> {tile.name = "x2__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %dy[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %dx[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %h = tile.load %dz[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.load %dx2[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %t = arith.addf %h, %s : !tile.tile<64xf32>
  tile.store %t, %dx2[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %r = tile.load %dx2[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.print "gradient", %r : !tile.tile<64xf32>
  tile.return
}

tile.kernel @with_grid(%x: memref<?xf32> {tile.name = "x"}, %y: memref<?xf32> {tile.name = "y"})
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0, 0]]>, tile.custom_adjoint = @backward} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

tile.kernel @backward(%dy: memref<?xf32> {tile.name = "y__cotangent"}, %dx: memref<?xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %t = tile.load %dy[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %dx[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

tile.kernel @without_grid(%x: memref<?xf32> {tile.name = "x"}, %y: memref<?xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @backward_with_grid} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

tile.kernel @backward_with_grid(%dy: memref<?xf32> {tile.name = "y__cotangent"}, %dx: memref<?xf32> {tile.name = "x__gradient"})
    attributes {grid = #tile.grid<affine_map<(m) -> (m)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %dy[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %dx[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}
