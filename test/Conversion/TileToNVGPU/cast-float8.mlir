// RUN: tile-opt %s -split-input-file -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

// An instruction converts two values at a time.
#lanes = #tile.register<(32,1,2):(2,0,1), box = [64]>
module attributes {tile.target = "sm_89"} {
  // CHECK-LABEL: @f8E4M3FN_to_f16(
  // CHECK: %[[WIDE:.*]] = nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
  // CHECK-NOT: nvvm.convert
  // CHECK-NOT: arith.{{ext|trunc}}f
  // CHECK: tile.return
  tile.kernel @f8E4M3FN_to_f16(%x: memref<64xf8E4M3FN>, %y: memref<64xf16>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf8E4M3FN> -> !tile.tile<64xf8E4M3FN, #lanes>
    %u = tile.cast %t : !tile.tile<64xf8E4M3FN, #lanes> to !tile.tile<64xf16, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf16, #lanes>, memref<64xf16>
    tile.return
  }

  // f8 is converted through f16, which represents all values of f8.
  // CHECK-LABEL: @f8E5M2_to_f64(
  // CHECK: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2) -> vector<2xf16>
  // CHECK-COUNT-2: arith.extf %{{.*}} : f16 to f64
  // CHECK: tile.return
  tile.kernel @f8E5M2_to_f64(%x: memref<64xf8E5M2>, %y: memref<64xf64>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf8E5M2> -> !tile.tile<64xf8E5M2, #lanes>
    %u = tile.cast %t : !tile.tile<64xf8E5M2, #lanes> to !tile.tile<64xf64, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf64, #lanes>, memref<64xf64>
    tile.return
  }

  // CHECK-LABEL: @f16_to_f8E5M2(
  // CHECK: %[[LOW:.*]] = vector.extract %{{.*}}[0] : f16
  // CHECK: %[[HIGH:.*]] = vector.extract %{{.*}}[1] : f16
  // CHECK: %[[PAIR:.*]] = vector.from_elements %[[LOW]], %[[HIGH]] : vector<2xf16>
  // CHECK: nvvm.convert.f16x2.to.f8x2 %[[PAIR]] : vector<2xf16> -> vector<2xi8>(f8E5M2)
  // CHECK: tile.return
  tile.kernel @f16_to_f8E5M2(%x: memref<64xf16>, %y: memref<64xf8E5M2>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf16> -> !tile.tile<64xf16, #lanes>
    %u = tile.cast %t : !tile.tile<64xf16, #lanes> to !tile.tile<64xf8E5M2, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf8E5M2, #lanes>, memref<64xf8E5M2>
    tile.return
  }

  // The instruction's first operand is the upper half.
  // CHECK-LABEL: @f32_to_f8E4M3FN(
  // CHECK: %[[LOW:.*]] = memref.load
  // CHECK: %[[HIGH:.*]] = memref.load
  // CHECK: nvvm.convert.f32x2.to.f8x2 %[[HIGH]], %[[LOW]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8>(f8E4M3FN)
  // CHECK: tile.return
  tile.kernel @f32_to_f8E4M3FN(%x: memref<64xf32>, %y: memref<64xf8E4M3FN>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32, #lanes>
    %u = tile.cast %t : !tile.tile<64xf32, #lanes> to !tile.tile<64xf8E4M3FN, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf8E4M3FN, #lanes>, memref<64xf8E4M3FN>
    tile.return
  }

  // f64 is first rounded to f32 to odd: an inexact result gets the last bit 1.
  // CHECK-LABEL: @f64_to_f8E4M3FN(
  // CHECK: %[[NEAREST:.*]] = arith.truncf %{{.*}} : f64 to f32
  // CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
  // CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %{{.*}} : f64
  // CHECK: arith.select %[[INEXACT]], %{{.*}}, %[[NEAREST]] : f32
  // CHECK: nvvm.convert.f32x2.to.f8x2
  // CHECK: tile.return
  tile.kernel @f64_to_f8E4M3FN(%x: memref<64xf64>, %y: memref<64xf8E4M3FN>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf64> -> !tile.tile<64xf64, #lanes>
    %u = tile.cast %t : !tile.tile<64xf64, #lanes> to !tile.tile<64xf8E4M3FN, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf8E4M3FN, #lanes>, memref<64xf8E4M3FN>
    tile.return
  }

