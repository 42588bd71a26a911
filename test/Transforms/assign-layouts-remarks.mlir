// RUN: tile-opt %s -tile-assign-layouts --remarks-filter=tile-assign-layouts 2>&1 | FileCheck %s

// The fragments of both operands are too many for a thread's registers. They go through
// shared memory, which a remark at the matmul reports.
// CHECK: assign-layouts-remarks.mlir:[[#@LINE+15]]:{{.*}}expected fragments of computed operands of at most 128 registers a thread, got 256: the operands are copied to shared memory
// CHECK-LABEL: @copies_large_operands
tile.kernel @copies_large_operands(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %d: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.load {{.*}}, #tile.shared
  // CHECK: tile.load {{.*}}, #tile.shared
  // CHECK-COUNT-2: tile.convert_layout {{.*}} to !tile.tile<{{64x128|128x64}}xf16, #tile.shared
  // CHECK: tile.matmul {{.*}} : !tile.tile<64x128xf16, #tile.shared{{.*}}, !tile.tile<128x64xf16, #tile.shared
  %x = tile.load %a[%c0, %c0] : memref<64x128xf16> -> !tile.tile<64x128xf16, #tile.shared>
  %y = tile.load %b[%c0, %c0] : memref<128x64xf16> -> !tile.tile<128x64xf16, #tile.shared>
  %v = tile.convert_layout %x : !tile.tile<64x128xf16, #tile.shared> to !tile.tile<64x128xf16, #tile.register>
  %w = tile.convert_layout %y : !tile.tile<128x64xf16, #tile.shared> to !tile.tile<128x64xf16, #tile.register>
  %p = math.exp %v : !tile.tile<64x128xf16, #tile.register>
  %q = math.exp %w : !tile.tile<128x64xf16, #tile.register>
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32, #tile.register>
  %r = tile.matmul %p, %q, %z tiling <warps = [1, 1], sub = [4, 8], atom = "m16n8k16"> : !tile.tile<64x128xf16, #tile.register>, !tile.tile<128x64xf16, #tile.register> -> !tile.tile<64x64xf32, #tile.register>
  tile.store %r, %d[%c0, %c0] : !tile.tile<64x64xf32, #tile.register>, memref<64x64xf32>
  tile.return
}
