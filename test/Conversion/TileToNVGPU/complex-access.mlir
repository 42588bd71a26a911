// RUN: tile-opt %s -tile-to-nvvm | FileCheck %s

// One access reads or writes both parts of a complex element, in any memory.
// CHECK-LABEL: llvm.func @transpose
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
// CHECK-NOT: !llvm.struct<(f32, f32)>, !llvm.ptr

// CHECK-LABEL: llvm.func @copy
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<1>
module attributes {tile.target = "sm_80"} {
tile.kernel @transpose(%x: memref<32x32xcomplex<f32>>, %y: memref<32x32xcomplex<f32>>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<32x32xcomplex<f32>> -> !tile.tile<32x32xcomplex<f32>>
  %s = tile.transpose %t [1, 0] : !tile.tile<32x32xcomplex<f32>> to !tile.tile<32x32xcomplex<f32>>
  tile.store %s, %y[%c0, %c0] : !tile.tile<32x32xcomplex<f32>>, memref<32x32xcomplex<f32>>
  tile.return
}

tile.kernel @copy(%x: memref<64xcomplex<f64>>, %y: memref<64xcomplex<f64>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xcomplex<f64>> -> !tile.tile<64xcomplex<f64>>
  tile.store %t, %y[%c0] : !tile.tile<64xcomplex<f64>>, memref<64xcomplex<f64>>
  tile.return
}
}
