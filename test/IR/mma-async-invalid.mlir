// RUN: tile-opt %s -verify-diagnostics -split-input-file

// Constraints C1 to C5 are those of tile.matmul, whose tests cover each.
#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

func.func @c2(%a: !lhs, %b: memref<16x64xf16, #tile.shared<(16,64):(1,16)>>, %c: !sum) {
  // expected-error @below {{'tile_gpu.mma_async' op expected rhs of 32 rows (columns of lhs), got 16}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, memref<16x64xf16, #tile.shared<(16,64):(1,16)>> -> !sum
  return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

func.func @c6_tiling(%a: !lhs, %b: !rhs, %c: !sum) {
  // expected-error @below {{'tile_gpu.mma_async' op expected a tiling with 'atom', 'warps' and 'sub', got #tile.tiling<atom = "m64nNk16">}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling <atom = "m64nNk16"> : !lhs, !rhs -> !sum
  return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

func.func @c7_lhs(%a: !tile.tile<64x32xf16>, %b: !rhs, %c: !sum) {
  // expected-error @below {{'tile_gpu.mma_async' op expected a tile in registers with a layout, got '!tile.tile<64x32xf16>'}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !tile.tile<64x32xf16>, !rhs -> !sum
  return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

func.func @c7_rhs(%a: !lhs, %b: !tile.tile<32x64xf16>, %c: !sum) {
  // expected-error @below {{'tile_gpu.mma_async' op operand #1 must be buffer in shared memory, but got '!tile.tile<32x64xf16>'}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !tile.tile<32x64xf16> -> !sum
  return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

func.func @c6_instruction(%a: !lhs, %b: !rhs, %c: !sum) {
  // expected-error @below {{'tile_gpu.mma_async' op expected an asynchronous instruction, got #tile.mma<16x8x16, f16, f32>}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = #tile.mma<16x8x16, f16, f32>> : !lhs, !rhs -> !sum
  return
}
