// RUN: tile-opt -convert-tile-to-cpu -canonicalize %s | FileCheck %s --implicit-check-not=tile.

// Composite operations are loops over their elements, by their own definitions:
// no operation of their decompositions is created.

// An iota with a start and a step is computed in the arithmetic of the element type.
// CHECK-LABEL: func.func @_tile_program_iota(
// CHECK: %[[INDEX:.*]] = linalg.index 0
// CHECK: %[[WAY:.*]] = arith.mulf %{{.*}}, %[[STEP:.*]] : f32
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[WAY]] : f32 to f16
// CHECK: %[[WIDE:.*]] = arith.extf %[[ROUNDED]] : f16 to f32
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[WIDE]] : f32
// CHECK: arith.truncf %[[SUM]] : f32 to f16
tile.kernel @iota(%x: f16, %h: f16, %r: memref<9xf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.iota axis 0 from %x step %h : !tile.tile<9xf16>
  tile.store %t, %r[%c0] : !tile.tile<9xf16>, memref<9xf16>
  tile.return
}

// Each round of the random generator multiplies 32 by 32 bits twice; the first
// and last rounds leave out multiplications by zero and unused parts.
// CHECK-LABEL: func.func @_tile_program_random(
// CHECK: scf.for %[[I:.*]] =
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-COUNT-17: arith.mului_extended %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.mului_extended
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]] : memref<9xi32
tile.kernel @random(%seed: i64, %n: i64, %r: memref<9xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.random bits %seed, %n : !tile.tile<9xi32>
  tile.store %t, %r[%c0] : !tile.tile<9xi32>, memref<9xi32>
  tile.return
}

