// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#pairs = #tile.register<((2,16),1,(2,4)):((2,0),0,(1,4)), box = [4, 4]>
#column = #tile.register<((2,16),1,2):((2,0),0,1), box = [4]>

// A lane has two columns, and computes their reflections without other lanes. In each
// step the elements of the column from the diagonal on are shuffled to all lanes.
// CHECK-LABEL: @factor
// CHECK-COUNT-4: gpu.shuffle idx
// CHECK: math.copysign
// CHECK-COUNT-3: gpu.shuffle idx
// CHECK: math.copysign
// CHECK-COUNT-2: gpu.shuffle idx
// CHECK: math.copysign
// CHECK-COUNT-1: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @factor(%a: memref<4x4xf32>, %b: memref<4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #pairs>
  %f, %s = tile.householder %x : !tile.tile<4x4xf32, #pairs>, !tile.tile<4xf32, #column>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #pairs>, memref<4x4xf32>
  tile.store %s, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xf32, #column>, memref<4xf32>
  tile.return
}

// -----

#pairs = #tile.register<((2,16),1,(2,4)):((2,0),0,(1,4)), box = [4, 4]>
#side = #tile.register<((2,16),1,(2,4)):((0,0),0,(1,2)), box = [4, 2]>
#column = #tile.register<((2,16),1,2):((2,0),0,1), box = [4]>

// Each step reads the scale and the vector's elements below the diagonal.
// CHECK-LABEL: @apply
// CHECK-COUNT-10: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
tile.kernel @apply(%a: memref<4x4xf32>, %b: memref<4xf32>, %c: memref<4x2xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %f = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #pairs>
  %s = tile.load %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4xf32> -> !tile.tile<4xf32, #column>
  %x = tile.load %c[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x2xf32> -> !tile.tile<4x2xf32, #side>
  %y = tile.apply_householder %f, %s, %x transposed : !tile.tile<4x4xf32, #pairs>, !tile.tile<4xf32, #column>, !tile.tile<4x2xf32, #side>
  tile.store %y, %c[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x2xf32, #side>, memref<4x2xf32>
  tile.return
}

// -----

#columns = #tile.register<((16,2),1,(2,20)):((1,0),0,(16,32)), box = [20, 32]>
#column = #tile.register<((16,2),1,2):((1,0),0,16), box = [32]>

// With more than 16 rows, each loop computes four consecutive steps.
// CHECK-LABEL: @loops
// CHECK-COUNT-5: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.kernel @loops(%a: memref<20x20xf32>, %b: memref<20xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : memref<20x20xf32> -> !tile.tile<20x20xf32, #columns>
  %f, %s = tile.householder %x : !tile.tile<20x20xf32, #columns>, !tile.tile<20xf32, #column>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : !tile.tile<20x20xf32, #columns>, memref<20x20xf32>
  tile.store %s, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = element>} : !tile.tile<20xf32, #column>, memref<20xf32>
  tile.return
}

// -----

#columns = #tile.register<(32,4,66):(1,32,128), box = [66, 128]>
#column = #tile.register<(32,4,1):(1,32,0), box = [128]>
#scratch = #tile.shared<(1,3,68):(204,68,1)>

// Each thread of four warps has a column of one matrix. In each step the thread of the
// step's column writes vector and scale to one of two alternating rows of the buffer.
// CHECK-LABEL: @several_warps
// CHECK: scf.for
// CHECK: scf.if
// CHECK-COUNT-16: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} : vector<1xf32>, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-16: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT: gpu.shuffle
tile.kernel @several_warps(%a: memref<66x65xf32>, %b: memref<65xf32>) attributes {block = 128 : i64, tile.shared_bytes = 816 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<66x65xf32> -> !tile.tile<66x65xf32, #columns>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : memref<1x3x68xf32, #scratch>
  %f, %s = tile.householder %x scratch %buffer of memref<1x3x68xf32, #scratch> : !tile.tile<66x65xf32, #columns>, !tile.tile<65xf32, #column>
  gpu.barrier
  tile.store %f, %a[%c0, %c0] {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<66x65xf32, #columns>, memref<66x65xf32>
  tile.store %s, %b[%c0] {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<65xf32, #column>, memref<65xf32>
  tile.return
}
