// RUN: tile-compile %s -o - --emit=report --arch=sm_80 2>&1 | FileCheck %s
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 2>&1 | FileCheck %s --check-prefix=SILENT
// REQUIRES: nvptx, ptxas

// A matmul that tensor cores do not support: the report states the reason, and
// a supported alternative.
// CHECK: products:
// CHECK-NEXT: fma, {{.*}} for 16x16x16 at {{.*}}report-fma.mlir:[[#@LINE+8]] (no matrix instruction of sm_80 takes f32 to its last bit; precision tf32 would use tensor cores)

// SILENT-NOT: tensor cores
// SILENT: .target sm_80
// SILENT-NOT: tensor cores
tile.kernel @f32(%x: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %d = tile.matmul %a, %a, %a : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
  tile.store %d, %x[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}
