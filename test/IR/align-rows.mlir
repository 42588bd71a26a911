// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form(%a: memref<?x?xf16>, %i: index, %holds: i1, %b: memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, %e: memref<8x8xf16, #tile.shared<(8,8):(8,1)>>) {
  // CHECK: tile_gpu.align_rows %{{.*}}, %{{.*}} of %{{.*}}[%{{.*}}, %{{.*}}] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile_gpu.align_rows %b, %e of %a[%i, %i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  // CHECK: tile_gpu.align_rows %{{.*}}, %{{.*}} of %{{.*}}[%{{.*}}, %{{.*}}] if %{{.*}} {note = "x"} : memref
  tile_gpu.align_rows %b, %e of %a[%i, %i] if %holds {note = "x"} : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  return
}
