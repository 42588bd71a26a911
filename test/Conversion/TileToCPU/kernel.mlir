// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// Each argument becomes a pointer, its run-time sizes, its run-time strides;
// then come the block's index and the grid.
// CHECK-LABEL: func.func @_tile_program_parameters(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: f32, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i8,
// CHECK-SAME: %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64) {
// CHECK-NOT: tile.
// CHECK: return
tile.kernel @parameters(%a: memref<?x8xf32>, %s: f32, %n: index, %e: f8E5M2) {
  tile.return
}

// Identity layouts pass their run-time strides as well.
// CHECK-LABEL: func.func @_tile_program_strides(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64,
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64,
// CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<?x?xf16>
// CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<4x4xi8, strided<[?, ?], offset: ?>>
tile.kernel @strides(%a: memref<?x?xf16>, %b: memref<4x4xf8E4M3FN, strided<[?, ?], offset: ?>>) {
  tile.return
}

// The packed entry loads each parameter by its pointer; an i1 is a byte.
// CHECK-LABEL: func.func @_tile_entry_flag(
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: arith.trunci %{{.*}} : i8 to i1
// CHECK: call @_tile_program_flag(
tile.kernel @flag(%f: i1) {
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_place(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %[[GZ:[a-z0-9]+]]: i64)
// CHECK-DAG: arith.index_cast %[[Y]] : i64 to index
// CHECK-DAG: arith.index_cast %[[GZ]] : i64 to index
tile.kernel @place(%out: memref<?xindex>) {
  %y = tile.program_id y
  %z = tile.num_programs z
  %s = arith.addi %y, %z : index
  %t = tile.fill %s : !tile.tile<4xindex>
  tile.store %t, %out[%s] : !tile.tile<4xindex>, memref<?xindex>
  tile.return
}
