// Elements that are only computed with elementwise are spread over all threads, at
// least four bytes for each. If an operation needs rows, or a thread has more than one
// access, accesses are as wide as the array allows.
// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-assign-storage,tile-assign-layouts))' | FileCheck %s

module attributes {tile.target = "sm_80"} {

// CHECK-LABEL: tile.kernel @one_a_thread
// CHECK: tile.load {{.*}} -> !tile.tile<128xf32, #tile.register<(32,4,1):(1,32,0), box = [128]>>
tile.kernel @one_a_thread(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<128xf32>
  %b = math.erf %a : !tile.tile<128xf32>
  tile.store %b, %y[%c0] : !tile.tile<128xf32>, memref<?xf32>
  tile.return
}

// Two f16 are one register, and are computed with by one instruction.
// CHECK-LABEL: tile.kernel @two_halves_a_thread
// CHECK: tile.load {{.*}} -> !tile.tile<128xf16, #tile.register<(32,(2,2),2):(2,(64,0),1), box = [128]>>
tile.kernel @two_halves_a_thread(%x: memref<?xf16> {tile.alignment = 16 : i64}, %y: memref<?xf16> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf16> -> !tile.tile<128xf16>
  %b = arith.addf %a, %a : !tile.tile<128xf16>
  tile.store %b, %y[%c0] : !tile.tile<128xf16>, memref<?xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @more_than_threads
// CHECK: tile.load {{.*}} -> !tile.tile<512xf32, #tile.register<(32,4,4):(4,128,1), box = [512]>>
tile.kernel @more_than_threads(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<512xf32>
  %b = math.erf %a : !tile.tile<512xf32>
  tile.store %b, %y[%c0] : !tile.tile<512xf32>, memref<?xf32>
  tile.return
}

// One warp holds the row and reduces it without a barrier.
// CHECK-LABEL: tile.kernel @a_row_of_one_warp
// CHECK: tile.load {{.*}} -> !tile.tile<128xf32, #tile.register<(32,4,4):(4,0,1), box = [128]>>
tile.kernel @a_row_of_one_warp(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<128xf32>
  %most = tile.reduce max %a axis 0 : !tile.tile<128xf32> to !tile.tile<f32>
  %row = tile.broadcast %most : !tile.tile<f32> to !tile.tile<128xf32>
  %b = arith.subf %a, %row : !tile.tile<128xf32>
  tile.store %b, %y[%c0] : !tile.tile<128xf32>, memref<?xf32>
  tile.return
}

// A tile that is only broadcast is loaded in the layout that the threads need.
// CHECK-LABEL: tile.kernel @a_row_for_others
// CHECK: tile.load {{.*}} -> !tile.tile<32xf32, #tile.register<(32,4,1):(1,0,0), box = [32]>>
// CHECK-NOT: tile.convert_layout
tile.kernel @a_row_for_others(%x: memref<?x32xf32> {tile.alignment = 16 : i64}, %r: memref<32xf32> {tile.alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x32xf32> -> !tile.tile<4x32xf32>
  %row = tile.load %r[%c0] : memref<32xf32> -> !tile.tile<32xf32>
  %rows = tile.broadcast %row : !tile.tile<32xf32> to !tile.tile<4x32xf32>
  %b = arith.mulf %a, %rows : !tile.tile<4x32xf32>
  tile.store %b, %x[%c0, %c0] : !tile.tile<4x32xf32>, memref<?x32xf32>
  tile.return
}

// Adjacent lanes load adjacent elements, one by one, although the mask's bytes could
// be loaded eight for each lane: then each lane would access another sector of the
// array.
// CHECK-LABEL: tile.kernel @mask_of_bytes
// CHECK: tile.gather {{.*}} -> !tile.tile<1x256xf32, #tile.register<(32,1,8):(1,0,32), box = [1, 256]>>
tile.kernel @mask_of_bytes(%x: memref<?x?xf32> {tile.alignment = 16 : i64}, %m: memref<?x256xi8> {tile.alignment = 16 : i64}, %y: memref<?x256xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %bytes = tile.load %m[%c0, %c0] : memref<?x256xi8> -> !tile.tile<1x256xi8>
  %zero = arith.constant dense<0> : !tile.tile<1x256xi8>
  %mask = arith.cmpi ne, %bytes, %zero : !tile.tile<1x256xi8>
  %column = tile.iota axis 1 : !tile.tile<1x256xi32>
  %none = arith.constant dense<-1> : !tile.tile<1x256xi32>
  %at = tile.select %mask, %column, %none : !tile.tile<1x256xi1>, !tile.tile<1x256xi32>
  %t = tile.gather %x[%c0, %c0] at %at axis 1 : memref<?x?xf32>, !tile.tile<1x256xi32> -> !tile.tile<1x256xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<1x256xf32>, memref<?x256xf32>
  tile.return
}

}
