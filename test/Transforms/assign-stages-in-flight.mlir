// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages | FileCheck %s

#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
// Four stages: the matmul in flight still reads one of them when the next one is
// issued.
// CHECK-LABEL: @four_stages
// CHECK: tile.matmul {{.*}} {tile.in_flight}
tile.kernel @four_stages(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 4> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// CHECK-LABEL: @three_stages
// CHECK: tile.matmul
// CHECK-NOT: tile.in_flight
// CHECK: tile.store
tile.kernel @three_stages(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 3> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// An iteration reads the accumulator, so no matmul stays in flight.
// CHECK-LABEL: @looked_at
// CHECK: tile.matmul
// CHECK-NOT: tile.in_flight
// CHECK: tile.store
tile.kernel @looked_at(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 4> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    tile.print "sum", %d : !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// Threads align unaligned rows, so no matmul stays in flight.
// CHECK-LABEL: @aligned_rows
// CHECK: tile.matmul
// CHECK-NOT: tile.in_flight
// CHECK: tile.store
tile.kernel @aligned_rows(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #column>, %z: memref<?x?xf32, #row>) attributes {block = 128} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<64x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc tiling <stages = 4> : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<64x128xf32>
    scf.yield %d : !tile.tile<64x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// The compiler chooses four stages if a multiprocessor has room for only one block
// anyway.
// CHECK-LABEL: @chosen
// CHECK: tile.matmul {{.*}} {tile.in_flight}
// CHECK: tile.num_stages = 4
tile.kernel @chosen(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) attributes {block = 256} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> !tile.tile<128x256xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #column> -> !tile.tile<64x256xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<128x64xf16>, !tile.tile<64x256xf16> -> !tile.tile<128x256xf32>
    scf.yield %d : !tile.tile<128x256xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x256xf32>, memref<?x?xf32, #row>
  tile.return
}
}
