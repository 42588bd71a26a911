// RUN: tile-opt %s -tile-bufferize -canonicalize | FileCheck %s

#rows = #tile.shared<(8,8):(8,1)>
#lanes = #tile.register<((8,4),1,2):((1,8),0,32), box = [8, 8]>
#part = #tile.register<((4,4,2),1,1):((1,4,0),0,0), box = [4, 4]>
#corner = #tile.register<((2,2,8),1,1):((1,2,0),0,0), box = [2, 2]>
#columns = #tile.register<((8,4),1,2):((8,1),0,4), box = [8, 8]>

// A tile in shared memory is a buffer that its load fills.
// CHECK-LABEL: @load_becomes_copy
tile.kernel @load_becomes_copy(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<8x8xf32, #tile.shared<(8,8):(8,1)>>
  // CHECK: %[[CHANNEL:.*]] = tile_gpu.channel %[[BUFFER]] : {{.*}} -> !tile_gpu.channel<1>
  // CHECK: tile_gpu.copy_async %{{.*}} to %[[BUFFER]]
  // CHECK: tile_gpu.commit %[[CHANNEL]]
  // CHECK: tile_gpu.wait %[[CHANNEL]]
  // CHECK: tile_gpu.load_shared %[[BUFFER]]
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.return
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %u = tile.convert_layout %t : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  tile.return
}

// Consecutive copies form one fill of a channel, and one wait waits for all of them; a use
// or a store between copies ends the fill.
// CHECK-LABEL: @copies_in_a_row
tile.kernel @copies_in_a_row(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK-NEXT: tile_gpu.channel %[[A]], %[[B]]
  // CHECK-NEXT: tile_gpu.copy_async
  // CHECK-NEXT: tile_gpu.copy_async
  // CHECK-NEXT: tile_gpu.commit
  // CHECK-NEXT: tile_gpu.wait
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK: tile_gpu.copy_async
  // CHECK: tile_gpu.commit
  // CHECK-NEXT: tile_gpu.wait
  // CHECK-NEXT: tile.store
  // CHECK: tile_gpu.copy_async
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %b = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %u = tile.convert_layout %a : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
  %c = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  %d = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %v = tile.convert_layout %d : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
  tile.store %v, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  tile.return
}

// Unaligned rows are copied by the chunks that cover them, and aligned when the fill is
// complete.
// CHECK-LABEL: @rows_that_begin_anywhere
tile.kernel @rows_that_begin_anywhere(%x: memref<?x?xf16>, %y: memref<?x?xf16>, %d: memref<?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[A:.*]] = memref.alloc() : memref<16x16xf16
  // CHECK-DAG: %[[A_ENDS:.*]] = memref.alloc() : memref<16x8xf16
  // CHECK: %[[B:.*]] = memref.alloc() : memref<16x16xf16
  // CHECK: %[[B_ENDS:.*]] = memref.alloc() : memref<16x8xf16
  // CHECK-NEXT: tile_gpu.channel %[[A]], %[[A_ENDS]], %[[B]], %[[B_ENDS]]
  // CHECK-NEXT: tile_gpu.copy_async %{{.*}} to %[[A]] by(#tile_gpu.cover_rows) with %[[A_ENDS]]
  // CHECK-NEXT: tile_gpu.copy_async %{{.*}} to %[[B]] by(#tile_gpu.cover_rows) with %[[B_ENDS]]
  // CHECK-NEXT: tile_gpu.commit
  // CHECK-NEXT: tile_gpu.wait
  // CHECK-NEXT: tile_gpu.align_rows %[[A]], %[[A_ENDS]]
  // CHECK-NEXT: tile_gpu.align_rows %[[B]], %[[B_ENDS]]
  // CHECK-NEXT: tile.matmul %[[A]], %[[B]]
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1)>>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1)>>
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
  %s = tile.matmul %a, %b, %zero tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1)>>, !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1)>> -> !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
  tile.store %s, %d[%c0, %c0] : !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>, memref<?x?xf32>
  tile.return
}

// cp.async fills only with zeros: a load with another pad value goes through registers.
// CHECK-LABEL: @pad_goes_through_registers
tile.kernel @pad_goes_through_registers(%x: memref<8x8xf32>, %p: f32, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: copy_async
  // CHECK: %[[TILE:.*]] = tile.load {{.*}} pad %{{.*}} -> !tile.tile<8x8xf32, #tile.register
  // CHECK: tile_gpu.store_shared %[[TILE]]
  %t = tile.load %x[%c0, %c0] pad %p : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %u = tile.convert_layout %t : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  tile.return
}

