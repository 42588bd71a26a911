// The program from which version-5.mlirbc was written, with -emit-bytecode, when the
// dialect's bytecode had version 5. A load that runs ahead then had tile.stage = 0, and a
// copy that covers rows had a unit attribute.
#rows = #tile.shared<(16,16):(16,1)>
!operand = !tile.tile<16x16xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
tile.kernel @marked(%a: memref<?x?xf16>, %z: f32, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill %z : !acc
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> !acc {
    %x = tile.load %a[%c0, %k] {tile.copy = #tile_gpu.cp_async} : memref<?x?xf16> -> !operand
    %y = tile.load %a[%k, %c0] {tile.copy = #tile_gpu.through_registers} : memref<?x?xf16> -> !tile.tile<16x16xf16, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>
    %s = tile.matmul %x, %x, %acc tiling <warps = [1, 1], sub = [1, 2], atom = #tile.mma<16x8x16, f16, f32>> : !operand, !operand -> !acc
    scf.yield %s : !acc
  } {tile.num_stages = 3 : i64}
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}
tile.kernel @copies(%a: memref<?x?xf16>, %i: index, %holds: i1) {
  %b = memref.alloc() : memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  %e = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>
  tile_gpu.copy_async %a[%i, %i] to %b : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile_gpu.copy_async %a[%i, %i] to %b by(#tile_gpu.cover_rows) in_bounds : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile_gpu.copy_async %a[%i, %i] to %b if %holds by(#tile_gpu.cover_rows) with %e : memref<8x8xf16, #tile.shared<(8,8):(8,1)>> : memref<?x?xf16> to memref<8x64xf16, #tile.shared<(8,64):(64,1)>>
  tile.return
}
