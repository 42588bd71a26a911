// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=mode=forward -canonicalize -cse | FileCheck %s --check-prefix=FORWARD

// A reduction is the last element of a scan, whose transpose is a recurrence in the other
// direction. In forward mode, a reduction of values and tangents replaces that of values.
// CHECK-LABEL: tile.kernel @reduced__adjoint
// CHECK:         %[[L:.*]] = tile.select
// CHECK:         %[[P:.*]] = tile.scan %[[V:.*]] identity [1.000000e+00 : f32] axis 0 exclusive :
// CHECK:         %[[F:.*]]:2 = tile.map %[[P]], %[[V]], %[[L]] :
// CHECK:         %[[C:.*]]:2 = tile.scan %[[F]]#0, %[[F]]#1 identity [1.000000e+00 : f32, 0.000000e+00 : f32] axis 0 exclusive reverse :
// CHECK:         %[[T:.*]] = arith.addf %[[L]], %[[C]]#1
// CHECK:         tile.map %[[P]], %[[V]], %[[T]] :
// FORWARD-LABEL: tile.kernel @reduced__tangent
// FORWARD:         tile.reduce %{{.*}}, %{{.*}} identity [1.000000e+00 : f32, 0.000000e+00 : f32] axis 0 keep commutative :
// FORWARD-NOT:     tile.reduce
tile.kernel @reduced(%x: memref<64xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.reduce %v identity [1.0 : f32] axis 0 keep commutative : !tile.tile<64xf32> to !tile.tile<1xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tile.yield %c : f32
  }
  %t = arith.mulf %s, %s : !tile.tile<1xf32>
  tile.store %t, %y[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @scanned__adjoint
// CHECK:         %[[P:.*]] = tile.scan %[[V:.*]] identity [1.000000e+00 : f32] axis 0 exclusive :
// CHECK:         %[[F:.*]]:2 = tile.map %[[P]], %[[V]], %[[G:.*]] :
// CHECK:         %[[C:.*]]:2 = tile.scan %[[F]]#0, %[[F]]#1 identity [1.000000e+00 : f32, 0.000000e+00 : f32] axis 0 exclusive reverse :
// CHECK:         %[[T:.*]] = arith.addf %[[G]], %[[C]]#1
// CHECK:         tile.map %[[P]], %[[V]], %[[T]] :
// FORWARD-LABEL: tile.kernel @scanned__tangent
// FORWARD:         tile.scan %{{.*}}, %{{.*}} identity [1.000000e+00 : f32, 0.000000e+00 : f32] axis 0 :
tile.kernel @scanned(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.scan mul %v axis 0 : !tile.tile<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// Each result is an element, whose index a scan of values and indices finds.
// CHECK-LABEL: tile.kernel @maxima__adjoint
// CHECK:         tile.scan %{{.*}}, %{{.*}} identity [0.000000e+00 : f32, -1 : i32] axis 0 :
// CHECK:         scf.for
tile.kernel @maxima(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.scan max %v axis 0 : !tile.tile<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// A minimum of a tile with a declared storage is compared with elements of this storage.
// CHECK-LABEL: tile.kernel @stored_minimum__adjoint
// CHECK:         %[[S:.*]] = tile.convert_layout {{.*}} to !tile.tile<16x32xf32, #tile.register>
// CHECK:         arith.cmpf oeq, {{.*}} : !tile.tile<16x32xf32, #tile.register>
tile.kernel @stored_minimum(%x: memref<16x32xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<16x32xf32> -> !tile.tile<16x32xf32>
  %w = tile.convert_layout %v : !tile.tile<16x32xf32> to !tile.tile<16x32xf32, #tile.register>
  %m = tile.reduce min %w axis 1 : !tile.tile<16x32xf32, #tile.register> to !tile.tile<16xf32>
  tile.store %m, %y[%c0] : !tile.tile<16xf32>, memref<16xf32>
  tile.return
}

// A branch has a tangent that is zero on both sides, whose sum is no tangent, either.
// CHECK-LABEL: tile.kernel @zero_on_both_sides__adjoint
// CHECK:         scf.if
// CHECK-NOT:     tile.reduce
// CHECK:         tile.return
tile.kernel @zero_on_both_sides(%x: memref<64xf32>, %c: i1, %y: memref<64xf32>, %z: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %b:2 = scf.if %c -> (!tile.tile<64xf32>, !tile.tile<64xf32>) {
    %r = math.roundeven %v : !tile.tile<64xf32>
    scf.yield %v, %r : !tile.tile<64xf32>, !tile.tile<64xf32>
  } else {
    %s = arith.mulf %v, %v : !tile.tile<64xf32>
    scf.yield %s, %one : !tile.tile<64xf32>, !tile.tile<64xf32>
  }
  %m = tile.reduce add %b#1 keep : !tile.tile<64xf32> to !tile.tile<1xf32>
  tile.store %b#0, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %m, %z[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}