// Elements that move to other warps go through scratch memory, ...
#two_rows = #tile.register<((8,4),2,1):((1,8),32,0), box = [8, 8]>
#two_columns = #tile.register<((8,4),2,1):((8,1),4,0), box = [8, 8]>
// CHECK-LABEL: @conversion_goes_through_scratch
tile.kernel @conversion_goes_through_scratch(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #two_rows>
  // CHECK: %[[SCRATCH:.*]] = memref.alloc()
  // CHECK: tile_gpu.store_shared %{{.*}}, %[[SCRATCH]]
  // CHECK: tile_gpu.load_shared %[[SCRATCH]]
  %u = tile.convert_layout %t : !tile.tile<8x8xf32, #two_rows> to !tile.tile<8x8xf32, #two_columns>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #two_columns>, memref<8x8xf32>
  tile.return
}

// ... elements that stay in their warp are shuffled if few shuffles are enough, ...
// CHECK-LABEL: @conversion_is_shuffled
tile.kernel @conversion_is_shuffled(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #lanes>
  // CHECK-NOT: memref.alloc
  // CHECK: tile.convert_layout
  %u = tile.convert_layout %t : !tile.tile<8x8xf32, #lanes> to !tile.tile<8x8xf32, #columns>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #columns>, memref<8x8xf32>
  tile.return
}

// ... and a conversion to the same layout in another notation moves nothing.
// CHECK-LABEL: @equivalent_layouts_are_renamed
tile.kernel @equivalent_layouts_are_renamed(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #lanes>
  // CHECK-NOT: memref.alloc
  // CHECK: tile.convert_layout
  %u = tile.convert_layout %t : !tile.tile<8x8xf32, #lanes> to !tile.tile<8x8xf32, #tile.register<((2,4,4),1,2):((1,2,8),0,32), box = [8, 8]>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #tile.register<((2,4,4),1,2):((1,2,8),0,32), box = [8, 8]>>, memref<8x8xf32>
  tile.return
}

// Views and transposes of tiles become views of memrefs.
// CHECK-LABEL: @views_of_a_buffer
tile.kernel @views_of_a_buffer(%x: memref<8x8xf32>, %i: index, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BUFFER:.*]] = memref.alloc()
  // CHECK: %[[PART:.*]] = memref.subview %[[BUFFER]][%{{.*}}, 0] [4, 8] [1, 1]
  // CHECK: %[[TURNED:.*]] = memref.transpose %[[PART]] (d0, d1) -> (d1, d0)
  // CHECK: tile_gpu.load_shared %[[TURNED]]
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %v = tile.view %t[%i, %c0] : !tile.tile<8x8xf32, #rows> to !tile.tile<4x8xf32, #rows>
  %w = tile.transpose %v [1, 0] : !tile.tile<4x8xf32, #rows> to !tile.tile<8x4xf32, #tile.shared<(8,8):(1,8)>>
  %u = tile.convert_layout %w : !tile.tile<8x4xf32, #tile.shared<(8,8):(1,8)>> to !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x8xf32>
  tile.return
}

// A store of registers to a buffer writes zeros to its padding, which a matmul reads.
// CHECK-LABEL: @padding_is_zero
tile.kernel @padding_is_zero(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<6x6xf32, #lanes>
  // CHECK: tile_gpu.store_shared {{.*}} zero_padding
  %s = tile.convert_layout %t : !tile.tile<6x6xf32, #lanes> to !tile.tile<6x6xf32, #rows>
  %u = tile.convert_layout %s : !tile.tile<6x6xf32, #rows> to !tile.tile<6x6xf32, #lanes>
  tile.store %u, %y[%c0, %c0] : !tile.tile<6x6xf32, #lanes>, memref<8x8xf32>
  tile.return
}

// A reshape of a tile in shared memory passes through registers into a compact buffer,
// whose addresses are row-major indices, ...
// CHECK-LABEL: @reshape_of_a_buffer
tile.kernel @reshape_of_a_buffer(%x: memref<8x8xf32>, %y: memref<16x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<8x8xf32, #tile.shared<(8,8):(1,8)>>
  // CHECK: %[[COMPACT:.*]] = memref.alloc() : memref<16x4xf32, #tile.shared<(16,4):(4,1)>>
  // CHECK: %[[TILE:.*]] = tile_gpu.load_shared %[[BUFFER]]
  // CHECK: tile_gpu.store_shared %[[TILE]], %[[COMPACT]]
  // CHECK: tile_gpu.load_shared %[[COMPACT]]
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared<(8,8):(1,8)>>
  %r = tile.reshape %t : !tile.tile<8x8xf32, #tile.shared<(8,8):(1,8)>> to !tile.tile<16x4xf32, #tile.shared<(16,4):(4,1)>>
  %u = tile.convert_layout %r : !tile.tile<16x4xf32, #tile.shared<(16,4):(4,1)>> to !tile.tile<16x4xf32, #tile.register<((4,8),1,2):((1,4),0,32), box = [16, 4]>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<16x4xf32, #tile.register<((4,8),1,2):((1,4),0,32), box = [16, 4]>>, memref<16x4xf32>
  tile.return
}