// The best element so far and its index are carried along a row.
// CHECK-LABEL: func.func @_tile_program_arg_reduce(
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[FIRST:.*]] = tensor.extract %[[T:.*]][%[[ROW]], %{{.*}}]
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[BEST:.*]] = %[[FIRST]], %[[WHERE:.*]] =
// CHECK: %[[X:.*]] = tensor.extract %[[T]][%[[ROW]], %[[I]]]
// CHECK: %[[GREATER:.*]] = arith.cmpf ogt, %[[X]], %[[BEST]] : f32
// CHECK: %[[IS_NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
// CHECK: %[[IS_NUMBER:.*]] = arith.cmpf ord, %[[BEST]], %[[BEST]] : f32
// CHECK: arith.andi %[[IS_NAN]], %[[IS_NUMBER]]
// CHECK: arith.select %{{.*}}, %[[I]], %[[WHERE]] : index
tile.kernel @arg_reduce(%a: memref<4x9xf32>, %v: memref<4xf32>, %i: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<4x9xf32> -> !tile.tile<4x9xf32>
  %x, %n = tile.arg_reduce max %t axis 1 : !tile.tile<4x9xf32> to !tile.tile<4xf32>, !tile.tile<4xi32>
  tile.store %x, %v[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.store %n, %i[%c0] : !tile.tile<4xi32>, memref<4xi32>
  tile.return
}

// Elements with fewer than k elements before them are stored at the index of that count.
// CHECK-LABEL: func.func @_tile_program_top_k(
// CHECK: scf.for %[[FROM:.*]] =
// CHECK: %[[TO:.*]] = scf.for
// CHECK: %[[IS_CHOSEN:.*]] = arith.cmpi ult, %[[TO]], %c3
// CHECK: scf.if %[[IS_CHOSEN]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[TO]]] : memref<3xi32
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[TO]]] : memref<3xi64
tile.kernel @top_k(%a: memref<9xi32>, %v: memref<3xi32>, %i: memref<3xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<9xi32> -> !tile.tile<9xi32>
  %k, %n = tile.top_k %t axis 0 : !tile.tile<9xi32> to !tile.tile<3xi32>, !tile.tile<3xi64>
  tile.store %k, %v[%c0] : !tile.tile<3xi32>, memref<3xi32>
  tile.store %n, %i[%c0] : !tile.tile<3xi64>, memref<3xi64>
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_histogram(
// CHECK: %[[BIN:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[BIN]], %c10
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[COUNT:.*]] = memref.load %[[COUNTS:.*]][%[[BIN]]]
// CHECK: %[[MORE:.*]] = arith.addi %[[COUNT]], %{{.*}} : i64
// CHECK: memref.store %[[MORE]], %[[COUNTS]][%[[BIN]]]
tile.kernel @histogram(%x: memref<32xi32>, %y: memref<10xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32>
  %h = tile.histogram %t : !tile.tile<32xi32> to !tile.tile<10xi64>
  tile.store %h, %y[%c0] : !tile.tile<10xi64>, memref<10xi64>
  tile.return
}

// Elements are pushed and popped one by one, while the count of the stack goes up or down.
// CHECK-LABEL: func.func @_tile_program_stack(
// CHECK: %[[COUNT:.*]] = memref.load %[[CELL:.*]][] : memref<i32
// CHECK: %[[HAS_ROOM:.*]] = arith.cmpi ult, %[[COUNT]], %c100_i32
// CHECK: scf.if
// CHECK: arith.addi %[[COUNT]], %{{.*}} : i32
// CHECK: call @tile_cpu_assert_fail
// CHECK: %[[LEFT:.*]] = memref.load %{{.*}}[] : memref<i32
// CHECK: arith.cmpi sgt, %[[LEFT]], %c0_i32
// CHECK: scf.if
tile.kernel @stack(%x: memref<5xf32>, %m: memref<5xi1>, %n: i32, %y: memref<5xf32>, %z: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<5xf32> -> !tile.tile<5xf32>
  %mask = tile.load %m[%c0] : memref<5xi1> -> !tile.tile<5xi1>
  %empty = arith.constant dense<0.0> : !tile.tile<100xf32>
  %s, %count, %to = tile.push %t mask %mask onto %empty, %n : !tile.tile<5xf32> onto !tile.tile<100xf32>
  %v, %rest, %from = tile.pop %s, %count mask %mask : !tile.tile<100xf32> to !tile.tile<5xf32>
  tile.store %v, %y[%c0] : !tile.tile<5xf32>, memref<5xf32>
  %f = tile.fill %rest : !tile.tile<1xi32>
  tile.store %f, %z[%c0] : !tile.tile<1xi32>, memref<1xi32>
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_steps(
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[WAY:.*]] = arith.muli %[[I]], %c-2
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[WAY]] : index
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[PLACE]]]
tile.kernel @steps(%x: memref<8x64xf32>, %i: index, %j: index, %y: memref<20xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %v = tile.view %t[%i, %j] steps [1, -2] : !tile.tile<8x64xf32> to !tile.tile<20xf32>
  tile.store %v, %y[%c0] : !tile.tile<20xf32>, memref<20xf32>
  tile.return
}

// Elements that the mask excludes from a load are the pad.
// CHECK-LABEL: func.func @_tile_program_masks(
// CHECK: linalg.fill ins(%[[PAD:.*]] : f32) outs(%[[BUFFER:.*]] :
// CHECK: %[[HOLDS:.*]] = tensor.extract
// CHECK: scf.if %[[HOLDS]]
// CHECK: memref.load
// CHECK: memref.store %{{.*}}, %[[BUFFER]]
// CHECK: scf.if
// CHECK: memref.store
tile.kernel @masks(%x: memref<?xf32>, %y: memref<?xf32>, %m: memref<?xi1>, %i: index, %p: f32) {
  %c0 = arith.constant 0 : index
  %mask = tile.load %m[%c0] in_bounds : memref<?xi1> -> !tile.tile<9xi1>
  %t = tile.load %x[%i] mask %mask : !tile.tile<9xi1> pad %p : memref<?xf32> -> !tile.tile<9xf32>
  tile.store %t, %y[%i] mask %mask : !tile.tile<9xi1> in_bounds : !tile.tile<9xf32>, memref<?xf32>
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_ordered(
// CHECK: call @tile_cpu_begin_turn()
// CHECK: scf.for
// CHECK: call @tile_cpu_end_turn()
tile.kernel @ordered(%x: memref<8xf32>, %s: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  %old = tile.atomic_rmw add %t, %s[%c0] ordered : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}
