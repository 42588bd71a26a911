// RUN: tile-opt %s -verify-diagnostics -split-input-file -tile-verify-instructions

// The count of a matmul's instructions requires its tiling.
tile.kernel @needs_tilings(%a: memref<16x16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %u = tile.matmul %t, %t, %zero : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
  tile.store %u, %a[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}

// -----

// The tiling is for another architecture than the module's.
#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
module attributes {tile.target = "sm_80"} {
  tile.kernel @other_architecture(%v: f32) attributes {block = 128 : i64} {
    %a = memref.alloc() : memref<64x32xf16, #lhs>
    %b = memref.alloc() : memref<32x64xf16, #rhs>
    %c = tile.fill %v : !tile.tile<64x64xf32, #sum>
    // expected-error @below {{expected a tiling by an instruction of sm_80, got 'm64nNk16'}}
    %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : memref<64x32xf16, #lhs>, memref<32x64xf16, #rhs> -> !tile.tile<64x64xf32, #sum>
    %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !tile.tile<64x64xf32, #sum>
    tile.return
  }
}
