// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.shared<(8,8):(8,1)>
#lanes = #tile.register<((4,8),1,2):((2,8),0,1), box = [8, 8]>

// A copy has 16 bytes where array and buffer are aligned. If several threads have the
// same elements, one of them copies.
// CHECK-LABEL: @copies_16_bytes
tile.kernel @copies_16_bytes(%x: memref<8x8xf16> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x8xf16, #rows>
  // CHECK: %[[IS_OWNER:.*]] = arith.cmpi eq
  // CHECK: scf.if %[[IS_OWNER]] {
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  tile_gpu.copy_async %x[%c0, %c0] to %a in_bounds : memref<8x8xf16> to memref<8x8xf16, #rows>
  // CHECK: tile.return
  tile.return
}

// Vectors narrower than cp.async supports are copied by elements, through registers.
// CHECK-LABEL: @copies_pairs_of_bytes_one_by_one
tile.kernel @copies_pairs_of_bytes_one_by_one(%x: memref<8x16xi8> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x6xi8, #tile.shared<(8,6):(6,1)>>
  // CHECK-NOT: cp.async.shared.global
  // CHECK-COUNT-2: memref.load
  tile_gpu.copy_async %x[%c0, %c0] to %a in_bounds : memref<8x16xi8> to memref<8x6xi8, #tile.shared<(8,6):(6,1)>>
  // CHECK: tile.return
  tile.return
}

// cp.async copies elements of real types of whole bytes, and no complex elements.
// CHECK-LABEL: @copies_complex_elements
tile.kernel @copies_complex_elements(%x: memref<8x8xcomplex<f32>> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x8xcomplex<f32>, #rows>
  // CHECK-NOT: cp.async.shared.global
  // CHECK-COUNT-2: memref.load
  tile_gpu.copy_async %x[%c0, %c0] to %a in_bounds : memref<8x8xcomplex<f32>> to memref<8x8xcomplex<f32>, #rows>
  // CHECK: tile.return
  tile.return
}

// A view at any column is read element by element, a view at even columns by
// pairs.
// CHECK-LABEL: @view_offsets_align_reads
tile.kernel @view_offsets_align_reads(%i: index) attributes {block = 32 : i64} {
  %c2 = arith.constant 2 : index
  %even = arith.muli %i, %c2 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x16xf16, #tile.shared<(8,16):(16,1)>>
  %v = memref.subview %a[0, %i] [8, 8] [1, 1] : memref<8x16xf16, #tile.shared<(8,16):(16,1)>> to memref<8x8xf16, strided<[16, 1], offset: ?>, #tile.shared<(8,16):(16,1)>>
  %w = memref.subview %a[0, %even] [8, 8] [1, 1] : memref<8x16xf16, #tile.shared<(8,16):(16,1)>> to memref<8x8xf16, strided<[16, 1], offset: ?>, #tile.shared<(8,16):(16,1)>>
  // CHECK-COUNT-2: memref.load
  %t = tile_gpu.load_shared %v : memref<8x8xf16, strided<[16, 1], offset: ?>, #tile.shared<(8,16):(16,1)>> -> !tile.tile<8x8xf16, #lanes>
  // CHECK: vector.load {{.*}} vector<2xf16>
  %u = tile_gpu.load_shared %w : memref<8x8xf16, strided<[16, 1], offset: ?>, #tile.shared<(8,16):(16,1)>> -> !tile.tile<8x8xf16, #lanes>
  // CHECK: tile.return
  tile.return
}

// The box of the buffer is larger than the tile in registers: additional stores write
// zeros to the rest of the buffer.
// CHECK-LABEL: @padding_beyond_the_registers_is_zero
tile.kernel @padding_beyond_the_registers_is_zero(%x: memref<8x6xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x6xf16, #tile.shared<(8,16):(16,1)>>
  %t = tile.load %x[%c0, %c0] : memref<8x6xf16> -> !tile.tile<8x6xf16, #lanes>
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
  // CHECK: %[[BEYOND:.*]] = arith.cmpi sgt
  // CHECK: scf.if %[[BEYOND]]
  // CHECK: memref.store %[[ZERO]]
  tile_gpu.store_shared %t, %a zero_padding : !tile.tile<8x6xf16, #lanes>, memref<8x6xf16, #tile.shared<(8,16):(16,1)>>
  // CHECK: tile.return
  tile.return
}

