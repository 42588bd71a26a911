// RUN: tile-opt %s -tile-canonical-form=keep-custom -tile-gradient=kernel=clip -cse | FileCheck %s
// RUN: tile-opt %s -tile-canonical-form=keep-custom -tile-gradient="kernel=clip mode=forward" -cse | FileCheck %s --check-prefix=TANGENT
// RUN: tile-compile %s --gradient=kernel=clip --emit=source -o - | FileCheck %s --check-prefix=SOURCE
// RUN: tile-opt %s -tile-canonical-form | FileCheck %s --check-prefix=INLINED

// The adjoint of a call is one of the function that the called function names. Both are
// inlined.
// CHECK-LABEL: tile.kernel @clip__adjoint(
// CHECK:       %[[X:.*]] = tile.load %arg0
// CHECK:       %[[DY:.*]] = tile.load %arg1
// CHECK-NEXT:  %[[S:.*]] = arith.mulf %[[DY]], %[[X]]
// CHECK-NEXT:  tile.store %[[S]], %arg2
// CHECK-NEXT:  tile.return

// TANGENT-LABEL: tile.kernel @clip__tangent(
// TANGENT:       %[[DX:.*]] = tile.load %arg0
// TANGENT-NEXT:  %[[N:.*]] = arith.negf %[[DX]]
// TANGENT-NEXT:  tile.store %[[N]], %arg1
// TANGENT-NEXT:  tile.return

// SOURCE-NOT:   call
// SOURCE-LABEL: tile.kernel @clip__adjoint(
// SOURCE-NOT:   call

// INLINED-NOT:   call
// INLINED-LABEL: tile.kernel @clip(
// INLINED:       arith.minimumf
// INLINED-NOT:   func.func
func.func private @clipped(%x: !tile.tile<64xf32>, %i: index) -> (!tile.tile<64xf32>, index)
    attributes {tile.custom_adjoint = @clipped_adjoint, tile.custom_tangent = @clipped_tangent} {
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  %y = arith.minimumf %x, %one : !tile.tile<64xf32>
  return %y, %i : !tile.tile<64xf32>, index
}

func.func private @clipped_adjoint(%x: !tile.tile<64xf32>, %i: index, %dy: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  %s = arith.mulf %dy, %x : !tile.tile<64xf32>
  return %s : !tile.tile<64xf32>
}

func.func private @clipped_tangent(%x: !tile.tile<64xf32>, %i: index, %dx: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
  %n = arith.negf %dx : !tile.tile<64xf32>
  return %n : !tile.tile<64xf32>
}

tile.kernel @clip(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w, %i = func.call @clipped(%v, %c0) : (!tile.tile<64xf32>, index) -> (!tile.tile<64xf32>, index)
  tile.store %w, %y[%i] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