// ... and from this buffer into one of another layout.
// CHECK-LABEL: @reshape_to_a_layout
tile.kernel @reshape_to_a_layout(%x: memref<8x8xf32>, %i: index, %y: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[PART:.*]] = memref.subview %{{.*}}[%{{.*}}, %{{.*}}] [4, 4] [1, 1]
  // CHECK: %[[COMPACT:.*]] = memref.alloc() : memref<2x8xf32, #tile.shared<(2,8):(8,1)>>
  // CHECK: tile_gpu.load_shared %[[PART]]
  // CHECK: tile_gpu.store_shared %{{.*}}, %[[COMPACT]]
  // CHECK: %[[COPY:.*]] = tile_gpu.load_shared %[[COMPACT]]
  // CHECK: %[[RESULT:.*]] = memref.alloc() : memref<2x8xf32, #tile.shared<(4,8):(1,4)>>
  // CHECK: tile_gpu.store_shared %[[COPY]], %[[RESULT]] zero_padding
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %v = tile.view %t[%i, %i] : !tile.tile<8x8xf32, #rows> to !tile.tile<4x4xf32, #rows>
  %r = tile.reshape %v : !tile.tile<4x4xf32, #rows> to !tile.tile<2x8xf32, #tile.shared<(4,8):(1,4)>>
  %u = tile.convert_layout %r : !tile.tile<2x8xf32, #tile.shared<(4,8):(1,4)>> to !tile.tile<2x8xf32, #tile.register<((8,2,2),1,1):((1,8,0),0,0), box = [2, 8]>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<2x8xf32, #tile.register<((8,2,2),1,1):((1,8,0),0,0), box = [2, 8]>>, memref<4x4xf32>
  tile.return
}

// A tile in registers is stored in its new shape, without a buffer of the old shape.
// CHECK-LABEL: @reshape_of_registers
tile.kernel @reshape_of_registers(%x: memref<8x8xf32>, %y: memref<16x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[TILE:.*]] = tile.load
  // CHECK-COUNT-1: memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: tile_gpu.store_shared %[[TILE]], %{{.*}} : {{.*}}, memref<16x4xf32
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #lanes>
  %s = tile.convert_layout %t : !tile.tile<8x8xf32, #lanes> to !tile.tile<8x8xf32, #rows>
  %r = tile.reshape %s : !tile.tile<8x8xf32, #rows> to !tile.tile<16x4xf32, #tile.shared<(16,4):(4,1)>>
  %u = tile.convert_layout %r : !tile.tile<16x4xf32, #tile.shared<(16,4):(4,1)>> to !tile.tile<16x4xf32, #tile.register<((4,8),1,2):((1,4),0,32), box = [16, 4]>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<16x4xf32, #tile.register<((4,8),1,2):((1,4),0,32), box = [16, 4]>>, memref<16x4xf32>
  tile.return
}

// An insert changes the buffer in place if no other tile uses it, ...
// CHECK-LABEL: @insert_in_place
tile.kernel @insert_in_place(%x: memref<8x8xf32>, %i: index, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %p = arith.constant dense<1.5> : !tile.tile<4x4xf32, #part>
  // CHECK: %[[BUFFER:.*]] = memref.alloc()
  // CHECK-NOT: memref.alloc
  // CHECK: %[[BOX:.*]] = memref.subview %[[BUFFER]][%{{.*}}, %{{.*}}] [4, 4] [1, 1]
  // CHECK: tile_gpu.store_shared %{{.*}}, %[[BOX]]
  // CHECK: tile_gpu.load_shared %[[BUFFER]]
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %s = tile.insert %p into %t[%i, %i] : !tile.tile<4x4xf32, #part> into !tile.tile<8x8xf32, #rows>
  %u = tile.convert_layout %s : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  tile.return
}

