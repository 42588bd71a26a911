// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>
#row = #tile.register<((4,8),1,1):((1,0),0,0), box = [4]>
#all = #tile.register<((4,8),1,1):((0,0),0,0), box = []>
#scratch = #tile.shared<(8,5,4):(20,4,1)>

// Each lane has a row, and a warp eight copies of the matrix. A step compares
// magnitudes over four lanes, finds the first of the largest by one instruction for all
// copies, and writes the row of the pivot, which all lanes read. The last pivot is only
// needed for the status. At the end, the rows' indices are stored in the order of their
// ranks.
// CHECK-LABEL: @lane_a_row
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK: nvvm.redux.sync or
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK: nvvm.redux.sync or
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK: nvvm.redux.sync or
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: gpu.shuffle
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.store {{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.load {{.*}} -> i32
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @lane_a_row(%a: memref<4x4xf32>, %b: memref<4xi32>, %c: memref<1xi32>) attributes {block = 32 : i64, tile.shared_bytes = 640 : i64} {
  %c0 = arith.constant 0 : index
  %rows = memref.alloc() {tile.shared_offset = 0 : i64} : memref<8x5x4xf32, #scratch>
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %f, %p, %s = tile.lu %x unordered scratch %rows of memref<8x5x4xf32, #scratch> : !tile.tile<4x4xf32, #rows>, !tile.tile<4xi32, #row> status !tile.tile<i32, #all>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.store %p, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xi32, #row>, memref<4xi32>
  tile.return
}

// -----

#rows = #tile.register<(32,1,(33,2)):(33,0,(1,1056)), box = [64, 33]>
#sides = #tile.register<(32,1,2):(1,0,32), box = [64, 1]>
#scratch = #tile.shared<(1,35,36):(1260,36,1)>

// All lanes share one matrix, so one instruction finds a maximum or minimum. Each lane
// has two rows, either of which may contain the pivot; the right-hand side is element
// 34 of a row. Two iterations of a loop compute eight steps, each of its four steps on
// the columns of the first iteration. The triangular system takes a shuffle for each
// row.
// CHECK-LABEL: @two_rows
// CHECK: scf.for
// CHECK: nvvm.redux.sync umax
// CHECK: nvvm.redux.sync umin
// CHECK: scf.if
// CHECK-COUNT-8: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: scf.if
// CHECK-COUNT-8: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-3: nvvm.redux.sync umin
// CHECK-COUNT-3: scf.for
// CHECK-COUNT-4: nvvm.redux.sync umin
// CHECK-NOT: scf.for
// CHECK-NOT: nvvm.redux.sync
// CHECK-COUNT-33: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
tile.kernel @two_rows(%a: memref<33x33xf32>, %b: memref<33x1xf32>) attributes {block = 32 : i64, tile.shared_bytes = 5040 : i64} {
  %c0 = arith.constant 0 : index
  %rows = memref.alloc() {tile.shared_offset = 0 : i64} : memref<1x35x36xf32, #scratch>
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : memref<33x33xf32> -> !tile.tile<33x33xf32, #rows>
  %y = tile.load %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : memref<33x1xf32> -> !tile.tile<33x1xf32, #sides>
  %r = tile.solve %x, %y scratch %rows of memref<1x35x36xf32, #scratch> : !tile.tile<33x33xf32, #rows>, !tile.tile<33x1xf32, #sides>
  tile.store %r, %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : !tile.tile<33x1xf32, #sides>, memref<33x1xf32>
  tile.return
}

// -----

#whole = #tile.register<(32,1,(2,2)):(4,0,(1,2)), box = [32, 2, 2]>

// A lane that holds whole matrices does not communicate.
// CHECK-LABEL: @whole
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: llvm.store
// CHECK-NOT: nvvm.bar
// CHECK: tile.return
tile.kernel @whole(%a: memref<32x2x2xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<32x2x2xf32> -> !tile.tile<32x2x2xf32, #whole>
  %r = tile.inverse %x : !tile.tile<32x2x2xf32, #whole>
  tile.store %r, %a[%c0, %c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<32x2x2xf32, #whole>, memref<32x2x2xf32>
  tile.return
}

// -----

#rows = #tile.register<(32,4,65):(65,2080,1), box = [128, 65]>
#scratch = #tile.shared<(1,67,68):(4556,68,1)>

// Four warps share a matrix. Each finds its first largest element, and passes value and
// index to the others. A step has a barrier after this, and one after the pivot row's
// write.
// CHECK-LABEL: @four_warps
// CHECK: scf.for
// CHECK: nvvm.redux.sync umax
// CHECK: nvvm.redux.sync umin
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<2xi32>
// CHECK: scf.if
// CHECK-COUNT-16: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<1xf32>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-NOT: bar.warp.sync
tile.kernel @four_warps(%a: memref<65x65xf32>) attributes {block = 128 : i64, tile.shared_bytes = 18224 : i64} {
  %c0 = arith.constant 0 : index
  %rows = memref.alloc() {tile.shared_offset = 0 : i64} : memref<1x67x68xf32, #scratch>
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : memref<65x65xf32> -> !tile.tile<65x65xf32, #rows>
  %r = tile.inverse %x scratch %rows of memref<1x67x68xf32, #scratch> : !tile.tile<65x65xf32, #rows>
  tile.store %r, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : !tile.tile<65x65xf32, #rows>, memref<65x65xf32>
  tile.return
}
