// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

// Operands are row-major: ldmatrix reads rows of lhs along K, and ldmatrix.trans reads
// rows of rhs along N. Each instruction reads four matrices.
// CHECK-LABEL: @row_major
tile.kernel @row_major(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
  // CHECK-COUNT-2: nvvm.mma.sync
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// For an operand that tile.transpose transposes, the other form of ldmatrix is used.
// CHECK-LABEL: @transposed_tiles
tile.kernel @transposed_tiles(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %xt = tile.transpose %x [1, 0] : !tile.tile<16x16xf16> to !tile.tile<16x16xf16>
  %yt = tile.transpose %y [1, 0] : !tile.tile<16x16xf16> to !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %r = tile.matmul %xt, %yt, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// Column-major arrays are read in the same way, and copied 16 bytes at a time.
// CHECK-LABEL: @column_major_arrays
tile.kernel @column_major_arrays(%a: memref<64x64xf16, strided<[1, 64]>> {tile.alignment = 16 : i64}, %b: memref<64x64xf16, strided<[1, 64]>> {tile.alignment = 16 : i64}, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
  // CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16, strided<[1, 64]>> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16, strided<[1, 64]>> -> !tile.tile<16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<16x16xf16> -> !tile.tile<16x16xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32>, memref<64x64xf32>
  tile.return
}

// One tile is both operands, and one operand is padded further than the other: each
// operand's reads cover only its own part of the box.
// CHECK-LABEL: @reads_part_of_a_larger_box
tile.kernel @reads_part_of_a_larger_box(%a: memref<64x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // The matmul has two steps along K of 2 x 3 instructions.
  // CHECK-COUNT-12: nvvm.mma.sync
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<24x20xf16>
  %y = tile.transpose %x [1, 0] : !tile.tile<24x20xf16> to !tile.tile<20x24xf16>
  %z = arith.constant dense<0.0> : !tile.tile<24x24xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<24x20xf16>, !tile.tile<20x24xf16> -> !tile.tile<24x24xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<24x24xf32>, memref<64x64xf32>
  tile.return
}

// f32 is multiplied by FMA.
// CHECK-LABEL: @fma
tile.kernel @fma(%a: memref<64x64xf32>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: math.fma
  %x = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<8x4xf32>
  %y = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<4x8xf32>
  %z = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<8x4xf32>, !tile.tile<4x8xf32> -> !tile.tile<8x8xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<8x8xf32>, memref<64x64xf32>
  tile.return
}

// A thread's 8 x 4 elements read from operands whose fastest dimension is M and
// N: whole vectors of a step along K.
// CHECK-LABEL: @fma_reads_along_m_and_n
tile.kernel @fma_reads_along_m_and_n(%a: memref<64x64xf32, strided<[1, 64]>> {tile.alignment = 16 : i64}, %b: memref<64x64xf32> {tile.alignment = 16 : i64}, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // A step along K reads four rows and four columns, then the other four rows.
  // CHECK-COUNT-2: vector.load {{.*}} vector<4xf32>
  // CHECK-NOT: vector.load
  // CHECK-COUNT-16: math.fma
  // CHECK: vector.load {{.*}} vector<4xf32>
  // CHECK-NOT: vector.load
  // CHECK-COUNT-16: math.fma
  // The next step along K starts here.
  // CHECK-COUNT-2: vector.load {{.*}} vector<4xf32>
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xf32, strided<[1, 64]>> -> !tile.tile<32x8xf32>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf32> -> !tile.tile<8x32xf32>
  %z = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], thread = [8, 4]> : !tile.tile<32x8xf32>, !tile.tile<8x32xf32> -> !tile.tile<32x32xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<32x32xf32>, memref<64x64xf32>
  tile.return
}

// If the fastest dimension is K: vectors of four steps, of each row and column,
// and no other loads before the fifth step.
// CHECK-LABEL: @fma_reads_along_k
tile.kernel @fma_reads_along_k(%a: memref<64x64xf32> {tile.alignment = 16 : i64}, %b: memref<64x64xf32, strided<[1, 64]>> {tile.alignment = 16 : i64}, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-COUNT-12: vector.load {{.*}} vector<4xf32>
  // CHECK-NOT: vector.load
  // CHECK-COUNT-97: math.fma
  // CHECK: vector.load {{.*}} vector<4xf32>
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<32x8xf32>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf32, strided<[1, 64]>> -> !tile.tile<8x32xf32>
  %z = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], thread = [8, 4]> : !tile.tile<32x8xf32>, !tile.tile<8x32xf32> -> !tile.tile<32x32xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<32x32xf32>, memref<64x64xf32>
  tile.return
}

