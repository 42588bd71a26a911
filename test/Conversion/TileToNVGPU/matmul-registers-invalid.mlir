// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -split-input-file -verify-diagnostics

#rhs = #tile.register<((4,8),1,(2,2)):((16,1),0,(8,64)), box = [16, 8]>
#acc = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>
tile.kernel @other_layout(%a: f16, %d: memref<16x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.fill %a : !tile.tile<16x16xf16, #tile.register<((8,4),1,(2,4)):((2,16),0,(1,64)), box = [16, 16]>>
  %y = tile.fill %a : !tile.tile<16x8xf16, #rhs>
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32, #acc>
  // expected-error @below {{expected lhs in a buffer (run -tile-bufferize before) or in #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]> (the fragments of m16n8k16), got '!tile.tile<16x16xf16, #tile.register<((8,4),1,(2,4)):((2,16),0,(1,64)), box = [16, 16]>>'}}
  // expected-error @below {{failed to legalize operation 'tile.matmul'}}
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<16x16xf16, #tile.register<((8,4),1,(2,4)):((2,16),0,(1,64)), box = [16, 16]>>, !tile.tile<16x8xf16, #rhs> -> !tile.tile<16x8xf32, #acc>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// -----

// FMA reads vectors of buffers.
#acc = #tile.register<((8,4),1,2):((1,16),0,8), box = [8, 8]>
tile.kernel @fma(%a: f32, %d: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.fill %a : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  %y = tile.fill %a : !tile.tile<4x8xf32, #tile.register<((8,4),1,1):((1,8),0,0), box = [4, 8]>>
  %z = arith.constant dense<0.0> : !tile.tile<8x8xf32, #acc>
  // expected-error @below {{expected lhs in a buffer (run -tile-bufferize before), got '!tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>'}}
  // expected-error @below {{failed to legalize operation 'tile.matmul'}}
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], thread = [2, 1], atom = "fma"> : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, !tile.tile<4x8xf32, #tile.register<((8,4),1,1):((1,8),0,0), box = [4, 8]>> -> !tile.tile<8x8xf32, #acc>
  tile.store %r, %d[%c0, %c0] : !tile.tile<8x8xf32, #acc>, memref<8x8xf32>
  tile.return
}

// -----

// The instruction is not the target's.
#lhs = #tile.register<((4,8),1,(4,2,2)):((4,32),0,(1,256,16)), box = [16, 32]>
#rhs = #tile.register<((4,8),1,(4,2,2)):((64,2),0,(16,256,1)), box = [32, 16]>
#acc = #tile.register<((4,8),1,(4,2)):((4,32),0,(1,16)), box = [16, 16]>
tile.kernel @other_target(%a: f8E4M3FN, %d: memref<16x16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.fill %a : !tile.tile<16x32xf8E4M3FN, #lhs>
  %y = tile.fill %a : !tile.tile<32x16xf8E4M3FN, #rhs>
  %z = arith.constant dense<0.0> : !tile.tile<16x16xf32, #acc>
  // expected-error @below {{expected an instruction of sm_80, got 'm16n8k32'}}
  // expected-error @below {{failed to legalize operation 'tile.matmul'}}
  %r = tile.matmul %x, %y, %z tiling <warps = [1, 1], sub = [1, 1], atom = #tile.mma<16x8x32, f8E4M3FN, f32>> : !tile.tile<16x32xf8E4M3FN, #lhs>, !tile.tile<32x16xf8E4M3FN, #rhs> -> !tile.tile<16x16xf32, #acc>
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x16xf32, #acc>, memref<16x16xf32>
  tile.return
}
