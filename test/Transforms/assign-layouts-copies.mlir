// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts | FileCheck %s

// A tile of many registers that passes through shared memory to another layout is copied
// there. Copies fill in zeros, so that the pad value follows them.
// CHECK-LABEL: tile.kernel @factor(
// CHECK:         %[[A:.*]] = tile.load %arg0{{[^#]*}} -> !tile.tile<63x63xf32, #tile.shared<
// CHECK:         %[[B:.*]] = tile.load %arg1{{[^#]*}} -> !tile.tile<63x63xf32, #tile.shared<
// CHECK-NOT:     pad
// CHECK:         %[[C:.*]] = tile.convert_layout %[[A]]
// CHECK:         %[[P:.*]] = scf.if %{{.*}} -> (!tile.tile<63x63xf32
// CHECK:           scf.yield %[[C]]
// CHECK:           %[[ROWS:.*]] = tile.iota axis 0
// CHECK:           %[[ROW:.*]] = arith.cmpi slt, %[[ROWS]], %{{.*}} :
// CHECK:           %[[COLUMNS:.*]] = tile.iota axis 1
// CHECK:           %[[COLUMN:.*]] = arith.cmpi slt, %[[COLUMNS]], %{{.*}} :
// CHECK:           %[[IN_ROW:.*]] = arith.andi %{{.*}}, %[[COLUMN]]
// CHECK:           %[[INSIDE:.*]] = arith.andi %{{.*}}, %[[IN_ROW]]
// CHECK:           %[[SELECTED:.*]] = tile.select %[[INSIDE]], %[[C]], %{{.*}} :
// CHECK:           scf.yield %[[SELECTED]]
// CHECK:         %[[D:.*]] = tile.convert_layout %[[B]]
// CHECK:         tile.cholesky_derivative %[[P]], %[[D]] transposed
tile.kernel @factor(%l: memref<?x?x?xf32>, %g: memref<?x?x?xf32>, %o: memref<?x?x?xf32>) {
  %i = tile.program_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = tile.load %l[%i, %c0, %c0] pad %one : memref<?x?x?xf32> -> !tile.tile<63x63xf32>
  %b = tile.load %g[%i, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<63x63xf32>
  %r = tile.cholesky_derivative %a, %b transposed : !tile.tile<63x63xf32>
  tile.store %r, %o[%i, %c0, %c0] : !tile.tile<63x63xf32>, memref<?x?x?xf32>
  tile.return
}

// Loads of few registers stay loads to registers, and so do those of elements that copies
// cannot move.
// CHECK-LABEL: tile.kernel @small(
// CHECK:         tile.load %arg0{{[^#]*}} -> !tile.tile<31x31xf32, #tile.register<
tile.kernel @small(%l: memref<?x?x?xf32>, %o: memref<?x?x?xf32>) {
  %i = tile.program_id x
  %c0 = arith.constant 0 : index
  %a = tile.load %l[%i, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<31x31xf32>
  %r = tile.cholesky %a : !tile.tile<31x31xf32>
  tile.store %r, %o[%i, %c0, %c0] : !tile.tile<31x31xf32>, memref<?x?x?xf32>
  tile.return
}

// A layout that the program declares is kept.
// CHECK-LABEL: tile.kernel @declared(
// CHECK:         tile.load %arg0{{[^#]*}} -> !tile.tile<63x63xf32, #tile.register<(32,1,(2,63)):(1,0,(32,64))
tile.kernel @declared(%l: memref<?x?x?xf32>, %o: memref<?x?x?xf32>) {
  %i = tile.program_id x
  %c0 = arith.constant 0 : index
  %a = tile.load %l[%i, %c0, %c0] : memref<?x?x?xf32> -> !tile.tile<63x63xf32, #tile.register<(32,1,(2,63)):(1,0,(32,64)), box = [63, 64]>>
  %c = tile.convert_layout %a : !tile.tile<63x63xf32, #tile.register<(32,1,(2,63)):(1,0,(32,64)), box = [63, 64]>> to !tile.tile<63x63xf32, #tile.register>
  %r = tile.cholesky %c : !tile.tile<63x63xf32, #tile.register>
  tile.store %r, %o[%i, %c0, %c0] : !tile.tile<63x63xf32, #tile.register>, memref<?x?x?xf32>
  tile.return
}
