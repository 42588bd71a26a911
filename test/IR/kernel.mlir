// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The smallest kernel has no arguments and no operations but the return.
// CHECK-LABEL: tile.kernel @empty() {
// CHECK-NEXT:    tile.return
tile.kernel @empty() {
  tile.return
}

// Everything that the syntax has: arguments with attributes, block, grid.
// CHECK-LABEL: tile.kernel @block_and_grid(
// CHECK-SAME:    %{{.*}}: memref<?x?xf32, strided<[?, 1]>> {tile.alignment = 16 : i64}, %{{.*}}: i32)
// CHECK-SAME:    attributes {block = 128 : i64, grid = #tile.grid<#{{.*}} of {{\[}}[0, 0], [1]]>}
tile.kernel @block_and_grid(
    %a: memref<?x?xf32, strided<[?, 1]>> {tile.alignment = 16 : i64}, %n: i32)
    attributes {block = 128 : i64,
                grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 64, n)> of [[0, 0], [1]]>} {
  tile.return
}

// Every type that an argument may have.
// CHECK-LABEL: tile.kernel @argument_types(
// CHECK-SAME:    memref<4xi1>
// CHECK-SAME:    memref<?x4x?x2xcomplex<f64>, strided<[?, ?, 1, ?], offset: ?>>
// CHECK-SAME:    memref<8xf8E4M3FN, #gpu.address_space<global>>
// CHECK-SAME:    index
// CHECK-SAME:    complex<f32>
tile.kernel @argument_types(
    %a: memref<4xi1>,
    %b: memref<?x4x?x2xcomplex<f64>, strided<[?, ?, 1, ?], offset: ?>>,
    %c: memref<8xf8E4M3FN, #gpu.address_space<global>>, %d: f64, %e: f32,
    %f: f16, %g: bf16, %h: f8E5M2, %i: i1, %j: i8, %k: i16, %l: i64, %m: index,
    %n: complex<f32>) {
  tile.return
}

// A module with two kernels.
// CHECK-LABEL: tile.kernel @another
tile.kernel @another(%a: memref<4xf32>) attributes {block = 1024 : i64} {
  tile.return
}

// A block need not be whole warps.
// CHECK-LABEL: tile.kernel @one_thread() attributes {block = 1 : i64}
tile.kernel @one_thread() attributes {block = 1 : i64} {
  tile.return
}

// CHECK-LABEL: tile.kernel @seventeen_threads() attributes {block = 17 : i64}
tile.kernel @seventeen_threads() attributes {block = 17 : i64} {
  tile.return
}
