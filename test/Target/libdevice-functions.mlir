// RUN: tile-compile %s -o %t.ptx --emit=ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: tile-compile %s -o %t.cubin
// REQUIRES: nvptx, ptxas

// Kernels are compiled concurrently. A function of libdevice that is not inlined is
// defined once.
// CHECK: .visible .entry first(
// CHECK: call{{.*}} __internal_accurate_pow
// CHECK: .func {{.*}} __internal_accurate_pow(
// CHECK: .visible .entry second(
// CHECK: call{{.*}} __internal_accurate_pow
// CHECK-NOT: .func
tile.kernel @first(%p: memref<32xf64, strided<[?]>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %p[%c0] in_bounds : memref<32xf64, strided<[?]>> -> !tile.tile<32xf64>
  %b = arith.addf %a, %a : !tile.tile<32xf64>
  %0 = math.powf %a, %b : !tile.tile<32xf64>
  tile.store %0, %p[%c0] in_bounds : !tile.tile<32xf64>, memref<32xf64, strided<[?]>>
  tile.return
}
tile.kernel @second(%p: memref<32xf64, strided<[?]>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %p[%c0] in_bounds : memref<32xf64, strided<[?]>> -> !tile.tile<32xf64>
  %b = arith.addf %a, %a : !tile.tile<32xf64>
  %0 = math.powf %b, %a : !tile.tile<32xf64>
  tile.store %0, %p[%c0] in_bounds : !tile.tile<32xf64>, memref<32xf64, strided<[?]>>
  tile.return
}
