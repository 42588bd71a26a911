// RUN: tile-opt %s -convert-tile-to-nvgpu | FileCheck %s

// Of rows that may begin anywhere every second has the same alignment. Those of
// a class are copied asynchronously where the address of its first row is a
// multiple of 4 bytes, 2 times the stride being one too. Pointers are made one
// from the other.
// CHECK-LABEL: @copies_rows_in_two_classes
// CHECK-SAME: %[[ARRAY:[a-z0-9]*]]: memref
// CHECK-SAME: %[[ROW:[a-z0-9]*]]: index, %[[COLUMN:[a-z0-9]*]]: index
tile.kernel @copies_rows_in_two_classes(%x: memref<?x?xf16, strided<[?, 1]>>, %i: index, %j: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  // CHECK: %[[BASE:.*]] = llvm.inttoptr {{.*}} !llvm.ptr<1>
  // CHECK: %[[BUFFER:.*]] = llvm.inttoptr {{.*}} !llvm.ptr<3>
  // CHECK: scf.for %[[CLASS:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
  // CHECK: %[[FIRST:.*]] = arith.addi %[[ROW]], %[[CLASS]]
  // CHECK: %[[ROWS:.*]] = arith.muli %[[FIRST]], %[[STRIDE:.*]]#0
  // CHECK: %[[START:.*]] = arith.addi %{{.*}}, %[[ROWS]]
  // CHECK: %[[COLUMNS:.*]] = arith.muli %[[COLUMN]], %[[STRIDE]]#1
  // CHECK: %[[LINEAR:.*]] = arith.addi %[[START]], %[[COLUMNS]]
  // CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[ARRAY]]
  // CHECK: %[[BYTES:.*]] = arith.muli %[[LINEAR]], %c2
  // CHECK: %[[BELOW:.*]] = arith.ori %[[ADDRESS]], %[[BYTES]]
  // CHECK: %[[MISALIGNED:.*]] = arith.andi %[[BELOW]], %c3
  // CHECK: %[[IS_ALIGNED:.*]] = arith.cmpi eq, %[[MISALIGNED]], %c0
  // CHECK: scf.if %[[IS_ALIGNED]]
  // CHECK: %[[WORD:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}]
  // CHECK: %[[STEP:.*]] = arith.muli %[[STRIDE]]#0, %c2
  // CHECK: %[[BY:.*]] = arith.index_cast %[[STEP]]
  // CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[WORD]][%[[BY]]]
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[WORD]], 4, cache =  ca
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[NEXT]], 4, cache =  ca

  // Else all elements are loaded before the first word is stored.
  // CHECK: scf.for
  // CHECK: %[[IS_NOT:.*]] = arith.cmpi ne
  // CHECK: scf.if %[[IS_NOT]]
  // CHECK: %[[E0:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
  // CHECK: %[[E1:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
  // CHECK-COUNT-2: llvm.load
  // CHECK-NOT: llvm.load
  // CHECK: %[[PACKED:.*]] = vector.from_elements %[[E0]], %[[E1]] : vector<2xi16>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[PACKED]] : vector<2xi16> to i32
  // CHECK: llvm.store %[[BITS]], %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
  // CHECK: llvm.store
  tile.copy_async %x[%i, %j] to %a in_bounds : memref<?x?xf16, strided<[?, 1]>> to memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  // CHECK: tile.return
  tile.return
}

// A word of bytes has four elements, and rows have four classes. Arrays by
// columns are the same with the dimensions exchanged.
// CHECK-LABEL: @copies_columns_in_four_classes
tile.kernel @copies_columns_in_four_classes(%x: memref<?x?xi8, strided<[1, ?]>>, %i: index, %j: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<128x4xi8, #tile.shared<(128,4):(1,128)>>
  // CHECK: scf.for %[[CLASS:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
  // CHECK: arith.addi %arg2, %[[CLASS]]
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 4, cache =  ca
  // CHECK: scf.for
  // CHECK-COUNT-4: llvm.load {{.*}} -> i8
  // CHECK-NOT: llvm.load
  // CHECK: vector.from_elements {{.*}} : vector<4xi8>
  tile.copy_async %x[%i, %j] to %a in_bounds : memref<?x?xi8, strided<[1, ?]>> to memref<128x4xi8, #tile.shared<(128,4):(1,128)>>
  // CHECK: tile.return
  tile.return
}

// A single row has one class.
// CHECK-LABEL: @copies_one_row
tile.kernel @copies_one_row(%x: memref<?xbf16, strided<[1]>>, %i: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<64xbf16, #tile.shared<(64):(1)>>
  // CHECK-NOT: scf.for
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 4, cache =  ca
  // CHECK: vector.from_elements {{.*}} : vector<2xi16>
  tile.copy_async %x[%i] to %a in_bounds : memref<?xbf16, strided<[1]>> to memref<64xbf16, #tile.shared<(64):(1)>>
  // CHECK: tile.return
  tile.return
}

