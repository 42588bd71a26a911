// RUN: tile-opt %s -tile-verify-synchronization -verify-diagnostics -split-input-file

#row = #tile.shared<(128):(1)>
!b = memref<128xf32, #row>
!pairs = !tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>
!strides = !tile.tile<128xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!across = !tile.tile<128xf32, #tile.register<(32,2,2):(1,32,64), box = [128]>>

// A warp reads elements that other warps wrote.
tile.kernel @other_warps(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %all = arith.constant -1 : i32
  // expected-note @below {{the write of shared bytes [0, 512)}}
  tile_gpu.store_shared %t, %a : !pairs, !b
  // expected-note @below {{this barrier orders the lanes of each warp alone}}
  nvvm.bar.warp.sync %all : i32
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 512) and this read of shared bytes [0, 512), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !across
  tile.return
}

// -----

#row = #tile.shared<(128):(1)>
!b = memref<128xf32, #row>
!pairs = !tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>
!strides = !tile.tile<128xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!across = !tile.tile<128xf32, #tile.register<(32,2,2):(1,32,64), box = [128]>>

// The barrier comes before the write.
tile.kernel @too_early(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %all = arith.constant -1 : i32
  nvvm.bar.warp.sync %all : i32
  // expected-note @below {{the write of shared bytes [0, 512)}}
  tile_gpu.store_shared %t, %a : !pairs, !b
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 512) and this read of shared bytes [0, 512), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile.return
}

// -----

#row = #tile.shared<(128):(1)>
!b = memref<128xf32, #row>
!pairs = !tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>
!strides = !tile.tile<128xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!across = !tile.tile<128xf32, #tile.register<(32,2,2):(1,32,64), box = [128]>>

// The other buffer has its elements at other bytes.
tile.kernel @other_buffer(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 4 : i64} : !b
  %t = tile.fill %v : !pairs
  %all = arith.constant -1 : i32
  // expected-note @below {{the write of shared bytes [0, 512)}}
  tile_gpu.store_shared %t, %a : !pairs, !b
  // expected-note @below {{this barrier orders the lanes of each warp alone}}
  nvvm.bar.warp.sync %all : i32
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 512) and this write of shared bytes [4, 516), got a path without one}}
  tile_gpu.store_shared %t, %c : !pairs, !b
  tile.return
}

// -----

#row = #tile.shared<(128):(1)>
!b = memref<128xf32, #row>
!pairs = !tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>
!strides = !tile.tile<128xf32, #tile.register<(32,2,2):(1,64,32), box = [128]>>
!across = !tile.tile<128xf32, #tile.register<(32,2,2):(1,32,64), box = [128]>>

// The barrier of the warp leaves some lanes out.
tile.kernel @half_a_warp(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !pairs
  %half = arith.constant 65535 : i32
  // expected-note @below {{the write of shared bytes [0, 512)}}
  tile_gpu.store_shared %t, %a : !pairs, !b
  // expected-error @below {{expected an operation that the proof of synchronization knows, got 'nvvm.bar.warp.sync'}}
  nvvm.bar.warp.sync %half : i32
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 512) and this read of shared bytes [0, 512), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !strides
  tile.return
}
