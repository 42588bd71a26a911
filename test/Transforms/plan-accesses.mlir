// RUN: tile-opt %s -tile-plan-accesses | FileCheck %s

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>
#rows = #tile.shared<(8,64):(64,1), swizzle = <3, 4, 3>, align = 1024>
#row4 = #tile.register<((16,2),1,(4,4)):((4,64),0,(1,128)), box = [8, 64]>
#lhs = #tile.shared<(16,16):(16,1)>
#rhs = #tile.shared<(16,8):(8,1)>
#lhs_in_registers = #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>
#acc = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>

// An access is as wide as the array's alignment permits. A load that may leave its array
// is tested once for the whole box; a store of single elements tests each element.
// CHECK-LABEL: @arrays
tile.kernel @arrays(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32>, %z: memref<128xf32> {tile.alignment = 8 : i64}, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 4, kind = vector, guard = box>}
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 1, kind = elements, guard = box>}
  %u = tile.load %x[%i] : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 2, kind = vector, guard = none>}
  %v = tile.load %z[%c0] : memref<128xf32> -> !tile.tile<128xf32, #v4>
  // CHECK: tile.store {{.*}} {tile.access = #tile.access<vector = 1, kind = elements, guard = element>}
  tile.store %t, %y[%c0] : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: tile.store {{.*}} in_bounds {tile.access = #tile.access<vector = 4, kind = vector, guard = none>}
  tile.store %t, %x[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  tile.return
}

// A divisor of all values of an offset that loops and branches carry divides the offset.
// CHECK-LABEL: @carried_offsets
tile.kernel @carried_offsets(%x: memref<?xf32> {tile.alignment = 16 : i64}, %n: index, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %q:2 = scf.for %t = %c0 to %n step %c1 iter_args(%u0 = %c0, %v0 = %c8) -> (index, index) {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (index, index) {
      // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 4, kind = vector, guard = box>}
      %a = tile.load %x[%u] : memref<?xf32> -> !tile.tile<128xf32, #v4>
      // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 2, kind = vector, guard = box>}
      %b = tile.load %x[%v] : memref<?xf32> -> !tile.tile<128xf32, #v4>
      %start = arith.muli %t, %c8 : index
      %next = arith.addi %u, %c8 : index
      %u2 = scf.if %c -> index {
        scf.yield %start : index
      } else {
        scf.yield %next : index
      }
      %v2 = arith.addi %v, %c2 : index
      scf.yield %u2, %v2 : index, index
    }
    scf.yield %r#0, %r#1 : index, index
  }
  // CHECK: tile.load {{.*}} {tile.access = #tile.access<vector = 4, kind = vector, guard = box>}
  %d = tile.load %x[%q#0] : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.return
}

// Copies are chunks of 16 bytes if rows are contiguous in the array and the buffer, with
// one test for the box; else they are single elements. `in_bounds` removes the test.
// CHECK-LABEL: @copies
tile.kernel @copies(%x: memref<?x64xf16> {tile.alignment = 16 : i64}, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x64xf16, #rows>
  %b = memref.alloc() {tile.shared_offset = 1024 : i64} : memref<7x64xf16, #rows>
  %c = memref.alloc() {tile.shared_offset = 2048 : i64} : memref<8x64xf16, #tile.shared<(8,64):(1,8)>>
  // CHECK: tile_gpu.copy_async {{.*}} {tile.access = #tile.access<vector = 8, kind = copy_async, guard = box>}
  tile_gpu.copy_async %x[%i, %c0] to %a : memref<?x64xf16> to memref<8x64xf16, #rows>
  // CHECK: tile_gpu.copy_async {{.*}} {tile.access = #tile.access<vector = 8, kind = copy_async, guard = none>}
  tile_gpu.copy_async %x[%i, %c0] to %b in_bounds : memref<?x64xf16> to memref<7x64xf16, #rows>
  // CHECK: tile_gpu.copy_async {{.*}} {tile.access = #tile.access<vector = 1, kind = elements, guard = none>}
  tile_gpu.copy_async %x[%i, %c0] to %c in_bounds : memref<?x64xf16> to memref<8x64xf16, #tile.shared<(8,64):(1,8)>>
  tile.return
}

// Chunks that cover the rows of a box go through the L1 cache if all programs copy the
// same boxes: at offsets that are constants, arguments or indices of loops, or computed
// from these, but not from a program's index or from values in memory.
// CHECK-LABEL: @cached_copies
tile.kernel @cached_copies(%x: memref<?x?xf16, strided<[?, 1]>>, %table: memref<?xindex>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %p = tile.program_id x
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x64xf16, #rows>
  // CHECK: tile_gpu.copy_async {{.*}}kind = copy_async, guard = box, cached = true>
  tile_gpu.copy_async %x[%i, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #rows>
  // CHECK: tile_gpu.copy_async {{.*}}kind = copy_async, guard = box>
  tile_gpu.copy_async %x[%p, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #rows>
  %loaded = memref.load %table[%c0] : memref<?xindex>
  // CHECK: tile_gpu.copy_async {{.*}}kind = copy_async, guard = box>
  tile_gpu.copy_async %x[%loaded, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #rows>
  scf.for %k = %c0 to %i step %c8 {
    %row = arith.addi %k, %i : index
    // CHECK: tile_gpu.copy_async {{.*}}kind = copy_async, guard = box, cached = true>
    tile_gpu.copy_async %x[%row, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #rows>
  }
  scf.for %k = %p to %i step %c8 {
    // CHECK: tile_gpu.copy_async {{.*}}kind = copy_async, guard = box>
    tile_gpu.copy_async %x[%k, %c0] to %a by(#tile_gpu.cover_rows) : memref<?x?xf16, strided<[?, 1]>> to memref<8x64xf16, #rows>
  }
  tile.return
}

// The width of accesses to a view divides the view's offset.
// CHECK-LABEL: @buffers
tile.kernel @buffers(%i: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x64xf32, #tile.shared<(8,64):(64,1)>>
  %b = memref.alloc() {tile.shared_offset = 2048 : i64} : memref<8x72xf32, #tile.shared<(8,72):(72,1)>>
  %view = memref.subview %b[0, 2] [8, 64] [1, 1] : memref<8x72xf32, #tile.shared<(8,72):(72,1)>> to memref<8x64xf32, strided<[72, 1], offset: 2>, #tile.shared<(8,72):(72,1)>>
  // CHECK: tile_gpu.load_shared {{.*}} {tile.access = #tile.access<vector = 4, kind = vector, guard = none>}
  %t = tile_gpu.load_shared %a : memref<8x64xf32, #tile.shared<(8,64):(64,1)>> -> !tile.tile<8x64xf32, #row4>
  // CHECK: tile_gpu.store_shared {{.*}} {tile.access = #tile.access<vector = 2, kind = vector, guard = none>}
  tile_gpu.store_shared %t, %view : !tile.tile<8x64xf32, #row4>, memref<8x64xf32, strided<[72, 1], offset: 2>, #tile.shared<(8,72):(72,1)>>
  tile.return
}

// Operands in buffers are read by ldmatrix; an operand in registers has no access.
// CHECK-LABEL: @products
tile.kernel @products(%v: f16, %d: memref<16x8xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {tile.shared_offset = 0 : i64} : memref<16x16xf16, #lhs>
  %y = memref.alloc() {tile.shared_offset = 512 : i64} : memref<16x8xf16, #rhs>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
  // CHECK: tile.matmul {{.*}} {tile.lhs_access = #tile.access<vector = 8, kind = matrix, guard = none>, tile.rhs_access = #tile.access<vector = 8, kind = matrix_transposed, guard = none>}
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : memref<16x16xf16, #lhs>, memref<16x8xf16, #rhs> -> !tile.tile<16x8xf32, #acc>
  %w = tile.fill %v : !tile.tile<16x16xf16, #lhs_in_registers>
  // CHECK: tile.matmul {{.*}} {tile.rhs_access = #tile.access<vector = 8, kind = matrix_transposed, guard = none>}
  %s = tile.matmul %w, %y, %r tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16, #lhs_in_registers>, memref<16x8xf16, #rhs> -> !tile.tile<16x8xf32, #acc>
  // CHECK: tile_gpu.load_shared {{.*}} {tile.access = #tile.access<vector = 8, kind = matrix, guard = none>}
  %t = tile_gpu.load_shared %x : memref<16x16xf16, #lhs> -> !tile.tile<16x16xf16, #lhs_in_registers>
  tile.store %s, %d[%c0, %c0] in_bounds : !tile.tile<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// Fragments of a tile with padding are read by ldmatrix if copies fill the padding; if
// nothing writes to it, they are read element by element.
#fragments = #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>
#padded = #tile.shared<(8,4):(4,1), align = 16>
// CHECK-LABEL: tile.kernel @padded_fragments
tile.kernel @padded_fragments(%x: memref<?x4xf32> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<7x3xf32, #padded>
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x4xf32> to memref<7x3xf32, #padded>
  // CHECK: tile_gpu.load_shared {{.*}}kind = matrix
  %u = tile_gpu.load_shared %a : memref<7x3xf32, #padded> -> !tile.tile<7x3xf32, #fragments>
  %b = memref.alloc() {tile.shared_offset = 128 : i64} : memref<7x3xf32, #padded>
  tile_gpu.store_shared %u, %b : !tile.tile<7x3xf32, #fragments>, memref<7x3xf32, #padded>
  // CHECK: tile_gpu.load_shared {{.*}}kind = elements
  %v = tile_gpu.load_shared %b : memref<7x3xf32, #padded> -> !tile.tile<7x3xf32, #fragments>
  tile.return
}
