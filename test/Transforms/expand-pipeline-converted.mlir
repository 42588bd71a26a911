// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages | FileCheck %s --check-prefix=MARK
// RUN: tile-opt %s -tile-phases | FileCheck %s

// Tiles that elementwise operations compute from one loaded tile are converted in
// registers on their way to shared memory: the tile of the next iteration is converted and
// stored while the matmul runs, and the one after that is loaded. An iteration has one
// barrier.
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {
// MARK-LABEL: @scaled_bytes
// MARK: tile.load {{.*}} {tile.copy = #tile_gpu.cp_async} {{.*}}128x64xf16, #tile.shared
// MARK: tile.load {{.*}} {tile.copy = #tile_gpu.through_registers} {{.*}}64x128xi8, #tile.register
// MARK: tile.convert_layout {{.*}} to !tile.tile<64x128xf16, #tile.shared
// MARK: tile.matmul {{.*}} atom = #tile.wgmma
// MARK: tile.num_stages
// CHECK-LABEL: @scaled_bytes
// CHECK: memref.alloc() {{.*}}memref<3x128x64xf16
// CHECK: memref.alloc() {{.*}}memref<3x64x128xf16
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: %[[SUM:.*]], %[[TOKEN:.*]] = tile_gpu.mma_async
// CHECK: tile_gpu.copy_async
// CHECK: %[[WIDE:.*]] = tile.cast %arg{{.*}} : !tile.tile<64x128xi8
// CHECK: %[[SCALED:.*]] = arith.mulf %[[WIDE]]
// CHECK: tile_gpu.store_shared %[[SCALED]]
// CHECK: tile.load {{.*}} -> !tile.tile<64x128xi8
// CHECK-NOT: gpu.barrier
// CHECK: tile_gpu.mma_wait %[[TOKEN]] in_flight 0 of %[[SUM]]
// CHECK: scf.yield
tile.kernel @scaled_bytes(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xi8, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %s: memref<?xf16>, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %scale = tile.load %s[%c0] : memref<?xf16> -> !tile.tile<128xf16>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xi8, #row> -> !tile.tile<64x128xi8>
    %w = tile.cast %b : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %f = tile.broadcast %scale : !tile.tile<128xf16> to !tile.tile<64x128xf16>
    %q = arith.mulf %w, %f : !tile.tile<64x128xf16>
    %d = tile.matmul %a, %q, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// The scales of a group of rows are loaded in the loop, and broadcast: they are loaded
// ahead together with the tile.
// MARK-LABEL: @scales_of_groups
// MARK: tile.load {{.*}} {tile.copy = #tile_gpu.cp_async}
// MARK: tile.load {{.*}} {tile.copy = #tile_gpu.through_registers}
// MARK: tile.matmul {{.*}} atom = #tile.wgmma
// CHECK-LABEL: @scales_of_groups
// CHECK: scf.for
// CHECK: tile_gpu.mma_async
// CHECK: tile.cast %arg{{.*}} : !tile.tile<64x128xi8
// CHECK: tile.broadcast %arg{{.*}} : !tile.tile<1x128xf16
// CHECK: tile_gpu.store_shared
// CHECK: tile.load {{.*}} -> !tile.tile<64x128xi8
// CHECK: tile.load {{.*}} -> !tile.tile<1x128xf16
// CHECK: tile_gpu.mma_wait
tile.kernel @scales_of_groups(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xi8, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %s: memref<?x?xf16, #row>, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xi8, #row> -> !tile.tile<64x128xi8>
    %scale = tile.load %s[%k, %c0] : memref<?x?xf16, #row> -> !tile.tile<1x128xf16>
    %w = tile.cast %b : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %f = tile.broadcast %scale : !tile.tile<1x128xf16> to !tile.tile<64x128xf16>
    %q = arith.mulf %w, %f : !tile.tile<64x128xf16>
    %d = tile.matmul %a, %q, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// An operand that is computed from two tiles of its own size is computed in registers, for
// single warps.
// MARK-LABEL: @sum_of_two_loads
// MARK-COUNT-3: tile.load {{.*}} {tile.copy = #tile_gpu.cp_async}
// MARK: tile.matmul {{.*}} atom = #tile.mma
tile.kernel @sum_of_two_loads(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xi8, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xi8, #row> -> !tile.tile<64x128xi8>
    %c = tile.load %y[%k, %step] : memref<?x?xi8, #row> -> !tile.tile<64x128xi8>
    %w = arith.addi %b, %c : !tile.tile<64x128xi8>
    %q = tile.cast %w : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %d = tile.matmul %a, %q, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// The loop writes the scales: nothing is loaded ahead of it.
// MARK-LABEL: @scales_that_the_loop_writes
// MARK-NOT: through_registers
// MARK: tile.return
tile.kernel @scales_that_the_loop_writes(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xi8, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %s: memref<?x?xf16, #row>, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xi8, #row> -> !tile.tile<64x128xi8>
    %scale = tile.load %s[%k, %c0] : memref<?x?xf16, #row> -> !tile.tile<1x128xf16>
    %w = tile.cast %b : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %f = tile.broadcast %scale : !tile.tile<1x128xf16> to !tile.tile<64x128xf16>
    %q = arith.mulf %w, %f : !tile.tile<64x128xf16>
    %d = tile.matmul %a, %q, %acc : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    %one = arith.constant dense<1.0> : !tile.tile<1x128xf16>
    tile.store %one, %s[%k, %c0] : !tile.tile<1x128xf16>, memref<?x?xf16, #row>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// A matmul by FMA reads f32 from shared memory: f16 is converted on its way.
// MARK-LABEL: @halves_as_floats
// MARK-COUNT-2: tile.load {{.*}} {tile.copy = #tile_gpu.through_registers}
// CHECK-LABEL: @halves_as_floats
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: tile.matmul
// CHECK: tile.cast
// CHECK: tile_gpu.store_shared
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
tile.kernel @halves_as_floats(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x16xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xf16, #row> -> !tile.tile<16x64xf16>
    %v = tile.cast %a : !tile.tile<64x16xf16> to !tile.tile<64x16xf32>
    %w = tile.cast %b : !tile.tile<16x64xf16> to !tile.tile<16x64xf32>
    %d = tile.matmul %v, %w, %acc : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}

// A print between the conversion and the matmul reads the converted tile in its own
// iteration: nothing is converted ahead.
// MARK-LABEL: @prints_what_is_converted
// MARK-NOT: through_registers
// MARK: tile.return
tile.kernel @prints_what_is_converted(%x: memref<?x?xf16, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xi8, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row>, %n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf16, #row> -> !tile.tile<64x64xf16>
    %b = tile.load %y[%k, %c0] : memref<?x?xi8, #row> -> !tile.tile<64x64xi8>
    %w = tile.cast %b : !tile.tile<64x64xi8> to !tile.tile<64x64xf16>
    tile.print "w", %w : !tile.tile<64x64xf16>
    %d = tile.matmul %a, %w, %acc : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}
}
