// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#row = #tile.shared<(32):(1)>
#rows = #tile.shared<(8,32):(32,1)>
!a = memref<4x32xf32, #row>
!b = memref<4x8x32xf16, #rows>

// A stage is a view of the buffer, at an offset that is known only at run time.
// CHECK-LABEL: func.func @stages
func.func @stages(%x: !a, %y: !b, %n: !tile_gpu.counter<4>) -> (memref<32xf32, strided<[1], offset: ?>, #row>, memref<8x32xf16, strided<[32, 1], offset: ?>, #rows>) {
  // CHECK: %[[X:.*]] = tile_gpu.stage %{{.*}}[%[[N:.*]]] : memref<4x32xf32, {{.*}}>
  %ofX = tile_gpu.stage %x[%n] : !a
  // CHECK: %[[Y:.*]] = tile_gpu.stage %{{.*}}[%[[N]]] : memref<4x8x32xf16, {{.*}}>
  %ofY = tile_gpu.stage %y[%n] : !b
  // CHECK: return %[[X]], %[[Y]] : memref<32xf32, strided<[1], offset: ?>, {{.*}}>, memref<8x32xf16, strided<[32, 1], offset: ?>, {{.*}}>
  return %ofX, %ofY : memref<32xf32, strided<[1], offset: ?>, #row>, memref<8x32xf16, strided<[32, 1], offset: ?>, #rows>
}