// ... and otherwise a copy, here since the loop's next iteration reads the buffer
// again.
// CHECK-LABEL: @insert_in_a_loop
tile.kernel @insert_in_a_loop(%x: memref<8x8xf32>, %i: index, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %p = arith.constant dense<1.5> : !tile.tile<4x4xf32, #part>
  %c1 = arith.constant 1 : index
  // CHECK: %[[BUFFER:.*]] = memref.alloc()
  // CHECK: scf.for
  // CHECK: %[[TILE:.*]] = tile_gpu.load_shared %[[BUFFER]]
  // CHECK: %[[COPY:.*]] = memref.alloc()
  // CHECK: tile_gpu.store_shared %[[TILE]], %[[COPY]]
  // CHECK: %[[BOX:.*]] = memref.subview %[[COPY]]
  // CHECK: tile_gpu.store_shared %{{.*}}, %[[BOX]]
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  scf.for %n = %c0 to %i step %c1 {
    %s = tile.insert %p into %t[%n, %n] : !tile.tile<4x4xf32, #part> into !tile.tile<8x8xf32, #rows>
    %u = tile.convert_layout %s : !tile.tile<8x8xf32, #rows> to !tile.tile<8x8xf32, #lanes>
    tile.store %u, %y[%n, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  }
  tile.return
}

// The buffer of a view belongs to the view's source, so it is copied.
// CHECK-LABEL: @insert_into_a_view
tile.kernel @insert_into_a_view(%x: memref<8x8xf32>, %i: index, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %p = arith.constant dense<1.5> : !tile.tile<2x2xf32, #corner>
  // CHECK: %[[VIEW:.*]] = memref.subview
  // CHECK: %[[TILE:.*]] = tile_gpu.load_shared %[[VIEW]]
  // CHECK: %[[COPY:.*]] = memref.alloc()
  // CHECK: tile_gpu.store_shared %[[TILE]], %[[COPY]]
  // CHECK: memref.subview %[[COPY]]
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  %v = tile.view %t[%i, %i] : !tile.tile<8x8xf32, #rows> to !tile.tile<4x4xf32, #rows>
  %s = tile.insert %p into %v[%i, %i] : !tile.tile<2x2xf32, #corner> into !tile.tile<4x4xf32, #rows>
  %u = tile.convert_layout %s : !tile.tile<4x4xf32, #rows> to !tile.tile<4x4xf32, #part>
  tile.store %u, %y[%c0, %c0] : !tile.tile<4x4xf32, #part>, memref<8x8xf32>
  tile.return
}

// One thread prints a buffer. A tile in registers is first stored to one, and the print
// records its original storage.
// CHECK-LABEL: @printed
tile.kernel @printed(%x: memref<8x8xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SHARED:.*]] = memref.alloc()
  // CHECK: tile_gpu.copy_async %{{.*}} to %[[SHARED]]
  %s = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #rows>
  // CHECK: %[[TILE:.*]] = tile.load %
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #lanes>
  // CHECK-NEXT: tile.print "s", %[[SHARED]] : memref<8x8xf32, {{.*}}> {storage = "shared"}
  tile.print "s", %s : !tile.tile<8x8xf32, #rows>
  // CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc() : memref<8x8xf32, #tile.shared<(8,8):(8,1)>>
  // CHECK-NEXT: tile_gpu.store_shared %[[TILE]], %[[BUFFER]]
  // CHECK-NEXT: tile.print "t", %[[BUFFER]] : memref<8x8xf32, {{.*}}> {storage = "register"}
  tile.print "t", %t : !tile.tile<8x8xf32, #lanes>
  // CHECK-NEXT: tile.print "n", %{{.*}} : index
  tile.print "n", %n : index
  // CHECK-NEXT: tile.print "nothing"
  tile.print "nothing"
  // CHECK-NEXT: tile.return
  tile.return
}

// One thread reads an element that all threads hold; the others get it from a buffer.
// If each thread has its own element, no buffer is inserted.
// CHECK-LABEL: @atomic_load
tile.kernel @atomic_load(%x: memref<8x8xf32>, %y: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[READ:.*]] = tile.atomic_load
  // CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc() : memref<2x2xf32
  // CHECK-NEXT: tile_gpu.store_shared %[[READ]], %[[BUFFER]]
  // CHECK-NEXT: %[[SAME:.*]] = tile_gpu.load_shared %[[BUFFER]]
  // CHECK-NEXT: %[[OWN:.*]] = tile.atomic_load
  // CHECK-NEXT: tile.store %[[SAME]]
  // CHECK-NEXT: tile.store %[[OWN]]
  %t = tile.atomic_load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<2x2xf32, #corner>
  %u = tile.atomic_load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #lanes>
  tile.store %t, %y[%c0, %c0] : !tile.tile<2x2xf32, #corner>, memref<8x8xf32>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xf32, #lanes>, memref<8x8xf32>
  tile.return
}
