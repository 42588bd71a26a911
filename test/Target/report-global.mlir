// RUN: tile-compile %s -o - --emit=report --arch=sm_80 --ptxas=none 2>/dev/null | FileCheck %s
// REQUIRES: nvptx

// The report has bytes and sectors of global memory, and a lower bound of the time.

// Adjacent rows of 16 floats: the 512 bytes of a warp's access are 16 sectors. Each of
// 4096 elements is multiplied and added to.
// CHECK-LABEL: kernel rows at
// CHECK: work of a block: 16384 bytes read, 16384 written, 8192 operations by fma f32
// CHECK-NEXT: work of 1 blocks: 8192 operations, 32768 bytes of memory at least, 0.2 operations a byte
// CHECK-NEXT: roofline of A100 SXM 80 GB: 0.00 us by fma f32, 0.02 us by memory
// CHECK: global accesses, in sectors of all warps:
// CHECK-NEXT: 512 (0 more than filled) tile.load at {{.*}}: 16384 bytes of argument 0, 1 times (assumes whole lines, inside)
// CHECK-NEXT: 512 (0 more than filled) tile.store at {{.*}}: 16384 bytes of argument 1, 1 times (assumes whole lines, inside)
tile.kernel @rows(%a: memref<64x64xf32>, %r: memref<64x64xf32>)
    attributes {block = 128 : i64, grid = #tile.grid<affine_map<() -> (1)> of []>} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %y = arith.mulf %x, %x : !tile.tile<64x64xf32>
  %z = arith.addf %y, %x : !tile.tile<64x64xf32>
  tile.store %z, %r[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Elements are 8 floats apart, so each one is in its own sector.
// CHECK-LABEL: kernel column at
// CHECK: 64 (56 more than filled) tile.load at {{.*}}: 256 bytes of argument 0
tile.kernel @column(%a: memref<64x8xf32>, %r: memref<64x1xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds : memref<64x8xf32> -> !tile.tile<64x1xf32>
  tile.store %x, %r[%c0, %c0] in_bounds : !tile.tile<64x1xf32>, memref<64x1xf32>
  tile.return
}

// The loop's iterations and the coordinates of elements are known only at run time.
// CHECK-LABEL: kernel unknown at
// CHECK: work of a block: unknown bytes read, unknown written, unknown operations
// CHECK-NOT: roofline
// CHECK: ? (not counted) tile.gather at {{.*}}: 256 bytes of argument 0, as often as the run decides
tile.kernel @unknown(%a: memref<?xf32>, %r: memref<64xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  scf.for %k = %c0 to %n step %c1 {
    %x = tile.gather %a[%k] at %i axis 0 : memref<?xf32>, !tile.tile<64xi32> -> !tile.tile<64xf32>
    %y = arith.addf %x, %x : !tile.tile<64xf32>
    tile.store %y, %r[%c0] : !tile.tile<64xf32>, memref<64xf32>
  }
  tile.return
}

// Rows of odd length are padded; no thread stores the padding.
// CHECK-LABEL: kernel odd at
tile.kernel @odd(%a: memref<37x51xf32>, %r: memref<37x51xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds : memref<37x51xf32> -> !tile.tile<37x51xf32>
  tile.store %x, %r[%c0, %c0] in_bounds : !tile.tile<37x51xf32>, memref<37x51xf32>
  tile.return
}
