// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts | FileCheck %s

// 64 elements by radices 8 and 8: eight lanes hold a row, and a warp holds four rows. The columns of
// the first pass are loaded in its layout. Reshapes and transposes only rename the digits of the
// layout for the second pass, so that a single change of layout is between the passes.
// CHECK-LABEL: tile.kernel @exact(
// CHECK-NOT:     memref.expand_shape
// CHECK:         tile.load {{.*}} -> !tile.tile<4x64xcomplex<f32>, #tile.register<((8,4),1,8):((1,64),0,8), box = [4, 64]>>
// CHECK-NEXT:    tile.reshape
// CHECK-NEXT:    tile.partial_fft %{{.*}} places 1 threads 8 : !tile.tile<4x8x8xcomplex<f32>, #tile.register<((8,4),1,8):((1,64),0,8), box = [4, 8, 8]>>
// CHECK-NOT:     tile.partial_fft
// CHECK:         tile.convert_layout
// CHECK-NOT:     tile.convert_layout
// CHECK:         tile.partial_fft %{{.*}} places 8 threads 8 : !tile.tile<4x8x8xcomplex<f32>, #tile.register<((8,4),1,8):((1,64),0,8), box = [4, 8, 8]>>
// CHECK-NEXT:    tile.reshape
// CHECK-NEXT:    tile.store {{.*}} : !tile.tile<4x64xcomplex<f32>, #tile.register<((8,4),1,8):((1,64),0,8), box = [4, 64]>>
module attributes {tile.target = "sm_80"} {
tile.kernel @exact(%a: memref<?x64xcomplex<f32>>, %b: memref<?x64xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x64xcomplex<f32>> -> !tile.tile<4x64xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<4x64xcomplex<f32>>
  tile.store %y, %b[%c0, %c0] : !tile.tile<4x64xcomplex<f32>>, memref<?x64xcomplex<f32>>
  tile.return
}

// Ten columns are padded to sixteen lanes, so that no reshape of a layout splits rows into columns.
// Arrays are expanded instead, and loads and stores access columns. Between the passes, shared
// memory has the elements in the order of the first pass, its rows of ten with a pitch of eleven.
// The last pass multiplies by the norm's factor 0.1: an f32 and the rest of the exact value.
// CHECK-LABEL: tile.kernel @padded(
// CHECK:         %[[TO:.*]] = memref.expand_shape %arg1 {{.*}} into memref<?x10x10xcomplex<f32>>
// CHECK:         %[[FROM:.*]] = memref.expand_shape %arg0 {{.*}} into memref<?x10x10xcomplex<f32>>
// CHECK:         tile.load %[[FROM]]{{.*}} -> !tile.tile<2x10x10xcomplex<f32>, #tile.register<((16,2),1,10):((1,160),0,16), box = [2, 10, 16]>>
// CHECK-NEXT:    tile.partial_fft %{{.*}} places 1 threads 16 inverse :
// CHECK-NEXT:    tile.order_fft %{{.*}} places 1 : {{.*}} to !tile.tile<2x10x10xcomplex<f32>, #tile.shared<(2,10,(1,10,1)):(110,1,(1,11,1))>>
// CHECK-NEXT:    tile.convert_layout
// CHECK-NEXT:    tile.partial_fft %{{.*}} places 10 threads 16 inverse scale [1.000000e-01, -1.490116e-09] :
// CHECK-NEXT:    tile.store %{{.*}}, %[[TO]]
tile.kernel @padded(%a: memref<?x100xcomplex<f32>>, %b: memref<?x100xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x100xcomplex<f32>> -> !tile.tile<2x100xcomplex<f32>>
  %y = tile.ifft %x norm ortho : !tile.tile<2x100xcomplex<f32>>
  tile.store %y, %b[%c0, %c0] : !tile.tile<2x100xcomplex<f32>>, memref<?x100xcomplex<f32>>
  tile.return
}

// A transform of prime length p = 37 is a convolution of p - 1 = 4 * 9 elements, taken in the order
// of the powers of 2 modulo p. Coprime radices need no twiddle factors (places 1). The largest radix
// is the last of the forward and the first of the inverse transform, with no exchange between them.
// Radices with a common factor need twiddle factors: those of 163 - 1 = 2 * 81 (@common_factors).
// CHECK-LABEL: tile.kernel @prime(
// CHECK:         %[[ROW:.*]] = tile.convert_layout {{.*}} to !tile.tile<8x1x37xcomplex<f32>, #tile.shared
// CHECK:         tile.take %[[ROW]] at %{{.*}} axis 2 : {{.*}} to !tile.tile<8x4x9x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 : !tile.tile<8x4x9x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 : !tile.tile<8x9x4x
// CHECK-NOT:     tile.convert_layout
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 inverse : !tile.tile<8x9x4x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 inverse : !tile.tile<8x4x9x
// CHECK-NOT:     tile.partial_fft
// CHECK:         tile.take {{.*}} to !tile.tile<8x1x37xcomplex<f32>
tile.kernel @prime(%a: memref<8x37xcomplex<f32>>, %b: memref<8x37xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<8x37xcomplex<f32>> -> !tile.tile<8x37xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<8x37xcomplex<f32>>
  tile.store %y, %b[%c0, %c0] : !tile.tile<8x37xcomplex<f32>>, memref<8x37xcomplex<f32>>
  tile.return
}

// CHECK-LABEL: tile.kernel @common_factors(
// CHECK:         tile.partial_fft %{{.*}} places 1 threads
// CHECK:         tile.partial_fft %{{.*}} places {{[2-9]|[1-9][0-9]}} threads
tile.kernel @common_factors(%a: memref<1x163xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<1x163xcomplex<f32>> -> !tile.tile<1x163xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<1x163xcomplex<f32>>
  tile.store %y, %a[%c0, %c0] : !tile.tile<1x163xcomplex<f32>>, memref<1x163xcomplex<f32>>
  tile.return
}

// Other lengths with a prime factor above 31, such as 83 = 2 * 41 + 1, become a
// convolution of the length that takes the fewest issue slots, here 168 = 14 * 12. In
// the first pass, seven of the fourteen rows of columns are loaded; the others are
// zero.
// CHECK-LABEL: tile.kernel @convolution(
// CHECK:         tile.take %{{.*}} to !tile.tile<2x7x12x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 16 : !tile.tile<2x14x12x
// CHECK:         tile.partial_fft %{{.*}} places 14 threads 16 : !tile.tile<2x12x14x
// CHECK-NOT:     tile.convert_layout
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 16 inverse : !tile.tile<2x12x14x
// CHECK:         tile.partial_fft %{{.*}} places 12 threads 16 inverse : !tile.tile<2x14x12x
// CHECK-NOT:     tile.partial_fft
tile.kernel @convolution(%a: memref<2x83xcomplex<f32>>, %b: memref<2x83xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<2x83xcomplex<f32>> -> !tile.tile<2x83xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<2x83xcomplex<f32>>
  tile.store %y, %b[%c0, %c0] : !tile.tile<2x83xcomplex<f32>>, memref<2x83xcomplex<f32>>
  tile.return
}

// For 8325 = 37 * 225 elements no convolution fits in a block: 225 rows of 37 elements
// are convolved, and 37 rows of 225 = 9 * 5 * 5 elements are transformed by passes.
// CHECK-LABEL: tile.kernel @factors(
// CHECK:         tile.take %{{.*}} to !tile.tile<1x225x37x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 : !tile.tile<225x4x9x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 : !tile.tile<225x9x4x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 inverse : !tile.tile<225x9x4x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 4 inverse : !tile.tile<225x4x9x
// CHECK:         tile.partial_fft %{{.*}} places 1 threads 32 : !tile.tile<37x9x25x
// CHECK:         tile.partial_fft %{{.*}} places 9 threads 32 : !tile.tile<37x5x45x
// CHECK:         tile.partial_fft %{{.*}} places 45 threads 32 : !tile.tile<37x5x45x
// CHECK:         tile.take {{.*}} to !tile.tile<1x1x8325xcomplex<f32>
tile.kernel @factors(%a: memref<1x8325xcomplex<f32>>, %b: memref<1x8325xcomplex<f32>>) attributes {block = 512 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<1x8325xcomplex<f32>> -> !tile.tile<1x8325xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<1x8325xcomplex<f32>>
  tile.store %y, %b[%c0, %c0] : !tile.tile<1x8325xcomplex<f32>>, memref<1x8325xcomplex<f32>>
  tile.return
}

// One lane transforms a row of 17 elements, so its accesses would touch a cache line
// for each row. Instead, adjacent lanes load and store adjacent elements, and the rows
// pass through shared memory. So do rows of 8 elements, but not of 4.
// CHECK-LABEL: tile.kernel @row_in_lane(
// CHECK:         tile.load {{.*}} -> !tile.tile<32x17xcomplex<f32>, #tile.register<(32,1,32):(1,0,32), box = [32, 32]>>
// CHECK:         tile.convert_layout
// CHECK:         tile.partial_fft %{{.*}} : !tile.tile<32x17x1xcomplex<f32>, #tile.register<(32,1,17):(17,0,1), box = [32, 17, 1]>>
// CHECK:         tile.convert_layout
// CHECK:         tile.store {{.*}} : !tile.tile<32x17xcomplex<f32>, #tile.register<(32,1,32):(1,0,32), box = [32, 32]>>
// CHECK:         tile.load {{.*}} -> !tile.tile<32x8x
// CHECK:         tile.convert_layout
// CHECK:         tile.partial_fft
// CHECK:         tile.convert_layout
// CHECK:         tile.load {{.*}} -> !tile.tile<32x4x
// CHECK-NOT:     tile.convert_layout
// CHECK:         tile.return
tile.kernel @row_in_lane(%a: memref<?x17xcomplex<f32>>, %b: memref<?x8xcomplex<f32>>, %c: memref<?x4xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x17xcomplex<f32>> -> !tile.tile<32x17xcomplex<f32>>
  %y = tile.fft %x : !tile.tile<32x17xcomplex<f32>>
  tile.store %y, %a[%c0, %c0] : !tile.tile<32x17xcomplex<f32>>, memref<?x17xcomplex<f32>>
  %x8 = tile.load %b[%c0, %c0] : memref<?x8xcomplex<f32>> -> !tile.tile<32x8xcomplex<f32>>
  %y8 = tile.fft %x8 : !tile.tile<32x8xcomplex<f32>>
  tile.store %y8, %b[%c0, %c0] : !tile.tile<32x8xcomplex<f32>>, memref<?x8xcomplex<f32>>
  %x4 = tile.load %c[%c0, %c0] : memref<?x4xcomplex<f32>> -> !tile.tile<32x4xcomplex<f32>>
  %y4 = tile.fft %x4 : !tile.tile<32x4xcomplex<f32>>
  tile.store %y4, %c[%c0, %c0] : !tile.tile<32x4xcomplex<f32>>, memref<?x4xcomplex<f32>>
  tile.return
}
}
