// RUN: tile-opt %s -tile-gradient='wrt=x' | tile-opt | FileCheck %s
// RUN: tile-opt %s -tile-gradient='wrt=x mode=forward' | tile-opt | FileCheck %s --check-prefix=FORWARD

#l = #tile.register<((8,4),(4,1),(1)):((1,0),(8,0),(1)), box = [32]>

// A tangent, or a cotangent, has the layout of its value, which the cotangent of
// a reshaped tile does not have.
// CHECK-LABEL: tile.kernel @reshaped__adjoint__programs(
// CHECK:       %[[FLAT:.*]] = tile.reshape %{{.*}} : !tile.tile<2x3xf64> to !tile.tile<6xf64>
// CHECK:       %[[HELD:.*]] = tile.convert_layout %[[FLAT]]
// CHECK:       arith.mulf %[[HELD]], %{{.*}} : !tile.tile<6xf64, #tile.register
// FORWARD-LABEL: tile.kernel @reshaped__tangent(
// FORWARD:       %[[SINE:.*]] = arith.mulf %{{.*}} : !tile.tile<6xf64, #tile.register
// FORWARD:       tile.reshape %[[SINE]]
tile.kernel @reshaped(%x: memref<?x6xf64> {tile.name = "x"}, %y: memref<?x2x3xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x6xf64> -> !tile.tile<6xf64>
  %h = tile.convert_layout %t : !tile.tile<6xf64> to !tile.tile<6xf64, #l>
  %s = math.sin %h : !tile.tile<6xf64, #l>
  %r = tile.reshape %s : !tile.tile<6xf64, #l> to !tile.tile<2x3xf64>
  tile.store %r, %y[%p, %c0, %c0] : !tile.tile<2x3xf64>, memref<?x2x3xf64>
  tile.return
}
