// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

// Tests every pair of element types between which the GPU path converts.
#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// CHECK-LABEL: @cast_f64_to_f32(
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f64_to_f32(%x: memref<32xf64>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_f16(
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f64_to_f16(%x: memref<32xf64>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_bf16(
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f64_to_bf16(%x: memref<32xf64>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_i1(
// CHECK: arith.cmpf une
// CHECK: tile.return
tile.kernel @cast_f64_to_i1(%x: memref<32xf64>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_i8(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f64_to_i8(%x: memref<32xf64>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_i16(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f64_to_i16(%x: memref<32xf64>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_i32(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f64_to_i32(%x: memref<32xf64>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_i64(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f64_to_i64(%x: memref<32xf64>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_f64_to_index(
// CHECK: arith.fptosi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_f64_to_index(%x: memref<32xf64>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf64> -> !tile.tile<32xf64, #lanes>
  %u = tile.cast %t : !tile.tile<32xf64, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_f64(
// CHECK: arith.extf
// CHECK: tile.return
tile.kernel @cast_f32_to_f64(%x: memref<32xf32>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_f16(
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f32_to_f16(%x: memref<32xf32>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_bf16(
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f32_to_bf16(%x: memref<32xf32>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_i1(
// CHECK: arith.cmpf une
// CHECK: tile.return
tile.kernel @cast_f32_to_i1(%x: memref<32xf32>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_i8(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f32_to_i8(%x: memref<32xf32>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_i16(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f32_to_i16(%x: memref<32xf32>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_i32(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f32_to_i32(%x: memref<32xf32>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_i64(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f32_to_i64(%x: memref<32xf32>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_f32_to_index(
// CHECK: arith.fptosi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_f32_to_index(%x: memref<32xf32>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
  %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_f64(
// CHECK: arith.extf
// CHECK: tile.return
tile.kernel @cast_f16_to_f64(%x: memref<32xf16>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_f32(
// CHECK: arith.extf
// CHECK: tile.return
tile.kernel @cast_f16_to_f32(%x: memref<32xf16>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_bf16(
// CHECK: arith.extf
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_f16_to_bf16(%x: memref<32xf16>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_i1(
// CHECK: arith.cmpf une
// CHECK: tile.return
tile.kernel @cast_f16_to_i1(%x: memref<32xf16>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_i8(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f16_to_i8(%x: memref<32xf16>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_i16(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f16_to_i16(%x: memref<32xf16>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_i32(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f16_to_i32(%x: memref<32xf16>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_i64(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_f16_to_i64(%x: memref<32xf16>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_f16_to_index(
// CHECK: arith.fptosi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_f16_to_index(%x: memref<32xf16>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_f64(
// CHECK: arith.extf
// CHECK: tile.return
tile.kernel @cast_bf16_to_f64(%x: memref<32xbf16>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_f32(
// CHECK: arith.extf
// CHECK: tile.return
tile.kernel @cast_bf16_to_f32(%x: memref<32xbf16>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_f16(
// CHECK: arith.extf
// CHECK: arith.truncf
// CHECK: tile.return
tile.kernel @cast_bf16_to_f16(%x: memref<32xbf16>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_i1(
// CHECK: arith.cmpf une
// CHECK: tile.return
tile.kernel @cast_bf16_to_i1(%x: memref<32xbf16>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_i8(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_bf16_to_i8(%x: memref<32xbf16>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_i16(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_bf16_to_i16(%x: memref<32xbf16>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_i32(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_bf16_to_i32(%x: memref<32xbf16>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_i64(
// CHECK: arith.fptosi
// CHECK: tile.return
tile.kernel @cast_bf16_to_i64(%x: memref<32xbf16>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_bf16_to_index(
// CHECK: arith.fptosi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_bf16_to_index(%x: memref<32xbf16>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xbf16> -> !tile.tile<32xbf16, #lanes>
  %u = tile.cast %t : !tile.tile<32xbf16, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_f64(
// CHECK: arith.uitofp
// CHECK: tile.return
tile.kernel @cast_i1_to_f64(%x: memref<32xi1>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_f32(
// CHECK: arith.uitofp
// CHECK: tile.return
tile.kernel @cast_i1_to_f32(%x: memref<32xi1>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_f16(
// CHECK: arith.uitofp
// CHECK: tile.return
tile.kernel @cast_i1_to_f16(%x: memref<32xi1>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_bf16(
// CHECK: arith.uitofp
// CHECK: tile.return
tile.kernel @cast_i1_to_bf16(%x: memref<32xi1>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_i8(
// CHECK: arith.extui
// CHECK: tile.return
tile.kernel @cast_i1_to_i8(%x: memref<32xi1>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_i16(
// CHECK: arith.extui
// CHECK: tile.return
tile.kernel @cast_i1_to_i16(%x: memref<32xi1>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_i32(
// CHECK: arith.extui
// CHECK: tile.return
tile.kernel @cast_i1_to_i32(%x: memref<32xi1>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_i64(
// CHECK: arith.extui
// CHECK: tile.return
tile.kernel @cast_i1_to_i64(%x: memref<32xi1>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_i1_to_index(
// CHECK: arith.extui
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_i1_to_index(%x: memref<32xi1>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi1> -> !tile.tile<32xi1, #lanes>
  %u = tile.cast %t : !tile.tile<32xi1, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_f64(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i8_to_f64(%x: memref<32xi8>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_f32(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i8_to_f32(%x: memref<32xi8>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_f16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i8_to_f16(%x: memref<32xi8>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_bf16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i8_to_bf16(%x: memref<32xi8>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_i1(
// CHECK: arith.cmpi ne
// CHECK: tile.return
tile.kernel @cast_i8_to_i1(%x: memref<32xi8>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_i16(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i8_to_i16(%x: memref<32xi8>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_i32(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i8_to_i32(%x: memref<32xi8>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_i64(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i8_to_i64(%x: memref<32xi8>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_i8_to_index(
// CHECK: arith.extsi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_i8_to_index(%x: memref<32xi8>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi8> -> !tile.tile<32xi8, #lanes>
  %u = tile.cast %t : !tile.tile<32xi8, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_f64(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i16_to_f64(%x: memref<32xi16>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_f32(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i16_to_f32(%x: memref<32xi16>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_f16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i16_to_f16(%x: memref<32xi16>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_bf16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i16_to_bf16(%x: memref<32xi16>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_i1(
// CHECK: arith.cmpi ne
// CHECK: tile.return
tile.kernel @cast_i16_to_i1(%x: memref<32xi16>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_i8(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i16_to_i8(%x: memref<32xi16>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_i32(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i16_to_i32(%x: memref<32xi16>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_i64(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i16_to_i64(%x: memref<32xi16>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_i16_to_index(
// CHECK: arith.extsi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_i16_to_index(%x: memref<32xi16>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi16> -> !tile.tile<32xi16, #lanes>
  %u = tile.cast %t : !tile.tile<32xi16, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_f64(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i32_to_f64(%x: memref<32xi32>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_f32(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i32_to_f32(%x: memref<32xi32>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_f16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i32_to_f16(%x: memref<32xi32>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_bf16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i32_to_bf16(%x: memref<32xi32>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_i1(
// CHECK: arith.cmpi ne
// CHECK: tile.return
tile.kernel @cast_i32_to_i1(%x: memref<32xi32>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_i8(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i32_to_i8(%x: memref<32xi32>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_i16(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i32_to_i16(%x: memref<32xi32>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_i64(
// CHECK: arith.extsi
// CHECK: tile.return
tile.kernel @cast_i32_to_i64(%x: memref<32xi32>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// CHECK-LABEL: @cast_i32_to_index(
// CHECK: arith.extsi
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_i32_to_index(%x: memref<32xi32>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %u = tile.cast %t : !tile.tile<32xi32, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_f64(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i64_to_f64(%x: memref<32xi64>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_f32(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i64_to_f32(%x: memref<32xi64>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_f16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i64_to_f16(%x: memref<32xi64>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_bf16(
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_i64_to_bf16(%x: memref<32xi64>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_i1(
// CHECK: arith.cmpi ne
// CHECK: tile.return
tile.kernel @cast_i64_to_i1(%x: memref<32xi64>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_i8(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i64_to_i8(%x: memref<32xi64>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_i16(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i64_to_i16(%x: memref<32xi64>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_i32(
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_i64_to_i32(%x: memref<32xi64>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_i64_to_index(
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_i64_to_index(%x: memref<32xi64>, %y: memref<32xindex>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xi64> -> !tile.tile<32xi64, #lanes>
  %u = tile.cast %t : !tile.tile<32xi64, #lanes> to !tile.tile<32xindex, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xindex, #lanes>, memref<32xindex>
  tile.return
}

// CHECK-LABEL: @cast_index_to_f64(
// CHECK: arith.index_cast
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_index_to_f64(%x: memref<32xindex>, %y: memref<32xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xf64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf64, #lanes>, memref<32xf64>
  tile.return
}

// CHECK-LABEL: @cast_index_to_f32(
// CHECK: arith.index_cast
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_index_to_f32(%x: memref<32xindex>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xf32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
  tile.return
}

// CHECK-LABEL: @cast_index_to_f16(
// CHECK: arith.index_cast
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_index_to_f16(%x: memref<32xindex>, %y: memref<32xf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xf16, #lanes>, memref<32xf16>
  tile.return
}

// CHECK-LABEL: @cast_index_to_bf16(
// CHECK: arith.index_cast
// CHECK: arith.sitofp
// CHECK: tile.return
tile.kernel @cast_index_to_bf16(%x: memref<32xindex>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xbf16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
  tile.return
}

// CHECK-LABEL: @cast_index_to_i1(
// CHECK: arith.index_cast
// CHECK: arith.cmpi ne
// CHECK: tile.return
tile.kernel @cast_index_to_i1(%x: memref<32xindex>, %y: memref<32xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xi1, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi1, #lanes>, memref<32xi1>
  tile.return
}

// CHECK-LABEL: @cast_index_to_i8(
// CHECK: arith.index_cast
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_index_to_i8(%x: memref<32xindex>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}

// CHECK-LABEL: @cast_index_to_i16(
// CHECK: arith.index_cast
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_index_to_i16(%x: memref<32xindex>, %y: memref<32xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xi16, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi16, #lanes>, memref<32xi16>
  tile.return
}

// CHECK-LABEL: @cast_index_to_i32(
// CHECK: arith.index_cast
// CHECK: arith.trunci
// CHECK: tile.return
tile.kernel @cast_index_to_i32(%x: memref<32xindex>, %y: memref<32xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xi32, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// CHECK-LABEL: @cast_index_to_i64(
// CHECK: arith.index_cast
// CHECK: tile.return
tile.kernel @cast_index_to_i64(%x: memref<32xindex>, %y: memref<32xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xindex> -> !tile.tile<32xindex, #lanes>
  %u = tile.cast %t : !tile.tile<32xindex, #lanes> to !tile.tile<32xi64, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi64, #lanes>, memref<32xi64>
  tile.return
}

// The bits of f8 are unchanged, whatever they represent.
// CHECK-LABEL: @bits_of_f8(
// CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
tile.kernel @bits_of_f8(%x: memref<32xf8E4M3FN>, %y: memref<32xi8>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<32xf8E4M3FN> -> !tile.tile<32xf8E4M3FN, #lanes>
  %u = tile.cast %t bitcast : !tile.tile<32xf8E4M3FN, #lanes> to !tile.tile<32xi8, #lanes>
  tile.store %u, %y[%c0] : !tile.tile<32xi8, #lanes>, memref<32xi8>
  tile.return
}