// A copy has no test if the whole box is inside the array. Otherwise the
// coordinates of each chunk are compared with limits, and only the chunk's
// bytes inside the array are copied. The instruction fills the rest of the
// chunk with zeros.
// CHECK-LABEL: @copies_what_is_inside
// CHECK-SAME: %[[ARRAY:[a-z0-9]*]]: memref
// CHECK-SAME: %[[ROW:[a-z0-9]*]]: index, %[[COLUMN:[a-z0-9]*]]: index
tile.kernel @copies_what_is_inside(%x: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %i: index, %k: index) attributes {block = 32 : i64} {
  %c8 = arith.constant 8 : index
  %j = arith.muli %k, %c8 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x8xf16, #rows>
  // CHECK: %[[J:.*]] = arith.muli %[[COLUMN]], %c8
  // CHECK-DAG: %[[ROWS:.*]] = memref.dim %[[ARRAY]], %c0
  // CHECK-DAG: %[[COLUMNS:.*]] = memref.dim %[[ARRAY]], %c1
  // CHECK: %[[LAST_ROW:.*]] = arith.subi %[[ROWS]], %c8
  // CHECK-DAG: %[[FROM_ZERO:.*]] = arith.cmpi sge, %[[ROW]], %c0
  // CHECK-DAG: %[[TO_LAST:.*]] = arith.cmpi sle, %[[ROW]], %[[LAST_ROW]]
  // CHECK: %[[WHOLE_ROWS:.*]] = arith.andi %[[FROM_ZERO]], %[[TO_LAST]]
  // CHECK: %[[LAST_COLUMN:.*]] = arith.subi %[[COLUMNS]], %c8
  // CHECK: %[[TO_LAST_COLUMN:.*]] = arith.cmpi sle, %[[J]], %[[LAST_COLUMN]]
  // CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %[[TO_LAST_COLUMN]]
  // CHECK: scf.if %[[WHOLE]]
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK: else
  // CHECK: %[[FROM:.*]] = arith.maxsi %[[ROW]], %c-8
  // CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FROM]]
  // CHECK: %[[FEW:.*]] = arith.minsi %[[LEFT]], %c8
  // CHECK: %[[SOME:.*]] = arith.maxsi %[[FEW]], %c0
  // CHECK: %[[HIGH:.*]] = arith.index_cast %[[SOME]] : index to i32
  // CHECK: arith.cmpi slt, %{{.*}}, %[[HIGH]]
  // CHECK: %[[ALL_BYTES:.*]] = arith.muli %{{.*}}, %c2_i32
  // CHECK: %[[NOT_NEGATIVE:.*]] = arith.maxsi %[[ALL_BYTES]], %c0_i32
  // CHECK: %[[COUNT:.*]] = arith.minsi %[[NOT_NEGATIVE]], %c16_i32
  // CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %[[COUNT]], %c0_i32
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %[[BYTES]]
  tile_gpu.copy_async %x[%i, %j] to %a : memref<?x?xf16> to memref<8x8xf16, #rows>
  // CHECK: tile.return
  tile.return
}

// The offset is a block index times the size of the tile, a loop's counter, or an
// offset ahead of it. None is ever negative, so none is compared with zero. If the
// condition of a conditional copy does not hold, no thread copies.
// CHECK-LABEL: @offsets_from_zero_on
// CHECK-SAME: %[[HOLDS:[a-z0-9]*]]: i1
tile.kernel @offsets_from_zero_on(%x: memref<?x?xf16> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %n: index, %holds: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x8xf16, #rows>
  %row = tile.program_id x
  %i = arith.muli %row, %c8 : index
  scf.for %k = %c0 to %n step %c8 {
    %j = arith.addi %k, %c8 : index
    // CHECK-NOT: arith.maxsi {{.*}}%c-8
    // CHECK: %[[WHOLE:.*]] = arith.andi %[[HOLDS]], %{{.*}} : i1
    // CHECK: scf.if %{{.*}} {
    // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
    // CHECK: } else {
    // CHECK: scf.if %[[HOLDS]]
    // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %{{.*}}
    tile_gpu.copy_async %x[%i, %j] to %a if %holds : memref<?x?xf16> to memref<8x8xf16, #rows>
  }
  // CHECK: tile.return
  tile.return
}

// Lanes that hold the fragments of a matmul read them by ldmatrix: each instruction
// reads four matrices, of rows along the fastest dimension, or transposed.
#fragments = #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>
// CHECK-LABEL: @reads_fragments_by_ldmatrix
tile.kernel @reads_fragments_by_ldmatrix(%i: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<16x16xf16, #tile.shared<(16,16):(16,1)>>
  %b = memref.alloc() {tile.shared_offset = 512 : i64} : memref<16x16xf16, #tile.shared<(16,16):(1,16)>>
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
  %t = tile_gpu.load_shared %a : memref<16x16xf16, #tile.shared<(16,16):(16,1)>> -> !tile.tile<16x16xf16, #fragments>
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
  %u = tile_gpu.load_shared %b : memref<16x16xf16, #tile.shared<(16,16):(1,16)>> -> !tile.tile<16x16xf16, #fragments>
  // CHECK-NOT: ldmatrix
  // CHECK: tile.return
  tile.return
}

