// RUN: tile-opt %s -tile-gradient=kernel=cube -cse | FileCheck %s --check-prefix=CUSTOM
// RUN: tile-opt %s -tile-gradient="kernel=multiply wrt=w" -cse | FileCheck %s --check-prefix=PART
// RUN: tile-opt %s -tile-gradient="kernel=cube mode=forward" -cse | FileCheck %s --check-prefix=TANGENT
// RUN: tile-opt %s -tile-gradient -cse | FileCheck %s --check-prefix=ALL
// RUN: tile-opt %s -tile-gradient="kernel=cube accumulate" -cse | FileCheck %s --check-prefix=ADDED
// RUN: tile-opt %s -tile-gradient=kernel=cube | tile-opt -tile-gradient="kernel=cube__adjoint wrt=x" -cse | FileCheck %s --check-prefix=SECOND

// The custom adjoint leaves out the factor 3, which tells it from a derived one.
// CUSTOM-LABEL: tile.kernel @cube__adjoint(
// CUSTOM-SAME: %[[X:.*]]: memref<64xf32> {tile.name = "x"}, %[[DY:.*]]: memref<64xf32> {tile.name = "y__cotangent"}, %[[DX:.*]]: memref<64xf32> {tile.name = "x__gradient"})
// CUSTOM: %[[T:.*]] = tile.load %[[X]]
// CUSTOM-NEXT: %[[G:.*]] = tile.load %[[DY]]
// CUSTOM-NEXT: %[[S:.*]] = arith.mulf %[[T]], %[[T]]
// CUSTOM-NEXT: %[[R:.*]] = arith.mulf %[[S]], %[[G]]
// CUSTOM-NEXT: tile.store %[[R]], %[[DX]]
// CUSTOM-NEXT: tile.return

// A custom adjoint overwrites gradients, so that it computes those to accumulate in a
// temporary array.
// ADDED-LABEL: tile.kernel @cube__adjoint__custom(
// ADDED-LABEL: tile.kernel @cube__adjoint__add_x__gradient(
// ADDED-SAME: %[[ADDED:.*]]: memref<64xf32>, %[[DX:.*]]: memref<64xf32>)
// ADDED-DAG: %[[A:.*]] = tile.load %[[ADDED]]
// ADDED-DAG: %[[B:.*]] = tile.load %[[DX]]
// ADDED: %[[S:.*]] = arith.addf %[[B]], %[[A]]
// ADDED: tile.store %[[S]], %[[DX]]
// ADDED-LABEL: func.func @cube__adjoint(
// ADDED-SAME: %[[X:[^:]*]]: memref<64xf32> {tile.name = "x"}, %[[DY:[^:]*]]: memref<64xf32> {tile.name = "y__cotangent"}, %[[DX:[^:]*]]: memref<64xf32> {tile.name = "x__gradient"}
// ADDED: %[[ARRAY:.*]] = memref.alloc() : memref<64xf32>
// ADDED: tile.launch @cube__adjoint__zero{{.*}}(%[[ARRAY]])
// ADDED: tile.launch @cube__adjoint__custom{{.*}}(%[[X]], %[[DY]], %[[ARRAY]])
// ADDED: tile.launch @cube__adjoint__add_x__gradient{{.*}}(%[[ARRAY]], %[[DX]])

// TANGENT-LABEL: tile.kernel @cube__tangent(
// TANGENT-SAME: "x"}, %{{.*}} {tile.name = "x__tangent"}, %{{.*}} {tile.name = "y__tangent"})
// TANGENT-NOT: arith.addf
// TANGENT: tile.return

// The gradient by x and what only it needs are left out.
// PART-LABEL: tile.kernel @multiply__adjoint(
// PART-SAME: %[[X:.*]]: memref<64xf32> {tile.name = "x"}, %[[DY:.*]]: memref<64xf32> {tile.name = "y__cotangent"}, %[[DW:.*]]: memref<64xf32> {tile.name = "w__gradient"})
// PART: tile.load %[[X]]
// PART-NEXT: tile.load %[[DY]]
// PART-NEXT: arith.mulf
// PART-NEXT: tile.store %{{.*}}, %[[DW]]
// PART-NEXT: tile.return

// Kernels that are custom derivatives of others are not differentiated themselves.
// ALL-NOT: @cube_backward__
// ALL-NOT: @cube_forward__
// ALL: tile.kernel @cube__adjoint(
// ALL-NOT: @cube_backward__
// ALL: tile.kernel @multiply__adjoint(

// A custom derivative is a kernel, which is differentiated again.
// SECOND-LABEL: tile.kernel @cube__adjoint__adjoint(
// SECOND-SAME: "x"}, %{{.*}} {tile.name = "y__cotangent"}, %{{.*}} {tile.name = "x__gradient__cotangent"}, %{{.*}} {tile.name = "x__gradient"})

tile.kernel @cube(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @cube_backward, tile.custom_tangent = @cube_forward} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = arith.mulf %t, %t : !tile.tile<64xf32>
  %r = arith.mulf %s, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

tile.kernel @cube_backward(%x: memref<64xf32> {tile.name = "x"},
                           %dy: memref<64xf32> {tile.name = "y__cotangent"},
                           %dx: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %g = tile.load %dy[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = arith.mulf %t, %t : !tile.tile<64xf32>
  %r = arith.mulf %s, %g : !tile.tile<64xf32>
  tile.store %r, %dx[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

tile.kernel @cube_forward(%x: memref<64xf32> {tile.name = "x"},
                          %dx: memref<64xf32> {tile.name = "x__tangent"},
                          %dy: memref<64xf32> {tile.name = "y__tangent"}) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %g = tile.load %dx[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = arith.mulf %t, %t : !tile.tile<64xf32>
  %r = arith.mulf %s, %g : !tile.tile<64xf32>
  tile.store %r, %dy[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

tile.kernel @multiply(%x: memref<64xf32> {tile.name = "x"}, %w: memref<64xf32> {tile.name = "w"},
                      %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @multiply_backward} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %u = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %u : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

tile.kernel @multiply_backward(%x: memref<64xf32> {tile.name = "x"},
                               %w: memref<64xf32> {tile.name = "w"},
                               %dy: memref<64xf32> {tile.name = "y__cotangent"},
                               %dx: memref<64xf32> {tile.name = "x__gradient"},
                               %dw: memref<64xf32> {tile.name = "w__gradient"}) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %u = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %g = tile.load %dy[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %a = arith.mulf %g, %u : !tile.tile<64xf32>
  tile.store %a, %dx[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %b = arith.mulf %g, %t : !tile.tile<64xf32>
  tile.store %b, %dw[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
