// The program from which version-4-buffered.mlirbc was written, with -emit-bytecode, when
// the dialect's bytecode had version 4. The operations of tile_gpu were then operations of
// tile; text with the old spellings is still read.
#put_shared_row = #tile.register<(32,1,1):(1,0,0), box = [32]>
#put_shared_buffer = #tile.shared<(9):(1)>
#mma_async_lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#mma_async_rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#mma_async_sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#mma_async_tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!mma_async_lhs = memref<64x32xf16, #mma_async_lhs>
!mma_async_rhs = memref<32x64xf16, #mma_async_rhs>
!mma_async_sum = !tile.tile<64x64xf32, #mma_async_sum>
!mma_wait_sum = !tile.tile<64x64xf32, #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>>

func.func @from_buffer_reads(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  %0 = tile.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared<(8,4):(4,1)>>
  %1 = tile.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.shared>
  return
}
tile.kernel @copy_async_boxes(%a: memref<?x?xf32, strided<[?, 1]>>, %c: memref<?x?x?xf32>, %i: index, %holds: i1) {
  %b = memref.alloc() : memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.copy_async %a[%i, %i] to %b : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.copy_async %a[%i, %i] to %b in_bounds : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.copy_async %a[%i, %i] to %b if %holds in_bounds : memref<?x?xf32, strided<[?, 1]>> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.copy_async %c[%i, %i, %i] to %b : memref<?x?x?xf32> to memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.return
}
tile.kernel @copy_async_rows_that_begin_anywhere(%a: memref<?x?xf16>, %i: index, %holds: i1) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  tile.copy_async %a[%i, %i] to %b covering : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.copy_async %a[%i, %i] to %b if %holds covering ends %e : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> in_bounds : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.align_rows %b, %e of %a[%i, %i] if %holds : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile.return
}
func.func @align_rows_every_form(%a: memref<?x?xf16>, %i: index, %holds: i1, %b: memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, %e: memref<8x8xf16, #tile.shared<(8,8):(8,1)>>) {
  tile.align_rows %b, %e of %a[%i, %i] : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  tile.align_rows %b, %e of %a[%i, %i] if %holds {note = "x"} : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>, memref<8x8xf16, #tile.shared<(8,8):(8,1)>> of memref<?x?xf16>
  return
}
func.func @store_shared_writes(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  tile.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  tile.store_shared %t, %b zero_padding : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  return
}
func.func @store_shared_writes_another_shape(%b: memref<32xf32, #tile.shared<(32):(1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  tile.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<32xf32, #tile.shared<(32):(1)>>
  return
}
func.func @load_shared_reads(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  %0 = tile.load_shared %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  return
}
func.func @put_shared_every_form(%v: !tile.tile<32xi32, #put_shared_row>, %b: memref<9xi32, #put_shared_buffer>, %i: !tile.tile<32xi16, #put_shared_row>, %m: !tile.tile<32xi1, #put_shared_row>) {
  tile.put_shared %v into %b at %i axis 0 : !tile.tile<32xi32, #put_shared_row>, !tile.tile<32xi16, #put_shared_row> into memref<9xi32, #put_shared_buffer>
  tile.put_shared umax %v into %b at %i axis 0 mask %m : !tile.tile<32xi1, #put_shared_row> {note = "x"} : !tile.tile<32xi32, #put_shared_row>, !tile.tile<32xi16, #put_shared_row> into memref<9xi32, #put_shared_buffer>
  return
}
func.func @mma_async_in_buffers(%a: !mma_async_lhs, %b: !mma_async_rhs, %c: !mma_async_sum) -> (!mma_async_sum, !tile.mma_token) {
  %d, %token = tile.mma_async %a, %b, %c tiling #mma_async_tiling : !mma_async_lhs, !mma_async_rhs -> !mma_async_sum
  return %d, %token : !mma_async_sum, !tile.mma_token
}
func.func @mma_async_lhs_in_registers(%a: !tile.tile<64x32xf16, #tile.register<((4,8),4,(2,2,2,2)):((2,32),512,(1,256,8,16)), box = [64, 32]>>, %b: !mma_async_rhs, %c: !mma_async_sum) -> !mma_async_sum {
  %d, %token = tile.mma_async %a, %b, %c tiling #mma_async_tiling : !tile.tile<64x32xf16, #tile.register<((4,8),4,(2,2,2,2)):((2,32),512,(1,256,8,16)), box = [64, 32]>>, !mma_async_rhs -> !mma_async_sum
  return %d : !mma_async_sum
}
func.func @mma_async_precision(%a: memref<64x32xf8E4M3FN, #tile.shared<(64,32):(32,1)>>, %b: memref<32x64xf8E4M3FN, #tile.shared<(32,64):(1,32)>>, %c: !mma_async_sum) -> !mma_async_sum {
  %d, %token = tile.mma_async %a, %b, %c precision fast_accumulation tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk32"> : memref<64x32xf8E4M3FN, #tile.shared<(64,32):(32,1)>>, memref<32x64xf8E4M3FN, #tile.shared<(32,64):(1,32)>> -> !mma_async_sum
  return %d : !mma_async_sum
}
func.func @mma_wait_of_values(%token: !tile.mma_token, %c: !mma_wait_sum) -> !mma_wait_sum {
  %d = tile.mma_wait %token in_flight 0 of %c : !mma_wait_sum
  %e:2 = tile.mma_wait %token in_flight 1 of %c, %d : !mma_wait_sum, !mma_wait_sum
  return %e#1 : !mma_wait_sum
}
func.func @mma_wait_of_none(%token: !tile.mma_token) {
  tile.mma_wait %token in_flight 63
  return
}
func.func @mma_none_none() -> !tile.mma_token {
  %token = tile.mma_none
  return %token : !tile.mma_token
}
func.func @warpgroup_mma_halves(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] transposed from_zero of bf16 : f32, f32, f32, f32
  return %d#3 : f32
}
func.func @warpgroup_mma_bytes(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] of f8E4M3FN : f32, f32, f32, f32
  return %d#0 : f32
}
func.func @warpgroup_mma_tf32(%a: i32, %b: i64, %c: f32) -> f32 {
  %d:4 = tile.warpgroup_mma [%a, %a, %a, %a], %b, [%c, %c, %c, %c] of f32 : f32, f32, f32, f32
  return %d#0 : f32
}