  // Integers that f32 does not represent exactly are above the largest value of f8.
  // CHECK-LABEL: @i64_to_f8E5M2(
  // CHECK-COUNT-2: arith.sitofp %{{.*}} : i64 to f32
  // CHECK: nvvm.convert.f32x2.to.f8x2
  // CHECK: tile.return
  tile.kernel @i64_to_f8E5M2(%x: memref<64xi64>, %y: memref<64xf8E5M2>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xi64> -> !tile.tile<64xi64, #lanes>
    %u = tile.cast %t : !tile.tile<64xi64, #lanes> to !tile.tile<64xf8E5M2, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf8E5M2, #lanes>, memref<64xf8E5M2>
    tile.return
  }

  // CHECK-LABEL: @f8E5M2_to_f8E4M3FN(
  // CHECK: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2)
  // CHECK: nvvm.convert.f16x2.to.f8x2 {{.*}} -> vector<2xi8>(f8E4M3FN)
  // CHECK: tile.return
  tile.kernel @f8E5M2_to_f8E4M3FN(%x: memref<64xf8E5M2>, %y: memref<64xf8E4M3FN>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<64xf8E5M2> -> !tile.tile<64xf8E5M2, #lanes>
    %u = tile.cast %t : !tile.tile<64xf8E5M2, #lanes> to !tile.tile<64xf8E4M3FN, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<64xf8E4M3FN, #lanes>, memref<64xf8E4M3FN>
    tile.return
  }
}

// -----

// An element without a second one is passed as both operands.
#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>
module attributes {tile.target = "sm_90"} {
  // CHECK-LABEL: @odd(
  // CHECK: nvvm.convert.f32x2.to.f8x2 %[[ONE:.*]], %[[ONE]] {
  // CHECK: tile.return
  tile.kernel @odd(%x: memref<32xf32>, %y: memref<32xf8E4M3FN>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #lanes>
    %u = tile.cast %t : !tile.tile<32xf32, #lanes> to !tile.tile<32xf8E4M3FN, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<32xf8E4M3FN, #lanes>, memref<32xf8E4M3FN>
    tile.return
  }
}

// -----

// Before sm_89 there is no instruction, so bits are computed.
#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>
module attributes {tile.target = "sm_87"} {
  // CHECK-LABEL: @bits_of_f8E4M3FN(
  // CHECK-NOT: nvvm.convert
  // CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
  // CHECK: arith.mulf %{{.*}} : f32
  // CHECK: tile.return
  tile.kernel @bits_of_f8E4M3FN(%x: memref<32xf8E4M3FN>, %y: memref<32xf32>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<32xf8E4M3FN> -> !tile.tile<32xf8E4M3FN, #lanes>
    %u = tile.cast %t : !tile.tile<32xf8E4M3FN, #lanes> to !tile.tile<32xf32, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<32xf32, #lanes>, memref<32xf32>
    tile.return
  }

  // CHECK-LABEL: @bits_of_f8E5M2(
  // CHECK-NOT: nvvm.convert
  // CHECK: arith.bitcast %{{.*}} : i16 to f16
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: tile.return
  tile.kernel @bits_of_f8E5M2(%x: memref<32xf8E5M2>, %y: memref<32xbf16>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<32xf8E5M2> -> !tile.tile<32xf8E5M2, #lanes>
    %u = tile.cast %t : !tile.tile<32xf8E5M2, #lanes> to !tile.tile<32xbf16, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<32xbf16, #lanes>, memref<32xbf16>
    tile.return
  }

  // CHECK-LABEL: @to_bits_of_f8E5M2(
  // CHECK-NOT: nvvm.convert
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.minsi
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  // CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2
  // CHECK: tile.return
  tile.kernel @to_bits_of_f8E5M2(%x: memref<32xf16>, %y: memref<32xf8E5M2>) attributes {block = 32 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] : memref<32xf16> -> !tile.tile<32xf16, #lanes>
    %u = tile.cast %t : !tile.tile<32xf16, #lanes> to !tile.tile<32xf8E5M2, #lanes>
    tile.store %u, %y[%c0] : !tile.tile<32xf8E5M2, #lanes>, memref<32xf8E5M2>
    tile.return
  }
}
