// RUN: tile-opt %s -convert-tile-to-nvgpu -convert-tile-kernel-to-nvvm | FileCheck %s

// Loads whose values only unused operations use are erased: LLVM would erase them
// later, but the emulator, which counts loads, runs the code before that.
// CHECK-LABEL: llvm.func @k
// CHECK-COUNT-1: llvm.load
// CHECK-NOT: llvm.load
// CHECK: llvm.store
tile.kernel @k(%a: memref<8xf32>, %r: memref<1xf32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %u = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
  %x = vector.extract %u[0] : f32 from vector<4xf32>
  %sum = arith.addf %x, %x : f32
  %y = memref.load %a[%c4] : memref<8xf32>
  memref.store %y, %r[%c0] : memref<1xf32>
  tile.return
}