// Complex operands are read element by element.
// CHECK-LABEL: @complex
tile.kernel @complex(%a: memref<64x64xcomplex<f32>>, %d: memref<64x64xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: vector<{{[0-9]+}}xcomplex
  // CHECK-COUNT-4: math.fma
  // CHECK: complex.create
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  %r = tile.matmul %x, %x, %x : !tile.tile<8x8xcomplex<f32>>, !tile.tile<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  tile.store %r, %d[%c0, %c0] : !tile.tile<8x8xcomplex<f32>>, memref<64x64xcomplex<f32>>
  tile.return
}

// A batch on one warp: each step along K computes all matmuls of the batch. An operand
// that the matmuls share is read once.
// CHECK-LABEL: @batch
tile.kernel @batch(%a: memref<64x64xf16>, %b: memref<4x64x64xf16>, %d: memref<4x64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-COUNT-4: nvgpu.ldmatrix
  // CHECK-NOT: nvgpu.ldmatrix
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0, %c0] : memref<4x64x64xf16> -> !tile.tile<3x16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<3x16x16xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<3x16x16xf16> -> !tile.tile<3x16x16xf32>
  tile.store %r, %d[%c0, %c0, %c0] : !tile.tile<3x16x16xf32>, memref<4x64x64xf32>
  tile.return
}

// In the first batch each matmul has a warp; the second batch uses FMA.
// CHECK-LABEL: @batch_over_warps
tile.kernel @batch_over_warps(%a: memref<64x64xf16>, %b: memref<4x64x64xf16>, %d: memref<4x64x64xf32>) attributes {block = 96 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-COUNT-2: nvvm.mma.sync
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: tile.return
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<16x16xf16>
  %y = tile.load %b[%c0, %c0, %c0] : memref<4x64x64xf16> -> !tile.tile<3x16x16xf16>
  %z = arith.constant dense<0.0> : !tile.tile<3x16x16xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<16x16xf16>, !tile.tile<3x16x16xf16> -> !tile.tile<3x16x16xf32>
  tile.store %r, %d[%c0, %c0, %c0] : !tile.tile<3x16x16xf32>, memref<4x64x64xf32>
  tile.return
}
// CHECK-LABEL: @batch_by_fma
tile.kernel @batch_by_fma(%b: memref<4x64x64xf32>, %d: memref<4x64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // By FMA, a thread has eight elements of each of three results; K has four steps.
  // CHECK-COUNT-96: math.fma
  // CHECK-NOT: math.fma
  // CHECK: tile.return
  %y = tile.load %b[%c0, %c0, %c0] : memref<4x64x64xf32> -> !tile.tile<3x16x4xf32>
  %x = tile.transpose %y [0, 2, 1] : !tile.tile<3x16x4xf32> to !tile.tile<3x4x16xf32>
  %z = arith.constant dense<0.0> : !tile.tile<3x16x16xf32>
  %r = tile.matmul %y, %x, %z : !tile.tile<3x16x4xf32>, !tile.tile<3x4x16xf32> -> !tile.tile<3x16x16xf32>
  tile.store %r, %d[%c0, %c0, %c0] : !tile.tile<3x16x16xf32>, memref<4x64x64xf32>
  tile.return
}

// Matmuls of a batch whose size is not a power of two: they are whole spans of
// the swizzle, which is computed once for a thread and xored for each step.
// CHECK-LABEL: @swizzled_batch
tile.kernel @swizzled_batch(%a: memref<2x48x64xf16>, %b: memref<64x64xf16>, %d: memref<2x48x64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: nvgpu.ldmatrix {{.*}} transpose = false}
  // CHECK-NOT: arith.divui
  // CHECK: nvgpu.ldmatrix {{.*}} transpose = true}
  // CHECK-NOT: arith.divui
  // CHECK: arith.xori
  // CHECK-NOT: arith.divui
  // CHECK: nvgpu.ldmatrix {{.*}} transpose = true}
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x48x64xf16> -> !tile.tile<2x48x64xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x8xf16>
  %z = arith.constant dense<0.0> : !tile.tile<2x48x8xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<2x48x64xf16>, !tile.tile<64x8xf16> -> !tile.tile<2x48x8xf32>
  tile.store %r, %d[%c0, %c0, %c0] : !tile.tile<2x48x8xf32>, memref<2x48x64xf32>
  tile.return
}