// The step along another dimension must be a multiple of a word too.
// CHECK-LABEL: @tests_the_other_stride
tile.kernel @tests_the_other_stride(%x: memref<?x?x?xf16, strided<[?, ?, 1]>>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<2x4x64xf16, #tile.shared<(2,4,64):(256,64,1)>>
  // CHECK: %[[METADATA:.*]], %[[OFFSET:.*]], %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata
  // CHECK: scf.for
  // CHECK: %[[BITS:.*]] = arith.ori %{{.*}}, %[[STRIDES]]#0
  // CHECK: arith.muli %[[BITS]], %c2
  tile.copy_async %x[%i, %c0, %c0] to %a in_bounds : memref<?x?x?xf16, strided<[?, ?, 1]>> to memref<2x4x64xf16, #tile.shared<(2,4,64):(256,64,1)>>
  // CHECK: tile.return
  tile.return
}

// At the edge of the array rows outside are read at one that is inside, columns
// at the nearest one inside, and what was read is zero. Where the box has nothing
// of the array, nothing is read.
// CHECK-LABEL: @guards_words
// CHECK-SAME: index, %[[COLUMN:[a-z0-9]*]]: index
tile.kernel @guards_words(%x: memref<?x?xf16, strided<[?, 1]>>, %i: index, %j: index) attributes {block = 32 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  // CHECK: %[[OWN:.*]] = arith.muli %{{.*}}, %c2
  // CHECK: } else {
  // CHECK: %[[OFFSET:.*]] = arith.maxsi %[[COLUMN]], %c-64
  // CHECK: %[[BEFORE:.*]] = arith.subi %c0{{.*}}, %[[OFFSET]]
  // CHECK: %[[FIRST:.*]] = arith.maxsi %[[BEFORE]], %c0
  // CHECK: %[[LEFT:.*]] = arith.subi %dim{{.*}}, %[[OFFSET]]
  // CHECK: %[[END:.*]] = arith.minsi %[[LEFT]], %c64
  // CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[FIRST]]
  // CHECK: %[[HAS_COLUMNS:.*]] = arith.cmpi sgt, %[[COUNT]], %c0
  // CHECK: %[[IS_ANY:.*]] = arith.andi %{{.*}}, %[[HAS_COLUMNS]]
  // CHECK: scf.if %[[IS_ANY]]
  // CHECK: scf.for
  // CHECK: %[[ROW_INSIDE:.*]] = llvm.getelementptr
  // CHECK: %[[FROM_FIRST:.*]] = arith.maxsi %[[OWN]], %[[FIRST]]
  // CHECK: %[[PLACE:.*]] = arith.minsi %[[FROM_FIRST]]
  // CHECK: %[[AFTER_FIRST:.*]] = arith.subi %[[OWN]], %[[FIRST]]
  // CHECK: %[[IS_COLUMN:.*]] = arith.cmpi ult, %[[AFTER_FIRST]], %[[COUNT]]
  // CHECK: %[[LOW:.*]] = arith.select %[[IS_COLUMN]], %c65535_i32, %c0_i32
  // CHECK: %[[HIGH:.*]] = arith.select %{{.*}}, %c-65536_i32, %c0_i32
  // CHECK: %[[MASK:.*]] = arith.ori %[[LOW]], %[[HIGH]]
  // CHECK: %[[IS_ROW:.*]] = arith.cmpi ult
  // CHECK: %[[ROW:.*]] = llvm.select %[[IS_ROW]], %{{.*}}, %[[ROW_INSIDE]]
  // CHECK: %[[AT:.*]] = arith.index_cast %[[PLACE]]
  // CHECK: %[[ELEMENT:.*]] = llvm.getelementptr %[[ROW]][%[[AT]]]
  // CHECK: llvm.load %[[ELEMENT]]
  // CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : vector<2xi16> to i32
  // CHECK: %[[MASKED:.*]] = arith.andi %[[WORD]], %[[MASK]]
  // CHECK: %[[STORED:.*]] = arith.select %[[IS_ROW]], %[[MASKED]], %c0_i32
  // CHECK: llvm.store %[[STORED]], %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
  // CHECK: } else {
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store %c0_i32
  tile.copy_async %x[%i, %j] to %a : memref<?x?xf16, strided<[?, 1]>> to memref<4x64xf16, #tile.shared<(4,64):(64,1)>>
  // CHECK: tile.return
  tile.return
}
