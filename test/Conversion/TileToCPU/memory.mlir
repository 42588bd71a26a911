// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// The loop runs over the part of the tile inside the array; the pad is written
// only if another part exists.
// CHECK-LABEL: func.func @_tile_program_load_clips(
// CHECK: %[[SIZE:.*]] = memref.dim %[[ARRAY:.*]], %{{.*}} : memref<?xf32>
// CHECK: %[[OFFSET:.*]] = arith.minsi %{{.*}}, %[[SIZE]]
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %[[OFFSET]]
// CHECK: %[[LOW:.*]] = arith.maxsi %[[BEFORE]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[OFFSET]]
// CHECK: %[[HIGH:.*]] = arith.minsi %[[LEFT]]
// CHECK: %[[PARTIAL:.*]] = arith.cmpi slt
// CHECK: %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK: scf.if %[[PARTIAL]]
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: linalg.fill ins(%[[ZERO]]
// CHECK: scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]]
// CHECK: memref.load %[[ARRAY]]
// CHECK: memref.store %{{.*}}, %[[BUFFER]][%[[I]]]
// CHECK: bufferization.to_tensor %[[BUFFER]] restrict writable
tile.kernel @load_clips(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) {
  %t = tile.load %a[%i] : memref<?xf32> -> !tile.tile<16xf32>
  tile.store %t, %b[%i] : !tile.tile<16xf32>, memref<?xf32>
  tile.return
}

// `in_bounds` removes the intersection and the fill.
// CHECK-LABEL: func.func @_tile_program_in_bounds(
// CHECK-NOT: memref.dim
// CHECK-NOT: scf.if
// CHECK: return
tile.kernel @in_bounds(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) {
  %t = tile.load %a[%i] in_bounds : memref<?xf32> -> !tile.tile<16xf32>
  tile.store %t, %b[%i] in_bounds : !tile.tile<16xf32>, memref<?xf32>
  tile.return
}

// The first dimensions of the array, which the tile lacks, are tested too.
// CHECK-LABEL: func.func @_tile_program_store_row(
// CHECK-COUNT-2: memref.dim
// CHECK-COUNT-2: scf.for
// CHECK: tensor.extract %{{.*}}[%{{.*}}] : tensor<8xf16>
// CHECK: memref.store
tile.kernel @store_row(%a: memref<?x?xf16>, %i: index) {
  %t = arith.constant dense<1.0> : !tile.tile<8xf16>
  tile.store %t, %a[%i, %i] : !tile.tile<8xf16>, memref<?x?xf16>
  tile.return
}

// Other blocks access the array concurrently, so the operation is atomic.
// CHECK-LABEL: func.func @_tile_program_atomic_accesses(
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} atomic acquire {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: llvm.fence acq_rel
// CHECK: scf.for
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 2 : i64} : i16, !llvm.ptr
tile.kernel @atomic_accesses(%a: memref<?xf16>, %b: memref<?xf16>, %i: index) {
  %t = tile.atomic_load %a[%i] : memref<?xf16> -> !tile.tile<9xf16>
  tile.fence
  tile.atomic_store %t, %b[%i] : !tile.tile<9xf16>, memref<?xf16>
  tile.return
}
