// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -verify-diagnostics -split-input-file

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

module attributes {tile.target = "sm_90a"} {
tile.kernel @not_issued(%v: f32) attributes {block = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{failed to legalize operation 'tile.matmul'}}
  // expected-error @below {{expected a product in flight, as its instruction is that of a warpgroup (run -tile-issue-matmuls before)}}
  %d = tile.matmul %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  tile.return
}
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

module attributes {tile.target = "sm_90a"} {
tile.kernel @instruction_of_a_warp(%v: f32) attributes {block = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{failed to legalize operation 'tile_gpu.mma_async'}}
  // expected-error @below {{expected an instruction of a warpgroup of sm_90a, got 'm16n8k16'}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m16n8k16"> : !lhs, !rhs -> !sum
  tile.return
}
}

// -----

#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
!lhs = !tile.tile<64x32xf16, #tile.register<((4,8),4,(2,2,2,2)):((2,32),512,(1,8,256,16)), box = [64, 32]>>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

module attributes {tile.target = "sm_90a"} {
tile.kernel @lhs_in_other_registers(%v: f32, %w: f16) attributes {block = 128 : i64} {
  %a = tile.fill %w : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{failed to legalize operation 'tile_gpu.mma_async'}}
  // expected-error @below {{expected lhs in the layout of the instruction's fragments (from -tile-assign-layouts), got '!tile.tile<64x32xf16}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  tile.return
}
}

// -----

#rhs = #tile.shared<(32,64):(1,32), swizzle = <1, 4, 3>, align = 256>
!lhs = !tile.tile<64x32xf8E4M3FN, #tile.register<((4,8),4,(4,2,2,1)):((4,32),512,(1,256,16,0)), box = [64, 32]>>
!rhs = memref<32x64xf8E4M3FN, #rhs>
!sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

module attributes {tile.target = "sm_90a"} {
tile.kernel @lhs_of_bytes_in_registers(%v: f32, %w: f8E4M3FN) attributes {block = 128 : i64} {
  %a = tile.fill %w : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-error @below {{failed to legalize operation 'tile_gpu.mma_async'}}
  // expected-error @below {{expected lhs in registers of f16, bf16 or f32, got '!tile.tile<64x32xf8E4M3FN}}
  %d, %token = tile_gpu.mma_async %a, %b, %c precision fast_accumulation tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk32"> : !lhs, !rhs -> !sum
  tile.return
}
}

// -----

!t = !tile.tile<32xi8, #tile.register<(32,4,1):(1,0,0), box = [32]>>

module attributes {tile.target = "sm_90a"} {
tile.kernel @single_bytes(%v: i8) attributes {block = 128 : i64} {
  %t = tile.fill %v : !t
  %none = tile_gpu.mma_none
  // expected-error @below {{failed to legalize operation 'tile_gpu.mma_wait'}}
  // expected-error @below {{expected values in registers of 32 or 64 bits, got 'i8'}}
  %u = tile_gpu.mma_wait %none in_flight 0 of %t : !t
  tile.return
}
}
