// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[1, 0]]>

tile.kernel @stated(%s: f32, %a: memref<?xf32>) attributes {grid = #grid} {
  tile.return
}

tile.kernel @asked(%a: memref<8x?xf16, strided<[?, 1], offset: ?>>) {
  tile.return
}

tile.kernel @plain() attributes {grid = #tile.grid<affine_map<() -> (1)> of []>} {
  tile.return
}

// An argument that a phase adds is not an operand of the launch.
tile.kernel @with_workspace(%a: memref<?xf32>, %w: memref<4xi32> {tile.workspace}) {
  tile.return
}

// CHECK-LABEL: func.func @every_form
func.func @every_form(%s: f32, %a: memref<?xf32>,
                      %b: memref<8x?xf16, strided<[?, 1], offset: ?>>,
                      %n: index) {
  // CHECK: tile.launch @stated(%{{.*}}, %{{.*}}) : f32, memref<?xf32>
  tile.launch @stated(%s, %a) : f32, memref<?xf32>
  // CHECK: tile.launch @stated grid(%{{.*}}, %{{.*}}, %{{.*}})(%{{.*}}, %{{.*}}) {note = 1 : i64} : f32, memref<?xf32>
  tile.launch @stated grid(%n, %n, %n) (%s, %a) {note = 1} : f32, memref<?xf32>
  // CHECK: tile.launch @asked grid(%{{.*}})(%{{.*}}) : memref<8x?xf16, strided<[?, 1], offset: ?>>
  tile.launch @asked grid(%n) (%b) : memref<8x?xf16, strided<[?, 1], offset: ?>>
  // CHECK: tile.launch @plain(){{$}}
  tile.launch @plain()
  // CHECK: tile.launch @with_workspace grid(%{{.*}})(%{{.*}}) : memref<?xf32>
  tile.launch @with_workspace grid(%n) (%a) : memref<?xf32>
  // CHECK: scf.for
  scf.for %i = %n to %n step %n {
    // CHECK: tile.launch @plain()
    tile.launch @plain()
  }
  return
}
