// RUN: tile-opt %s -tile-issue-matmuls -verify-diagnostics -split-input-file

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

module attributes {tile.target = "sm_90a"} {
tile.kernel @no_tiling(%v: f32) attributes {block = 128 : i64} {
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{expected a block size and a complete tiling (run -tile-warp-tiling before)}}
  %d = tile.matmul %a, %b, %c : !lhs, !rhs -> !sum
  tile.return
}
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

module attributes {tile.target = "sm_90a"} {
tile.kernel @no_buffer(%v: f32, %w: f16) attributes {block = 128 : i64} {
  %a = memref.alloc() : !lhs
  %b = tile.fill %w : !tile.tile<32x64xf16>
  %c = tile.fill %v : !sum
  // expected-error @below {{expected operands in buffers (run -tile-bufferize before), got '!tile.tile<32x64xf16>'}}
  %d = tile.matmul %a, %b, %c tiling #tiling : !lhs, !tile.tile<32x64xf16> -> !sum
  tile.return
}
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

module attributes {tile.target = "sm_90a"} {
tile.kernel @mark_without_loop(%v: f32) attributes {block = 128 : i64} {
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{expected tile.in_flight on a product that adds to what its loop carries}}
  %d = tile.matmul %a, %b, %c tiling #tiling {tile.in_flight} : !lhs, !rhs -> !sum
  tile.return
}
}
