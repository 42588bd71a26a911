// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>
#one = #tile.register<(32,1,1):(0,0,0), box = []>

// Butterflies over 32 lanes are five shuffles of each register.
// CHECK-LABEL: @f32
tile.kernel @f32(%v: f32, %y: memref<1xf32>) attributes {block = 32 : i64} {
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xf32, #lanes>
  %s = tile.reduce add %t axis 0 : !tile.tile<32xf32, #lanes> to !tile.tile<f32, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<f32, #one>, memref<1xf32>
  tile.return
}

// 16 bits travel in a register, ...
// CHECK-LABEL: @f16
tile.kernel @f16(%v: f16, %y: memref<1xf16>) attributes {block = 32 : i64} {
  // CHECK: arith.bitcast {{.*}} : f16 to i16
  // CHECK: arith.extui {{.*}} : i16 to i32
  // CHECK: gpu.shuffle xor
  // CHECK: arith.maximumf {{.*}} : f16
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xf16, #lanes>
  %s = tile.reduce max %t axis 0 : !tile.tile<32xf16, #lanes> to !tile.tile<f16, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<f16, #one>, memref<1xf16>
  tile.return
}

// ... as are values of 8 bits, ...
// CHECK-LABEL: @i8
tile.kernel @i8(%v: i8, %y: memref<1xi8>) attributes {block = 32 : i64} {
  // CHECK: arith.extui {{.*}} : i8 to i32
  // CHECK: gpu.shuffle xor
  // CHECK: arith.minui {{.*}} : i8
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xi8, #lanes>
  %s = tile.reduce umin %t axis 0 : !tile.tile<32xi8, #lanes> to !tile.tile<i8, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<i8, #one>, memref<1xi8>
  tile.return
}

// ... while 64 bits are shuffled as two registers.
// CHECK-LABEL: @f64
tile.kernel @f64(%v: f64, %y: memref<1xf64>) attributes {block = 32 : i64} {
  // CHECK-COUNT-10: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xf64, #lanes>
  %s = tile.reduce mul %t axis 0 : !tile.tile<32xf64, #lanes> to !tile.tile<f64, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<f64, #one>, memref<1xf64>
  tile.return
}

// An index is 64 bits.
// CHECK-LABEL: @index
tile.kernel @index(%v: index, %y: memref<1xindex>) attributes {block = 32 : i64} {
  // CHECK: arith.index_cast {{.*}} : index to i64
  // CHECK-COUNT-10: gpu.shuffle xor
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xindex, #lanes>
  %s = tile.reduce add %t axis 0 : !tile.tile<32xindex, #lanes> to !tile.tile<index, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<index, #one>, memref<1xindex>
  tile.return
}

// A complex element is shuffled as its two parts.
// CHECK-LABEL: @complex
tile.kernel @complex(%v: complex<f32>, %y: memref<1xcomplex<f32>>) attributes {block = 32 : i64} {
  // CHECK-COUNT-10: gpu.shuffle xor
  // CHECK: complex.add
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<32xcomplex<f32>, #lanes>
  %s = tile.reduce add %t axis 0 : !tile.tile<32xcomplex<f32>, #lanes> to !tile.tile<complex<f32>, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<complex<f32>, #one>, memref<1xcomplex<f32>>
  tile.return
}

// Padding counts as the identity: for a sum -0.0, which keeps the sign of zeros.
// CHECK-LABEL: @padding_is_the_identity
tile.kernel @padding_is_the_identity(%v: f32, %y: memref<1xf32>) attributes {block = 32 : i64} {
  // CHECK: %[[ZERO:.*]] = arith.constant -0.0
  // CHECK: arith.cmpi slt, %{{.*}}, %c20
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ZERO]]
  // CHECK: gpu.shuffle
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<20xf32, #lanes>
  %s = tile.reduce add %t axis 0 : !tile.tile<20xf32, #lanes> to !tile.tile<f32, #one>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<f32, #one>, memref<1xf32>
  tile.return
}
