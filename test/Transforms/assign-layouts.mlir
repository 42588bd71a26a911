// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// A load reads along the array's contiguous dimension, 16 bytes for each thread. Tiles
// that elementwise operations combine with it have its layout.
// CHECK-LABEL: @loads_give_rows_of_16_bytes
tile.kernel @loads_give_rows_of_16_bytes(%x: memref<64x64xf32> {tile.alignment = 16 : i64}, %y: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: = tile.load {{.*}} #tile.register<((16,2),1,(4,16)):((4,64),0,(1,128)), box = [32, 64]>
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<32x64xf32>
  // CHECK-NOT: convert_layout
  %u = arith.addf %t, %t : !tile.tile<32x64xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %u, %y[%c0, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}

// Extents that are not powers of two are padded: 5x7 in a box of 8 columns.
// CHECK-LABEL: @pads_odd_extents
tile.kernel @pads_odd_extents(%x: memref<64x64xf32>, %y: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: = tile.load {{.*}} box = [8, 8]>
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<5x7xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<5x7xf32>, memref<64x64xf32>
  tile.return
}

// A column-major array is read along its columns.
// CHECK-LABEL: @follows_column_major_arrays
tile.kernel @follows_column_major_arrays(%x: memref<64x64xf32, strided<[1, 64]>> {tile.alignment = 16 : i64}, %y: memref<64x64xf32, strided<[1, 64]>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: = tile.load {{.*}} #tile.register<((8,4),1,(4,2)):((32,1),0,(8,4)), box = [32, 8]>
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32, strided<[1, 64]>> -> !tile.tile<32x8xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<32x8xf32>, memref<64x64xf32, strided<[1, 64]>>
  tile.return
}

// A matmul's accumulator has the layout of fragments of mma.m16n8k16. Its operands are
// rows without bank conflicts.
// CHECK-LABEL: @product_layouts
tile.kernel @product_layouts(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x64xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: = tile.matmul
  // CHECK-SAME: #tile.shared<(16,64):(64,1), swizzle = <3, 4, 3>
  // CHECK-SAME: #tile.shared<(64,8):(8,1)>
  // CHECK-SAME: #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>
  %r = tile.matmul %x, %y, %z : !tile.tile<16x64xf16>, !tile.tile<64x8xf16> -> !tile.tile<16x8xf32>
  // CHECK-NOT: convert_layout
  // CHECK: {{^ +}}tile.store
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<64x64xf32>
  tile.return
}

// A row maximum and its subtraction need no conversion: the reduced tile and
// the broadcast one have the source's layout without the axis.
// CHECK-LABEL: @subtracts_row_max_without_conversion
tile.kernel @subtracts_row_max_without_conversion(%x: memref<64x64xf32>, %y: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<10x48xf32>
  // CHECK: = tile.reduce
  // CHECK-NOT: convert_layout
  %m = tile.reduce max %t axis 1 : !tile.tile<10x48xf32> to !tile.tile<10xf32>
  %c = tile.reshape %m : !tile.tile<10xf32> to !tile.tile<10x1xf32>
  %b = tile.broadcast %c : !tile.tile<10x1xf32> to !tile.tile<10x48xf32>
  %s = arith.subf %t, %b : !tile.tile<10x48xf32>
  // CHECK: {{^ +}}tile.store
  tile.store %s, %y[%c0, %c0] : !tile.tile<10x48xf32>, memref<64x64xf32>
  tile.return
}

// If several warps share the elements along the axis, a reduction is split: partial
// results of each warp, a conversion, and a reduction within threads.
// CHECK-LABEL: @cuts_reduction_across_warps
tile.kernel @cuts_reduction_across_warps(%x: memref<64x64xf32>, %y: memref<64xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  // CHECK: %[[PARTIAL:.*]] = tile.partial_reduce
  // CHECK-SAME: add
  // CHECK-SAME: to !tile.tile<2x64xf32
  // CHECK: %[[GATHERED:.*]] = tile.convert_layout %[[PARTIAL]]
  // CHECK: = tile.reduce
  // CHECK-SAME: %[[GATHERED]] axis 0
  %s = tile.reduce add %t axis 0 : !tile.tile<64x64xf32> to !tile.tile<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// A reduction of all axes is one reduction for each axis.
// CHECK-LABEL: @reduces_axis_by_axis
tile.kernel @reduces_axis_by_axis(%x: memref<64x64xf32>, %y: memref<64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<8x8xf32>
  // CHECK: = tile.reduce{{.*}} axis 1
  // CHECK: = tile.reduce{{.*}} axis 0
  %s = tile.reduce add %t : !tile.tile<8x8xf32> to !tile.tile<f32>
  tile.store %s, %y[%c0] : !tile.tile<f32>, memref<64xf32>
  tile.return
}

// A constant is copied for each use, so that its uses may have different layouts.
// CHECK-LABEL: @constant_used_by_two_layouts
tile.kernel @constant_used_by_two_layouts(%a: memref<64x64xf16>, %d: memref<64x64xf32>, %e: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %z = arith.constant dense<1.0> : !tile.tile<16x16xf32>
  %r = tile.matmul %x, %x, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  // CHECK-DAG: arith.constant dense<1.000000e+00> : !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):
  // CHECK-DAG: arith.constant dense<1.000000e+00> : !tile.tile<16x16xf32, #tile.register<((16,2),1,8):
  // CHECK-NOT: convert_layout
  // CHECK: = tile.matmul
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.store %z, %e[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// The result of one matmul is an operand of another: lhs stays in registers,
// rhs goes through shared memory.
// CHECK-LABEL: @product_feeds_product
tile.kernel @product_feeds_product(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // CHECK: %[[FIRST:.*]] = tile.matmul
  %r = tile.matmul %x, %x, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  // CHECK: %[[CAST:.*]] = tile.cast %[[FIRST]]
  %h = tile.cast %r : !tile.tile<16x16xf32> to !tile.tile<16x16xf16>
  // CHECK: %[[SHARED:.*]] = tile.convert_layout %[[CAST]] : {{.*}} #tile.shared
  // CHECK: = tile.matmul %[[CAST]], %[[SHARED]]
  %s = tile.matmul %h, %h, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %s, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// A transposed operand has the same bytes, with its dimensions permuted.
// CHECK-LABEL: @transposed_operand_is_renamed
tile.kernel @transposed_operand_is_renamed(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<8x16xf16>
  // CHECK: = tile.transpose
  // CHECK-SAME: #tile.shared<(8,16):(16,1)
  // CHECK-SAME: to !tile.tile<16x8xf16, #tile.shared<(16,8):(1,16)
  %t = tile.transpose %y [1, 0] : !tile.tile<8x16xf16> to !tile.tile<16x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %r = tile.matmul %x, %t, %z : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<64x64xf32>
  tile.return
}

// A view that is an operand is read in place if its rows stay aligned; otherwise it is
// copied.
// CHECK-LABEL: @copies_views_at_unknown_places
tile.kernel @copies_views_at_unknown_places(%a: memref<64x64xf16>, %i: index, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %i8 = arith.muli %i, %c8 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // CHECK: %[[ALIGNED:.*]] = tile.view
  %v = tile.view %x[%i8, %i8] : !tile.tile<64x64xf16> to !tile.tile<16x16xf16>
  // CHECK: %[[ANY:.*]] = tile.view
  %w = tile.view %x[%i, %i] : !tile.tile<64x64xf16> to !tile.tile<16x16xf16>
  // CHECK: %[[COPY:.*]] = tile.convert_layout %[[ANY]]
  // CHECK: = tile.matmul %[[ALIGNED]], %[[COPY]]
  %r = tile.matmul %v, %w, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// Two matmuls that pad one tile to different extents share its buffer.
// CHECK-LABEL: @box_covers_all_products
tile.kernel @box_covers_all_products(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<24x20xf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<24x20xf16> to !tile.tile<20x24xf16>
  %z = arith.constant dense<0.0> : !tile.tile<24x24xf32>
  // CHECK: = tile.matmul
  // CHECK-SAME: #tile.shared<(32,32):
  // CHECK-SAME: #tile.shared<(32,32):
  %r = tile.matmul %x, %y, %z : !tile.tile<24x20xf16>, !tile.tile<20x24xf16> -> !tile.tile<24x24xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<24x24xf32>, memref<64x64xf32>
  tile.return
}

// A row of an accumulator whose rows are padded cannot be reshaped in registers, since
// the padding is no copy of it: it goes through shared memory.
// CHECK-LABEL: @reshapes_padded_rows_through_memory
tile.kernel @reshapes_padded_rows_through_memory(%a: memref<64x64xf16>, %d: memref<64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<1x16xf16>
  %y = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<1x8xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<1x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<1x8xf32>
  // CHECK: = tile.reshape
  // CHECK-SAME: #tile.shared
  %s = tile.reshape %r : !tile.tile<1x8xf32> to !tile.tile<8xf32>
  tile.store %s, %d[%c0] : !tile.tile<8xf32>, memref<64xf32>
  tile.return
}

// A tile that a loop carries has one layout, that of the matmul in the loop.
// CHECK-LABEL: @loop_carries_the_products_layout
tile.kernel @loop_carries_the_products_layout(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: = scf.for
  // CHECK-SAME: #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64))
  // CHECK-NOT: convert_layout
  // CHECK: {{^ +}}tile.store
  %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] : memref<64x64xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %a[%k, %c0] : memref<64x64xf16> -> !tile.tile<16x8xf16>
    %n = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %n : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<64x64xf32>
  tile.return
}

// A layout that the program declares for an accumulator is kept: conversions connect it
// with the layout of the instructions.
// CHECK-LABEL: @keeps_the_declared_layout_of_a_product
tile.kernel @keeps_the_declared_layout_of_a_product(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[LOADED:.*]] = tile.load {{.*}} -> !tile.tile<16x8xf32, #[[DECLARED:.*]]>
  // CHECK: %[[ACC:.*]] = tile.convert_layout %[[LOADED]]
  // CHECK: %[[PRODUCT:.*]] = tile.matmul %{{.*}}, %{{.*}}, %[[ACC]]
  // CHECK: %[[RESULT:.*]] = tile.convert_layout %[[PRODUCT]] : {{.*}} to !tile.tile<16x8xf32, #[[DECLARED]]>
  // CHECK: tile.store %[[RESULT]]
  %z = tile.load %d[%c0, %c0] : memref<64x64xf32> -> !tile.tile<16x8xf32, #tile.register<((8,4),1,4):((1,8),0,32), box = [16, 8]>>
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16, #tile.shared>
  %y = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x8xf16, #tile.shared>
  %p = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16, #tile.shared>, !tile.tile<16x8xf16, #tile.shared> -> !tile.tile<16x8xf32, #tile.register<((8,4),1,4):((1,8),0,32), box = [16, 8]>>
  tile.store %p, %d[%c0, %c0] : !tile.tile<16x8xf32, #tile.register<((8,4),1,4):((1,8),0,32), box = [16, 8]>>, memref<64x64xf32>
  tile.return
}

// Two layouts declared on the two sides of a cast are both kept.
// CHECK-LABEL: @keeps_both_layouts_of_a_cast
tile.kernel @keeps_both_layouts_of_a_cast(%a: memref<8x8xf16>, %d: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[LOADED:.*]] = tile.load {{.*}} -> !tile.tile<8x8xf16, #[[LANES:.*]]>
  // CHECK: %[[CONVERTED:.*]] = tile.convert_layout %[[LOADED]] : {{.*}} to !tile.tile<8x8xf16, #[[COLUMNS:.*]]>
  // CHECK: tile.cast %[[CONVERTED]] : {{.*}} to !tile.tile<8x8xf32, #[[COLUMNS]]>
  %t = tile.load %a[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16, #tile.register<((8,4),1,2):((1,8),0,32), box = [8, 8]>>
  %u = tile.cast %t : !tile.tile<8x8xf16, #tile.register<((8,4),1,2):((1,8),0,32), box = [8, 8]>> to !tile.tile<8x8xf32, #tile.register<((8,4),1,2):((8,1),0,4), box = [8, 8]>>
  tile.store %u, %d[%c0, %c0] : !tile.tile<8x8xf32, #tile.register<((8,4),1,2):((8,1),0,4), box = [8, 8]>>, memref<8x8xf32>
  tile.return
}

// Sums of small floats are accumulated in f32 through all stages, and rounded once.
// CHECK-LABEL: @sums_small_floats_in_f32
tile.kernel @sums_small_floats_in_f32(%a: memref<4x512xf16>, %d: memref<4xf16>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[WIDE:.*]] = tile.cast %{{.*}} : {{.*}} to !tile.tile<4x512xf32
  // CHECK: %[[PARTS:.*]] = tile.partial_reduce add %[[WIDE]]
  // CHECK: tile.reduce add %{{.*}} to !tile.tile<f32
  // CHECK: tile.cast %{{.*}} : {{.*}} to !tile.tile<f16
  // CHECK-NOT: tile.cast
  // CHECK: tile.reduce max %{{.*}} to !tile.tile<f16
  // CHECK: tile.return
  %t = tile.load %a[%c0, %c0] : memref<4x512xf16> -> !tile.tile<4x512xf16, #tile.register>
  %s = tile.reduce add %t : !tile.tile<4x512xf16, #tile.register> to !tile.tile<f16, #tile.register>
  %m = tile.reduce max %t : !tile.tile<4x512xf16, #tile.register> to !tile.tile<f16, #tile.register>
  %x = arith.addf %s, %m : !tile.tile<f16, #tile.register>
  %u = tile.broadcast %x : !tile.tile<f16, #tile.register> to !tile.tile<4xf16, #tile.register>
  tile.store %u, %d[%c0] : !tile.tile<4xf16, #tile.register>, memref<4xf16>
  tile.return
}

// An operand in registers has the layout of the instruction's fragments, and so have
// all tiles from which it is computed. The source of a broadcast has no replicated
// part.
// CHECK-LABEL: @computes_on_fragments
tile.kernel @computes_on_fragments(%a: memref<64x64xf16>, %b: memref<64x64xi8>, %s: memref<1x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SCALE:.*]] = tile.load {{.*}} -> !tile.tile<1x16xf16, #tile.register<((4,8),1,2):((0,1),0,8), box = [1, 16]>>
  // CHECK: tile.convert_layout {{.*}} to !tile.tile<16x16xi8, #[[FRAGMENTS:tile.register<\(\(4,8\),1,\(2,2,2\)\):\(\(32,1\),0,\(16,128,8\)\), box = \[16, 16\]>]]>
  // CHECK: tile.cast {{.*}} to !tile.tile<16x16xf16, #[[FRAGMENTS]]>
  // CHECK: tile.broadcast %[[SCALE]] : {{.*}} to !tile.tile<16x16xf16, #[[FRAGMENTS]]>
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.matmul {{.*}}, !tile.tile<16x16xf16, #[[FRAGMENTS]]>
  %k = tile.load %s[%c0, %c0] : memref<1x64xf16> -> !tile.tile<1x16xf16>
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xi8> -> !tile.tile<16x16xi8>
  %w = tile.cast %y : !tile.tile<16x16xi8> to !tile.tile<16x16xf16>
  %f = tile.broadcast %k : !tile.tile<1x16xf16> to !tile.tile<16x16xf16>
  %q = arith.mulf %w, %f : !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %r = tile.matmul %x, %q, %z tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// A tile that is added to the accumulator, after a reshape and a broadcast, is loaded
// in the accumulator's layout.
// CHECK-LABEL: @adds_to_the_accumulator
tile.kernel @adds_to_the_accumulator(%a: memref<64x64xf16>, %s: memref<64xf32>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<8xf32, #tile.register<((4,8),1,2):((2,0),0,1), box = [8]>>
  // CHECK: tile.matmul
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.store
  %k = tile.load %s[%c0] : memref<64xf32> -> !tile.tile<8xf32>
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %p = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
  %row = tile.reshape %k : !tile.tile<8xf32> to !tile.tile<1x8xf32>
  %f = tile.broadcast %row : !tile.tile<1x8xf32> to !tile.tile<16x8xf32>
  %r = arith.addf %p, %f : !tile.tile<16x8xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<64x64xf32>
  tile.return
}

// Threads load the operands themselves: lane n of a warp has column n of B and, like
// all lanes, the warp's row of A. Nothing is converted.
// CHECK-LABEL: tile.kernel @operands_in_global_memory(
tile.kernel @operands_in_global_memory(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<4x2xf32, #tile.register<(32,4,2):(0,2,1), box = [4, 2]>>
  // CHECK: tile.load {{.*}} -> !tile.tile<2x32xf32, #tile.register<(32,4,2):(1,0,32), box = [2, 32]>>
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.matmul
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<4x2xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<2x32xf32>
  %z = arith.constant dense<0.0> : !tile.tile<4x32xf32>
  %r = tile.matmul %a, %b, %z tiling <warps = [4, 1], thread = [1, 1], operands = global> : !tile.tile<4x2xf32>, !tile.tile<2x32xf32> -> !tile.tile<4x32xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<4x32xf32>, memref<?x?xf32>
  tile.return
}

// Buffers that are accessed element by element have plain rows, aligned to an element.
// CHECK-LABEL: tile.kernel @elements_one_by_one(
tile.kernel @elements_one_by_one(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<32x16xf32, #tile.shared<(32,16):(16,1), align = 4>>
  // CHECK: tile.load {{.*}} -> !tile.tile<16x32xf32, #tile.shared<(16,32):(32,1), align = 4>>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x16xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<16x32xf32>
  %z = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %r = tile.matmul %a, %b, %z tiling <warps = [8, 1], thread = [4, 1], vector = 1> : !tile.tile<32x16xf32>, !tile.tile<16x32xf32> -> !tile.tile<32x32xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<32x32xf32>, memref<?x?xf32>
  tile.return
}

// Warps are distributed along the batch. The operand that the batch shares has rank 2.
// CHECK-LABEL: tile.kernel @batch(
tile.kernel @batch(%x: memref<?x?xf16>, %w: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1), swizzle = <1, 4, 3>, align = 128>>
  // CHECK: tile.load {{.*}} -> !tile.tile<6x16x8xf16, #tile.shared<(6,16,8):(128,8,1)>>
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.matmul {{.*}} -> !tile.tile<6x16x8xf32, #tile.register<((4,8),3,(2,2,2)):((2,8),256,(1,64,128)), box = [6, 16, 8]>>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16>
  %b = tile.load %w[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<6x16x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<6x16x8xf32>
  %d = tile.matmul %a, %b, %z tiling <warps = [3, 1, 1]> : !tile.tile<16x16xf16>, !tile.tile<6x16x8xf16> -> !tile.tile<6x16x8xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<6x16x8xf32>, memref<?x?x?xf32>
  tile.return
}

// A computed operand of a batched matmul is in registers: a lane has a fragment for
// each matmul that its warp computes.
// CHECK-LABEL: tile.kernel @computed_batch(
tile.kernel @computed_batch(%x: memref<?x?x?xi8>, %w: memref<?x?xf16>, %y: memref<?x?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.cast {{.*}} to !tile.tile<2x16x16xf16, #tile.register<((4,8),1,(2,2,2,2)):((2,16),0,(1,128,8,256)), box = [2, 16, 16]>>
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.matmul
  %b = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xi8> -> !tile.tile<2x16x16xi8>
  %a = tile.cast %b : !tile.tile<2x16x16xi8> to !tile.tile<2x16x16xf16>
  %c = tile.load %w[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<2x16x16xf32>
  %d = tile.matmul %a, %c, %z : !tile.tile<2x16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<2x16x16xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<2x16x16xf32>, memref<?x?x?xf32>
  tile.return
}

// Contiguous elements of the array belong to different matmuls. No instruction can read
// such rows, so the array is copied to rows along K.
// CHECK-LABEL: tile.kernel @neighbours_of_different_products(
tile.kernel @neighbours_of_different_products(%x: memref<?x?x?xf16, strided<[1, ?, ?]>>, %w: memref<?x?x?xf16>, %y: memref<?x?x?xf32>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}} -> !tile.tile<8x16x16xf16, #tile.shared<(8,16,16):(1,128,8)>>
  // CHECK: %[[COPY:.*]] = tile.convert_layout {{.*}} to !tile.tile<8x16x16xf16, #tile.shared<(8,16,16):(256,16,1), swizzle = <1, 4, 3>, align = 128>>
  // CHECK: tile.matmul %[[COPY]]
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16, strided<[1, ?, ?]>> -> !tile.tile<8x16x16xf16>
  %b = tile.load %w[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<8x16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<8x16x16xf32>
  %d = tile.matmul %a, %b, %z : !tile.tile<8x16x16xf16>, !tile.tile<8x16x16xf16> -> !tile.tile<8x16x16xf32>
  tile.store %d, %y[%c0, %c0, %c0] : !tile.tile<8x16x16xf32>, memref<?x?x?xf32>
  tile.return
}

// The accumulator that a loop carries has the layout of the values that are added to
// it, which are loaded, and not that of the store: no layout conversion is in the loop.
// CHECK-LABEL: tile.kernel @reduces_in_a_loop(
tile.kernel @reduces_in_a_loop(%x: memref<?x8x64xf32> {tile.alignment = 16 : i64}, %y: memref<8x64xf16> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %parts = memref.dim %x, %c0 : memref<?x8x64xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<8x64xf32>
  // CHECK: tile.load {{.*}} -> !tile.tile<8x8x64xf32, #tile.register<((16,2),4,(4,8)):((4,64),128,(1,512)), box = [8, 8, 64]>>
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.store
  %sum = scf.for %s = %c0 to %parts step %c8 iter_args(%acc = %zero) -> !tile.tile<8x64xf32> {
    %some = tile.load %x[%s, %c0, %c0] : memref<?x8x64xf32> -> !tile.tile<8x8x64xf32>
    %part = tile.reduce add %some axis 0 : !tile.tile<8x8x64xf32> to !tile.tile<8x64xf32>
    %next = arith.addf %acc, %part : !tile.tile<8x64xf32>
    scf.yield %next : !tile.tile<8x64xf32>
  }
  %h = tile.cast %sum : !tile.tile<8x64xf32> to !tile.tile<8x64xf16>
  tile.store %h, %y[%c0, %c0] : !tile.tile<8x64xf16>, memref<8x64xf16>
  tile.return
}

// Four lanes of a matmul have 16 adjacent bytes of a row of f16, half a sector. The
// tile is converted before the store, so that each lane stores 16 bytes of a row.
// CHECK-LABEL: @stores_whole_sectors
tile.kernel @stores_whole_sectors(%a: memref<64x64xf16> {tile.alignment = 16 : i64}, %d: memref<64x64xf16> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<32x32xf16>
  %z = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  // CHECK: %[[H:.*]] = tile.cast
  // CHECK: %[[WIDE:.*]] = tile.convert_layout %[[H]] : {{.*}} to !tile.tile<32x32xf16, #tile.register<((4,8),1,(8,4)):((8,32),0,(1,256)), box = [32, 32]>>
  // CHECK: tile.store %[[WIDE]]
  %r = tile.matmul %x, %x, %z tiling <warps = [1, 1], sub = [2, 4], atom = "m16n8k16"> : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
  %h = tile.cast %r : !tile.tile<32x32xf32> to !tile.tile<32x32xf16>
  tile.store %h, %d[%c0, %c0] : !tile.tile<32x32xf16>, memref<64x64xf16>
  tile.return
}

// With f32 they have 32 bytes. Stores of unaligned rows are not widened either.
// CHECK-LABEL: @stores_in_place
tile.kernel @stores_in_place(%a: memref<64x64xf16> {tile.alignment = 16 : i64}, %d: memref<64x64xf32> {tile.alignment = 16 : i64}, %e: memref<64x63xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<32x32xf16>
  %z = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  // CHECK: tile.matmul
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.return
  %r = tile.matmul %x, %x, %z tiling <warps = [1, 1], sub = [2, 4], atom = "m16n8k16"> : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<32x32xf32>, memref<64x64xf32>
  %h = tile.cast %r : !tile.tile<32x32xf32> to !tile.tile<32x32xf16>
  tile.store %h, %e[%c0, %c0] : !tile.tile<32x32xf16>, memref<64x63xf16>
  tile.return
}
