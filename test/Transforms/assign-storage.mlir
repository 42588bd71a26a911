// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-assign-storage))' -split-input-file | FileCheck %s

// Operands that only a matmul reads are loaded into shared memory; the
// accumulator stays in registers, through the loop.
// CHECK-LABEL: tile.kernel @puts_operands_into_shared_memory
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<64x64xf32, #tile.register>
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (!tile.tile<64x64xf32, #tile.register>)
// CHECK:           %[[LHS:.*]] = tile.load {{.*}} -> !tile.tile<64x32xf16, #tile.shared>
// CHECK:           %[[RHS:.*]] = tile.load {{.*}} -> !tile.tile<32x64xf16, #tile.shared>
// CHECK-NEXT:      %[[SUM:.*]] = tile.matmul %[[LHS]], %[[RHS]], %[[ACC]] : {{.*}} -> !tile.tile<64x64xf32, #tile.register>
// CHECK-NEXT:      scf.yield %[[SUM]]
tile.kernel @puts_operands_into_shared_memory(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %x = tile.load %a[%c0, %i] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %y = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
    %d = tile.matmul %x, %y, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %r, %c[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A transpose between the load and the matmul is a view of the same bytes.
// CHECK-LABEL: tile.kernel @transposes_in_shared_memory
// CHECK:         %[[TILE:.*]] = tile.load {{.*}} -> !tile.tile<16x32xf16, #tile.shared>
// CHECK-NEXT:    %[[TURNED:.*]] = tile.transpose %[[TILE]] [1, 0] : {{.*}} to !tile.tile<32x16xf16, #tile.shared>
// CHECK-NEXT:    tile.matmul %[[TILE]], %[[TURNED]]
tile.kernel @transposes_in_shared_memory(%a: memref<?x?xf16>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %x = tile.load %a[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x32xf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<16x32xf16> to !tile.tile<32x16xf16>
  %d = tile.matmul %x, %y, %zero : !tile.tile<16x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<16x16xf32>
  tile.store %d, %c[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  tile.return
}

// -----

// An operand that is not loaded is computed in registers and then stored.
// CHECK-LABEL: tile.kernel @converts_computed_operands
// CHECK:         %[[TILE:.*]] = tile.load {{.*}} -> !tile.tile<32x32xf32, #tile.register>
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[TILE]], %[[TILE]] : !tile.tile<32x32xf32, #tile.register>
// CHECK-DAG:     %[[LHS:.*]] = tile.convert_layout %[[TILE]] : {{.*}} to !tile.tile<32x32xf32, #tile.shared>
// CHECK-DAG:     %[[RHS:.*]] = tile.convert_layout %[[SUM]] : {{.*}} to !tile.tile<32x32xf32, #tile.shared>
// CHECK:         tile.matmul %[[LHS]], %[[RHS]]
tile.kernel @converts_computed_operands(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %x = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32>
  %y = arith.addf %x, %x : !tile.tile<32x32xf32>
  %d = tile.matmul %x, %y, %zero : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<32x32xf32>
  tile.store %d, %c[%c0, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A box at a run-time offset is an alias of the tile in shared memory. Operations that
// compute with the box read it into registers.
// CHECK-LABEL: tile.kernel @views_shared_memory
// CHECK:         %[[TILE:.*]] = tile.load {{.*}} -> !tile.tile<32x32xf32, #tile.shared>
// CHECK-NEXT:    %[[VIEW:.*]] = tile.view %[[TILE]]{{.*}} to !tile.tile<8x8xf32, #tile.shared>
// CHECK-NEXT:    %[[READ:.*]] = tile.convert_layout %[[VIEW]] : {{.*}} to !tile.tile<8x8xf32, #tile.register>
// CHECK-NEXT:    math.exp %[[READ]] : !tile.tile<8x8xf32, #tile.register>
tile.kernel @views_shared_memory(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32>
  %v = tile.view %x[%i, %i] : !tile.tile<32x32xf32> to !tile.tile<8x8xf32>
  %w = math.exp %v : !tile.tile<8x8xf32>
  tile.store %w, %c[%c0, %c0] : !tile.tile<8x8xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Parts at constant offsets stay in registers with the tile if a part consists of the
// same value indices in every thread.
// CHECK-LABEL: tile.kernel @parts_in_registers
// CHECK-NOT:     #tile.shared
// CHECK:         tile.return
tile.kernel @parts_in_registers(%a: memref<64x128xf32>, %c: memref<64x64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load %a[%c0, %c0] : memref<64x128xf32> -> !tile.tile<64x128xf32>
  %v = tile.view %x[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %w = tile.view %x[%c0, %c64] : !tile.tile<64x128xf32> to !tile.tile<64x64xf32>
  %s = arith.addf %v, %w : !tile.tile<64x64xf32>
  tile.store %s, %c[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// A part that starts within a lane's vector is an alias in shared memory, like a box at
// a run-time offset. All other parts of this tile then are aliases, too.
// CHECK-LABEL: tile.kernel @parts_of_lanes
// CHECK:         tile.load {{.*}} -> !tile.tile<64x128xf32, #tile.shared>
// CHECK:         tile.view {{.*}} to !tile.tile<64x125xf32, #tile.shared>
// CHECK:         tile.view {{.*}} to !tile.tile<64x125xf32, #tile.shared>
tile.kernel @parts_of_lanes(%a: memref<64x128xf32>, %c: memref<64x125xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = tile.load %a[%c0, %c0] : memref<64x128xf32> -> !tile.tile<64x128xf32>
  %v = tile.view %x[%c0, %c0] : !tile.tile<64x128xf32> to !tile.tile<64x125xf32>
  %w = tile.view %x[%c0, %c3] : !tile.tile<64x128xf32> to !tile.tile<64x125xf32>
  %s = arith.addf %v, %w : !tile.tile<64x125xf32>
  tile.store %s, %c[%c0, %c0] : !tile.tile<64x125xf32>, memref<64x125xf32>
  tile.return
}

// -----

// A part that is an operand of a matmul brings the tile, with all its parts, to
// shared memory.
// CHECK-LABEL: tile.kernel @part_for_a_product
// CHECK:         tile.load {{.*}} -> !tile.tile<64x32xf16, #tile.shared>
// CHECK:         tile.view {{.*}} to !tile.tile<32x32xf16, #tile.shared>
// CHECK:         tile.view {{.*}} to !tile.tile<32x32xf16, #tile.shared>
tile.kernel @part_for_a_product(%a: memref<64x32xf16>, %c: memref<32x32xf32>, %d: memref<32x32xf16>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %x = tile.load %a[%c0, %c0] : memref<64x32xf16> -> !tile.tile<64x32xf16>
  %v = tile.view %x[%c0, %c0] : !tile.tile<64x32xf16> to !tile.tile<32x32xf16>
  %w = tile.view %x[%c32, %c0] : !tile.tile<64x32xf16> to !tile.tile<32x32xf16>
  %p = tile.matmul %v, %v, %zero : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
  %e = arith.negf %w : !tile.tile<32x32xf16>
  tile.store %p, %c[%c0, %c0] : !tile.tile<32x32xf32>, memref<32x32xf32>
  tile.store %e, %d[%c0, %c0] : !tile.tile<32x32xf16>, memref<32x32xf16>
  tile.return
}

// -----

// A tile that a loop can copy ahead of its matmul is in shared memory.
// CHECK-LABEL: tile.kernel @parts_beside_a_product
// CHECK:         scf.for
// CHECK:         tile.load {{.*}} -> !tile.tile<32x128xf16, #tile.shared>
tile.kernel @parts_beside_a_product(%a: memref<32x128xf16>, %c: memref<32x64xf32>, %n: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!tile.tile<32x64xf32>) {
    %x = tile.load %a[%c0, %i] : memref<32x128xf16> -> !tile.tile<32x128xf16>
    %v = tile.view %x[%c0, %c0] : !tile.tile<32x128xf16> to !tile.tile<32x64xf16>
    %w = tile.view %x[%c0, %c64] : !tile.tile<32x128xf16> to !tile.tile<32x64xf16>
    %p = arith.addf %v, %w : !tile.tile<32x64xf16>
    %t = tile.transpose %p [1, 0] : !tile.tile<32x64xf16> to !tile.tile<64x32xf16>
    %none = arith.constant dense<0.0> : !tile.tile<32x32xf32>
    %u = tile.matmul %p, %t, %none : !tile.tile<32x64xf16>, !tile.tile<64x32xf16> -> !tile.tile<32x32xf32>
    %j = tile.join %u, %u axis 1 : !tile.tile<32x32xf32>, !tile.tile<32x32xf32> to !tile.tile<32x64xf32>
    %r = arith.addf %s, %j : !tile.tile<32x64xf32>
    scf.yield %r : !tile.tile<32x64xf32>
  }
  tile.store %sum, %c[%c0, %c0] : !tile.tile<32x64xf32>, memref<32x64xf32>
  tile.return
}

// -----

// An alias is in shared memory even if it is declared to be in registers; a conversion
// reads it into registers.
// CHECK-LABEL: tile.kernel @view_declared_in_registers
// CHECK:         %[[VIEW:.*]] = tile.view %{{.*}} : !tile.tile<16xi32, #tile.shared> to !tile.tile<4xi32, #tile.shared>
// CHECK-NEXT:    %[[READ:.*]] = tile.convert_layout %[[VIEW]] : {{.*}} to !tile.tile<4xi32, #tile.register>
// CHECK-NEXT:    arith.muli %[[READ]], %[[READ]] : !tile.tile<4xi32, #tile.register>
tile.kernel @view_declared_in_registers(%a: memref<16xi32>, %c: memref<4xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<16xi32> -> !tile.tile<16xi32, #tile.register>
  %v = tile.view %x[%i] : !tile.tile<16xi32, #tile.register> to !tile.tile<4xi32, #tile.register>
  %w = arith.muli %v, %v : !tile.tile<4xi32, #tile.register>
  tile.store %w, %c[%c0] : !tile.tile<4xi32, #tile.register>, memref<4xi32>
  tile.return
}

// -----

// Elementwise work, reductions and rearrangements stay in registers.
// CHECK-LABEL: tile.kernel @keeps_the_rest_in_registers
// CHECK-NOT:     #tile.shared
// CHECK-NOT:     tile.convert_layout
// CHECK:         tile.return
tile.kernel @keeps_the_rest_in_registers(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x4xf32>
  %s = tile.reduce add %x axis 1 : !tile.tile<8x4xf32> to !tile.tile<8xf32>
  %r = tile.reshape %s : !tile.tile<8xf32> to !tile.tile<8x1xf32>
  %b = tile.broadcast %r : !tile.tile<8x1xf32> to !tile.tile<8x4xf32>
  %y = scf.if %p -> !tile.tile<8x4xf32> {
    %z = arith.divf %x, %b : !tile.tile<8x4xf32>
    scf.yield %z : !tile.tile<8x4xf32>
  } else {
    scf.yield %x : !tile.tile<8x4xf32>
  }
  %t = tile.transpose %y [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xf32>
  tile.store %t, %c[%c0, %c0] : !tile.tile<4x8xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Storage that the program declares is kept. If the defining operation cannot produce
// it, a conversion is inserted.
// CHECK-LABEL: tile.kernel @keeps_declared_storage
// CHECK:         %[[LOADED:.*]] = tile.load {{.*}} -> !tile.tile<32xf32, #tile.shared>
// CHECK:         %[[READ:.*]] = tile.convert_layout %[[LOADED]] : {{.*}} to !tile.tile<32xf32, #tile.register>
// CHECK:         tile.store %[[READ]]
// CHECK:         %[[FILLED:.*]] = tile.fill %{{.*}} : !tile.tile<32xf32, #tile.register>
// CHECK-NEXT:    tile.convert_layout %[[FILLED]] : {{.*}} to !tile.tile<32xf32, #tile.shared>
tile.kernel @keeps_declared_storage(%a: memref<?xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<32xf32, #tile.shared>
  tile.store %x, %a[%c0] : !tile.tile<32xf32, #tile.shared>, memref<?xf32>
  %f = tile.fill %s : !tile.tile<32xf32, #tile.shared>
  tile.store %f, %a[%c0] : !tile.tile<32xf32, #tile.shared>, memref<?xf32>
  tile.return
}

// -----

// A declared layout is kept too.
// CHECK-LABEL: tile.kernel @keeps_declared_layouts
// CHECK:         tile.load {{.*}} -> !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
// CHECK-NEXT:    arith.addf {{.*}} : !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
// CHECK-NEXT:    tile.store
tile.kernel @keeps_declared_layouts(%c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %c[%c0] : memref<?xf32> -> !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
  %y = arith.addf %x, %x : !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
  tile.store %y, %c[%c0] : !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>, memref<?xf32>
  tile.return
}

// -----

// Values that enter or leave a region are in registers, even if the program declares
// another storage.
// CHECK-LABEL: tile.kernel @carries_registers
// CHECK:         %[[INIT:.*]] = tile.convert_layout %{{.*}} : {{.*}} to !tile.tile<4xf32, #tile.register>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]]) -> (!tile.tile<4xf32, #tile.register>)
// CHECK:           scf.yield %{{.*}} : !tile.tile<4xf32, #tile.register>
tile.kernel @carries_registers(%c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %c[%c0] : memref<?xf32> -> !tile.tile<4xf32, #tile.shared>
  %r = scf.for %i = %c0 to %n step %n iter_args(%a = %x) -> !tile.tile<4xf32, #tile.shared> {
    scf.yield %a : !tile.tile<4xf32, #tile.shared>
  }
  tile.store %r, %c[%c0] : !tile.tile<4xf32, #tile.shared>, memref<?xf32>
  tile.return
}

// -----

// A constant keeps its elements when its type changes.
// CHECK-LABEL: tile.kernel @retypes_constants
// CHECK:         arith.constant dense<[true, false, true]> : !tile.tile<3xi1, #tile.register>
// CHECK:         arith.constant dense<true> : !tile.tile<9xi1, #tile.register>
// CHECK:         arith.constant dense<(1.000000e+00,2.000000e+00)> : !tile.tile<4xcomplex<f32>, #tile.register>
tile.kernel @retypes_constants(%c: memref<?xi1>, %d: memref<?xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<[true, false, true]> : !tile.tile<3xi1>
  tile.store %x, %c[%c0] : !tile.tile<3xi1>, memref<?xi1>
  %y = arith.constant dense<true> : !tile.tile<9xi1>
  tile.store %y, %c[%c0] : !tile.tile<9xi1>, memref<?xi1>
  %z = arith.constant dense<(1.0, 2.0)> : !tile.tile<4xcomplex<f32>>
  tile.store %z, %d[%c0] : !tile.tile<4xcomplex<f32>>, memref<?xcomplex<f32>>
  tile.return
}

// -----

// Source and result of a transpose have the same storage.
// CHECK-LABEL: tile.kernel @converts_before_transposing
// CHECK:         %[[SHARED:.*]] = tile.load {{.*}} -> !tile.tile<8x4xf32, #tile.shared>
// CHECK-NEXT:    %[[READ:.*]] = tile.convert_layout %[[SHARED]] : {{.*}} to !tile.tile<8x4xf32, #tile.register>
// CHECK-NEXT:    tile.transpose %[[READ]] [1, 0] : {{.*}} to !tile.tile<4x8xf32, #tile.register>
tile.kernel @converts_before_transposing(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x4xf32, #tile.shared>
  %y = tile.transpose %x [1, 0] : !tile.tile<8x4xf32, #tile.shared> to !tile.tile<4x8xf32, #tile.register>
  tile.store %y, %a[%c0, %c0] : !tile.tile<4x8xf32, #tile.register>, memref<?x?xf32>
  tile.return
}

// -----

// The report lists each tile with its storage, the reason and its line.
// CHECK:      #storages = [
// CHECK-SAME:    {file = "{{[^"]*}}assign-storage.mlir", line = {{[0-9]+}} : i64, operation = "tile.load", reason = "read by matrix products, views or indices only", storage = "shared", type = !tile.tile<8x8xf32>}
// CHECK-SAME:    operation = "tile.view", reason = "alias of a tile in shared memory", storage = "shared", type = !tile.tile<4x4xf32>}
// CHECK-SAME:    operation = "tile.convert_layout", reason = "declared", storage = "register", type = !tile.tile<4x4xf32>}
// CHECK-SAME:    operation = "scf.if", reason = "carried across a region's border", storage = "register", type = !tile.tile<8x8xf32>}
// CHECK-SAME:    operation = "arith.negf", reason = "default", storage = "register", type = !tile.tile<8x8xf32>}
// CHECK-LABEL: tile.kernel @lists_reasons
// CHECK-SAME:    tile.storage = #storages
tile.kernel @lists_reasons(%a: memref<?x?xf32>, %i: index, %p: i1) {
  %x = tile.load %a[%i, %i] : memref<?x?xf32> -> !tile.tile<8x8xf32>
  %v = tile.view %x[%i, %i] : !tile.tile<8x8xf32> to !tile.tile<4x4xf32>
  %y = tile.convert_layout %v : !tile.tile<4x4xf32> to !tile.tile<4x4xf32, #tile.register>
  tile.store %y, %a[%i, %i] : !tile.tile<4x4xf32, #tile.register>, memref<?x?xf32>
  %z = tile.load %a[%i, %i] : memref<?x?xf32> -> !tile.tile<8x8xf32>
  %w = scf.if %p -> !tile.tile<8x8xf32> {
    %n = arith.negf %z : !tile.tile<8x8xf32>
    scf.yield %n : !tile.tile<8x8xf32>
  } else {
    scf.yield %z : !tile.tile<8x8xf32>
  }
  tile.store %w, %a[%i, %i] : !tile.tile<8x8xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Operands that are computed from loaded tiles, and that only matmuls by matrix
// instructions use, stay in registers. Their loads, through transposes, go to shared
// memory, and so does a scale that each iteration loads.
// CHECK-LABEL: tile.kernel @computes_operands_in_registers
// CHECK:         %[[BYTES:.*]] = tile.load {{.*}} -> !tile.tile<16x32xi8, #tile.shared>
// CHECK-NEXT:    %[[TURNED:.*]] = tile.transpose %[[BYTES]] {{.*}} to !tile.tile<32x16xi8, #tile.shared>
// CHECK-NEXT:    %[[SCALE:.*]] = tile.load {{.*}} -> !tile.tile<32x1xf16, #tile.shared>
// CHECK:         %[[READ:.*]] = tile.convert_layout %[[TURNED]] : {{.*}} to !tile.tile<32x16xi8, #tile.register>
// CHECK-NEXT:    %[[WIDE:.*]] = tile.cast %[[READ]] : {{.*}} to !tile.tile<32x16xf16, #tile.register>
// CHECK-NEXT:    %[[FACTOR:.*]] = tile.convert_layout %[[SCALE]]
// CHECK-NEXT:    %[[FACTORS:.*]] = tile.broadcast %[[FACTOR]]
// CHECK-NEXT:    %[[RHS:.*]] = arith.mulf %[[WIDE]], %[[FACTORS]]
// CHECK-NEXT:    tile.matmul %{{.*}}, %[[RHS]], %{{.*}} : !tile.tile<16x32xf16, #tile.shared>, !tile.tile<32x16xf16, #tile.register>
tile.kernel @computes_operands_in_registers(%a: memref<?x?xf16>, %b: memref<?x?xi8>, %s: memref<?x?xf16>, %c: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<16x16xf32> {
    %x = tile.load %a[%c0, %i] : memref<?x?xf16> -> !tile.tile<16x32xf16>
    %y = tile.load %b[%c0, %i] : memref<?x?xi8> -> !tile.tile<16x32xi8>
    %t = tile.transpose %y [1, 0] : !tile.tile<16x32xi8> to !tile.tile<32x16xi8>
    %k = tile.load %s[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x1xf16>
    %w = tile.cast %t : !tile.tile<32x16xi8> to !tile.tile<32x16xf16>
    %f = tile.broadcast %k : !tile.tile<32x1xf16> to !tile.tile<32x16xf16>
    %q = arith.mulf %w, %f : !tile.tile<32x16xf16>
    %d = tile.matmul %x, %q, %acc : !tile.tile<16x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<16x16xf32>
    scf.yield %d : !tile.tile<16x16xf32>
  }
  tile.store %r, %c[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  tile.return
}

// -----

// Operands are copied if another operation reads them, if they are not computed
// elementwise from loaded tiles, or if they are computed outside the matmul's loop.
// CHECK-LABEL: tile.kernel @copies_other_operands
// CHECK-COUNT-2: tile.load {{.*}}, #tile.register>
// CHECK:         tile.matmul {{.*}} : !tile.tile<16x16xf16, #tile.shared>, !tile.tile<16x16xf16, #tile.shared>
// CHECK:         scf.for
// CHECK:         tile.matmul {{.*}} : !tile.tile<16x16xf16, #tile.shared>, !tile.tile<16x16xf16, #tile.shared>
tile.kernel @copies_other_operands(%a: memref<?x?xf16>, %c: memref<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf16>
  %x = tile.load %a[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %a[%n, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16>
  %p = math.exp %x : !tile.tile<16x16xf16>
  %q = math.exp %y : !tile.tile<16x16xf16>
  tile.store %p, %c[%n, %n] : !tile.tile<16x16xf16>, memref<?x?xf16>
  %s = tile.matmul %p, %q, %zero : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf16>
  %e = math.exp %s : !tile.tile<16x16xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> !tile.tile<16x16xf16> {
    %d = tile.matmul %e, %q, %acc : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf16>
    scf.yield %d : !tile.tile<16x16xf16>
  }
  tile.store %r, %c[%c0, %c0] : !tile.tile<16x16xf16>, memref<?x?xf16>
  tile.return
}

// Operands whose elements each thread loads for itself need no shared memory. A cast
// between load and matmul changes nothing, and a declared storage is kept.
// CHECK-LABEL: tile.kernel @operands_in_global_memory(
tile.kernel @operands_in_global_memory(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<32x8xf16, #tile.register>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x8xf16>
  // CHECK: %[[B:.*]] = tile.load {{.*}} -> !tile.tile<8x32xf32, #tile.shared>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x32xf32, #tile.shared>
  %w = tile.cast %a : !tile.tile<32x8xf16> to !tile.tile<32x8xf32>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32>
  // CHECK: %[[HELD:.*]] = tile.convert_layout %[[B]] : {{.*}} to !tile.tile<8x32xf32, #tile.register>
  // CHECK: tile.matmul %{{.*}}, %[[HELD]], %{{.*}} : !tile.tile<32x8xf32, #tile.register>, !tile.tile<8x32xf32, #tile.register>
  %r = tile.matmul %w, %b, %c tiling <operands = global> : !tile.tile<32x8xf32>, !tile.tile<8x32xf32, #tile.shared> -> !tile.tile<32x32xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
  tile.return
}

// A print does not change the storage of a tile and causes no conversion: only the
// matmul determines the storage of a load. An assertion tests registers.
// CHECK-LABEL: tile.kernel @printed(
tile.kernel @printed(%x: memref<?x?xf16>, %y: memref<?x?xf32>, %m: memref<?x?xi1>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile.tile<16x16xf16, #tile.shared>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16>
  // CHECK-NEXT: %[[C:.*]] = tile.load {{.*}} -> !tile.tile<16x16xf32, #tile.register>
  %c = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x16xf32>
  // CHECK-NEXT: tile.print "operand", %[[A]]
  tile.print "operand", %a : !tile.tile<16x16xf16>
  // CHECK-NEXT: tile.print "accumulator", %[[C]]
  tile.print "accumulator", %c : !tile.tile<16x16xf32>
  %r = tile.matmul %a, %a, %c : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  // CHECK: %[[HOLDS:.*]] = tile.load {{.*}} -> !tile.tile<16x16xi1, #tile.shared>
  %holds = tile.load %m[%c0, %c0] : memref<?x?xi1> -> !tile.tile<16x16xi1, #tile.shared>
  // CHECK-NEXT: %[[HELD:.*]] = tile.convert_layout %[[HOLDS]] : {{.*}} to !tile.tile<16x16xi1, #tile.register>
  // CHECK-NEXT: tile.assert %[[HELD]]
  tile.assert %holds, "expected it" : !tile.tile<16x16xi1, #tile.shared>
  // CHECK-NEXT: %[[ONLY:.*]] = tile.load {{.*}} -> !tile.tile<8x8xf16, #tile.register>
  %only = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<8x8xf16>
  // CHECK-NEXT: tile.print "only", %[[ONLY]]
  tile.print "only", %only : !tile.tile<8x8xf16>
  tile.store %r, %y[%c0, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  tile.return
}