// The layout is larger than the tile. Its padding reads an element of another thread,
// in the same stage of the circular buffer: other stages may be written at the same
// time.
// CHECK-LABEL: @padding_reads_its_stage
// CHECK-SAME: %[[SLOT:[a-z0-9]*]]: index
tile.kernel @padding_reads_its_stage(%slot: index) attributes {block = 32 : i64} {
  %ring = memref.alloc() {tile.shared_offset = 0 : i64} : memref<3x20xf16, #tile.shared<(20):(1)>>
  %v = memref.subview %ring[%slot, 0] [1, 20] [1, 1] : memref<3x20xf16, #tile.shared<(20):(1)>> to memref<20xf16, strided<[1], offset: ?>, #tile.shared<(20):(1)>>
  // CHECK: %[[STAGE:.*]] = arith.muli %[[SLOT]], %c{{[0-9]+}}
  // CHECK: %[[OWN:.*]] = arith.select %{{.*}}, %{{.*}}, %c0{{.*}}
  // CHECK: %[[AT:.*]] = arith.addi %[[OWN]], %[[STAGE]]
  // CHECK: memref.load %{{.*}}[%[[AT]]]
  %t = tile_gpu.load_shared %v : memref<20xf16, strided<[1], offset: ?>, #tile.shared<(20):(1)>> -> !tile.tile<20xf16, #tile.register<(32,1,1):(1,0,0), box = [32]>>
  tile.return
}

// ldmatrix is not used if the buffer lacks the padding of the fragments, if rows are
// not aligned, or for narrower elements, which are read in pairs.
// CHECK-LABEL: @reads_other_fragments_by_loads
tile.kernel @reads_other_fragments_by_loads(%i: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<15x16xf16, #tile.shared<(15,16):(16,1)>>
  %b = memref.alloc() {tile.shared_offset = 512 : i64} : memref<16x16xf16, #tile.shared<(16,16):(18,1)>>
  %c = memref.alloc() {tile.shared_offset = 2048 : i64} : memref<16x16xi8, #tile.shared<(16,16):(16,1)>>
  // CHECK-NOT: ldmatrix
  // CHECK-COUNT-8: vector.load {{.*}} vector<2xf16>
  %t = tile_gpu.load_shared %a : memref<15x16xf16, #tile.shared<(15,16):(16,1)>> -> !tile.tile<15x16xf16, #fragments>
  %u = tile_gpu.load_shared %b : memref<16x16xf16, #tile.shared<(16,16):(18,1)>> -> !tile.tile<16x16xf16, #fragments>
  // CHECK-COUNT-4: vector.load {{.*}} vector<2xi8>
  %v = tile_gpu.load_shared %c : memref<16x16xi8, #tile.shared<(16,16):(16,1)>> -> !tile.tile<16x16xi8, #fragments>
  // CHECK-NOT: ldmatrix
  // CHECK: tile.return
  tile.return
}

#panels = #tile.shared<(32,(64,2)):(64,(1,2048)), swizzle = <3, 4, 3>, align = 1024>

// Rows of two panels of 128 bytes. A thread's rows are 8 apart, so the swizzle changes
// the offsets of all in the same way and is computed once.
// CHECK-LABEL: @swizzles_panels_once
tile.kernel @swizzles_panels_once(%x: memref<32x128xf16> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<32x128xf16, #panels>
  // CHECK: arith.xori
  // CHECK-NOT: arith.xori
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK-NOT: arith.xori
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK-NOT: arith.xori
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK-NOT: arith.xori
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  tile_gpu.copy_async %x[%c0, %c0] to %a in_bounds : memref<32x128xf16> to memref<32x128xf16, #panels>
  // CHECK: tile.return
  tile.return
}

// If the box is inside the array, chunks of padding copy no bytes, other chunks all of
// theirs, and no loop counts the elements inside.
// CHECK-LABEL: @padding
tile.kernel @padding(%x: memref<?x18xf32> {tile.alignment = 16 : i64}, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<6x18xf32, #tile.shared<(6,32):(32,1)>>
  // CHECK: scf.if
  // CHECK-NOT: scf.for
  // CHECK: %[[IN_TILE:.*]] = arith.cmpi slt
  // CHECK: %[[BYTES:.*]] = arith.select %[[IN_TILE]], %c8_i32, %c0_i32
  // CHECK-NOT: scf.for
  // CHECK-COUNT-3: nvvm.cp.async.shared.global {{.*}}, 8, cache = ca, %{{.*}}
  // CHECK: } else {
  // CHECK: scf.for
  tile_gpu.copy_async %x[%i, %c0] to %a : memref<?x18xf32> to memref<6x18xf32, #tile.shared<(6,32):(32,1)>>
  // CHECK: tile.return
  tile.return
}

// Copies by elements, through registers, test each element only for padding.
// CHECK-LABEL: @padding_of_elements
tile.kernel @padding_of_elements(%x: memref<?x18xf16>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<2x17xf16, #tile.shared<(2,32):(32,1)>>
  // CHECK: scf.if
  // CHECK: arith.cmpi slt, %{{.*}}, %c17
  // CHECK-NOT: arith.andi
  // CHECK: memref.load
  // CHECK: } else {
  // CHECK: } else {
  tile_gpu.copy_async %x[%i, %c0] to %a : memref<?x18xf16> to memref<2x17xf16, #tile.shared<(2,32):(32,1)>>
  // CHECK: tile.return
  tile.return
}
