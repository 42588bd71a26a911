// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @boxes
tile.kernel @boxes(%a: memref<?x?xf32, strided<[?, 1]>>, %c: memref<?x?x?xf32>, %i: index, %holds: i1) {
  %b = memref.alloc() : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile_gpu.copy_async %a[%i, %i] to %b : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} in_bounds : memref
  tile_gpu.copy_async %a[%i, %i] to %b in_bounds : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} if %{{.*}} in_bounds : memref
  tile_gpu.copy_async %a[%i, %i] to %b if %holds in_bounds : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  // The buffer has the array's last dimensions.
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] to %{{.*}} : memref<?x?x?xf32> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile_gpu.copy_async %c[%i, %i, %i] to %b : memref<?x?x?xf32> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.return
}

// CHECK-LABEL: tile.kernel @rows_that_begin_anywhere
tile.kernel @rows_that_begin_anywhere(%a: memref<?x?xf16>, %i: index, %holds: i1) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} by(#tile_gpu.cover_rows) : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile_gpu.copy_async %a[%i, %i] to %b by(#tile_gpu.cover_rows) : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // CHECK: tile_gpu.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} if %{{.*}} by(#tile_gpu.cover_rows) with %{{.*}} : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> in_bounds : memref
  tile_gpu.copy_async %a[%i, %i] to %b if %holds by(#tile_gpu.cover_rows) with %e : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> in_bounds : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  // CHECK: tile_gpu.align_rows %{{.*}}, %{{.*}} of %{{.*}}[%{{.*}}, %{{.*}}] if %{{.*}} : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile_gpu.align_rows %b, %e of %a[%i, %i] if %holds : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile.return
}
