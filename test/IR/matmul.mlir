// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form(%a: !tile.tile<6x5xf32>, %b: !tile.tile<5x7xf32>, %c: !tile.tile<6x7xf32>) {
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<6x7xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<6x7xf32>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} precision tf32 : !tile.tile
  %1 = tile.matmul %a, %b, %c precision tf32 : !tile.tile<6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<6x7xf32>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} tiling <warps = [1, 2], sub = [1, 1], thread = [4, 4], atom = "fma", stages = 3> : !tile.tile
  %2 = tile.matmul %a, %b, %c tiling <warps = [1, 2], sub = [1, 1], thread = [4, 4], atom = "fma", stages = 3> : !tile.tile<6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<6x7xf32>
  // The default is not printed.
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile
  %3 = tile.matmul %a, %b, %c precision ieee : !tile.tile<6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<6x7xf32>
  return
}

// CHECK-LABEL: func.func @fast_accumulation
func.func @fast_accumulation(%a: !tile.tile<6x5xf8E5M2>, %b: !tile.tile<5x7xf8E5M2>, %c: !tile.tile<6x7xf32>) {
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} precision fast_accumulation : !tile.tile
  %0 = tile.matmul %a, %b, %c precision fast_accumulation : !tile.tile<6x5xf8E5M2>, !tile.tile<5x7xf8E5M2> -> !tile.tile<6x7xf32>
  return
}

// After -tile-bufferize operands are buffers.
// CHECK-LABEL: func.func @buffers
func.func @buffers(%a: memref<8x4xf16, #tile.shared<(8,4):(4,1)>>, %b: !tile.tile<4x8xf16>, %c: !tile.tile<8x8xf32>) {
  // CHECK: tile.matmul %{{.*}} : memref<8x4xf16, #tile.shared<(8,4):(4,1)>>, !tile.tile<4x8xf16> -> !tile.tile<8x8xf32>
  %0 = tile.matmul %a, %b, %c : memref<8x4xf16, #tile.shared<(8,4):(4,1)>>, !tile.tile<4x8xf16> -> !tile.tile<8x8xf32>
  return
}

// The batch may have any size. An operand of rank 2 is shared by all matmuls of the
// batch.
// CHECK-LABEL: func.func @batch
func.func @batch(%a: !tile.tile<3x6x5xf32>, %b: !tile.tile<3x5x7xf32>, %c: !tile.tile<3x6x7xf32>, %x: !tile.tile<6x5xf32>, %y: !tile.tile<5x7xf32>) {
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<3x6x5xf32>, !tile.tile<3x5x7xf32> -> !tile.tile<3x6x7xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<3x6x5xf32>, !tile.tile<3x5x7xf32> -> !tile.tile<3x6x7xf32>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<6x5xf32>, !tile.tile<3x5x7xf32> -> !tile.tile<3x6x7xf32>
  %1 = tile.matmul %x, %b, %c : !tile.tile<6x5xf32>, !tile.tile<3x5x7xf32> -> !tile.tile<3x6x7xf32>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<3x6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<3x6x7xf32>
  %2 = tile.matmul %a, %y, %c : !tile.tile<3x6x5xf32>, !tile.tile<5x7xf32> -> !tile.tile<3x6x7xf32>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} tiling <warps = [3, 1, 2], sub = [1, 1, 1], thread = [4, 4], atom = "fma"> : !tile.tile
  %3 = tile.matmul %a, %b, %c tiling <warps = [3, 1, 2], sub = [1, 1, 1], thread = [4, 4], atom = "fma"> : !tile.tile<3x6x5xf32>, !tile.tile<3x5x7xf32> -> !tile.tile<3x6x7xf32>
  return
}

// Every pair of operand and accumulator that (C4) accepts.
// CHECK-LABEL: func.func @f16_accumulated_in_f32
func.func @f16_accumulated_in_f32(%a: !tile.tile<2x3xf16>, %b: !tile.tile<3x4xf16>, %c: !tile.tile<2x4xf32>) {
  // CHECK: !tile.tile<2x3xf16>, !tile.tile<3x4xf16> -> !tile.tile<2x4xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf16>, !tile.tile<3x4xf16> -> !tile.tile<2x4xf32>
  return
}
// CHECK-LABEL: func.func @f16
func.func @f16(%a: !tile.tile<2x3xf16>, %b: !tile.tile<3x4xf16>, %c: !tile.tile<2x4xf16>) {
  // CHECK: !tile.tile<2x3xf16>, !tile.tile<3x4xf16> -> !tile.tile<2x4xf16>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf16>, !tile.tile<3x4xf16> -> !tile.tile<2x4xf16>
  return
}
// CHECK-LABEL: func.func @bf16_accumulated_in_f32
func.func @bf16_accumulated_in_f32(%a: !tile.tile<2x3xbf16>, %b: !tile.tile<3x4xbf16>, %c: !tile.tile<2x4xf32>) {
  // CHECK: !tile.tile<2x3xbf16>, !tile.tile<3x4xbf16> -> !tile.tile<2x4xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xbf16>, !tile.tile<3x4xbf16> -> !tile.tile<2x4xf32>
  return
}
// CHECK-LABEL: func.func @f8e4m3fn_accumulated_in_f32
func.func @f8e4m3fn_accumulated_in_f32(%a: !tile.tile<2x3xf8E4M3FN>, %b: !tile.tile<3x4xf8E4M3FN>, %c: !tile.tile<2x4xf32>) {
  // CHECK: !tile.tile<2x3xf8E4M3FN>, !tile.tile<3x4xf8E4M3FN> -> !tile.tile<2x4xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf8E4M3FN>, !tile.tile<3x4xf8E4M3FN> -> !tile.tile<2x4xf32>
  return
}
// CHECK-LABEL: func.func @f8e5m2_accumulated_in_f32
func.func @f8e5m2_accumulated_in_f32(%a: !tile.tile<2x3xf8E5M2>, %b: !tile.tile<3x4xf8E5M2>, %c: !tile.tile<2x4xf32>) {
  // CHECK: !tile.tile<2x3xf8E5M2>, !tile.tile<3x4xf8E5M2> -> !tile.tile<2x4xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf8E5M2>, !tile.tile<3x4xf8E5M2> -> !tile.tile<2x4xf32>
  return
}
// CHECK-LABEL: func.func @f32
func.func @f32(%a: !tile.tile<2x3xf32>, %b: !tile.tile<3x4xf32>, %c: !tile.tile<2x4xf32>) {
  // CHECK: !tile.tile<2x3xf32>, !tile.tile<3x4xf32> -> !tile.tile<2x4xf32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf32>, !tile.tile<3x4xf32> -> !tile.tile<2x4xf32>
  return
}
// CHECK-LABEL: func.func @f64
func.func @f64(%a: !tile.tile<2x3xf64>, %b: !tile.tile<3x4xf64>, %c: !tile.tile<2x4xf64>) {
  // CHECK: !tile.tile<2x3xf64>, !tile.tile<3x4xf64> -> !tile.tile<2x4xf64>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xf64>, !tile.tile<3x4xf64> -> !tile.tile<2x4xf64>
  return
}
// CHECK-LABEL: func.func @i8_accumulated_in_i32
func.func @i8_accumulated_in_i32(%a: !tile.tile<2x3xi8>, %b: !tile.tile<3x4xi8>, %c: !tile.tile<2x4xi32>) {
  // CHECK: !tile.tile<2x3xi8>, !tile.tile<3x4xi8> -> !tile.tile<2x4xi32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xi8>, !tile.tile<3x4xi8> -> !tile.tile<2x4xi32>
  return
}
// CHECK-LABEL: func.func @i16
func.func @i16(%a: !tile.tile<2x3xi16>, %b: !tile.tile<3x4xi16>, %c: !tile.tile<2x4xi16>) {
  // CHECK: !tile.tile<2x3xi16>, !tile.tile<3x4xi16> -> !tile.tile<2x4xi16>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xi16>, !tile.tile<3x4xi16> -> !tile.tile<2x4xi16>
  return
}
// CHECK-LABEL: func.func @i32
func.func @i32(%a: !tile.tile<2x3xi32>, %b: !tile.tile<3x4xi32>, %c: !tile.tile<2x4xi32>) {
  // CHECK: !tile.tile<2x3xi32>, !tile.tile<3x4xi32> -> !tile.tile<2x4xi32>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xi32>, !tile.tile<3x4xi32> -> !tile.tile<2x4xi32>
  return
}
// CHECK-LABEL: func.func @i64
func.func @i64(%a: !tile.tile<2x3xi64>, %b: !tile.tile<3x4xi64>, %c: !tile.tile<2x4xi64>) {
  // CHECK: !tile.tile<2x3xi64>, !tile.tile<3x4xi64> -> !tile.tile<2x4xi64>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xi64>, !tile.tile<3x4xi64> -> !tile.tile<2x4xi64>
  return
}
// CHECK-LABEL: func.func @complex_f32
func.func @complex_f32(%a: !tile.tile<2x3xcomplex<f32>>, %b: !tile.tile<3x4xcomplex<f32>>, %c: !tile.tile<2x4xcomplex<f32>>) {
  // CHECK: !tile.tile<2x3xcomplex<f32>>, !tile.tile<3x4xcomplex<f32>> -> !tile.tile<2x4xcomplex<f32>>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xcomplex<f32>>, !tile.tile<3x4xcomplex<f32>> -> !tile.tile<2x4xcomplex<f32>>
  return
}
// CHECK-LABEL: func.func @complex_f64
func.func @complex_f64(%a: !tile.tile<2x3xcomplex<f64>>, %b: !tile.tile<3x4xcomplex<f64>>, %c: !tile.tile<2x4xcomplex<f64>>) {
  // CHECK: !tile.tile<2x3xcomplex<f64>>, !tile.tile<3x4xcomplex<f64>> -> !tile.tile<2x4xcomplex<f64>>
  %0 = tile.matmul %a, %b, %c : !tile.tile<2x3xcomplex<f64>>, !tile.tile<3x4xcomplex<f64>> -> !tile.tile<2x4xcomplex<f64>>
  return
}
