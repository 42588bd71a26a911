// Operands that are rounded in registers before a wgmma: the lhs of a copy, the rhs
// on its way to shared memory.
#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {
tile.kernel @rounded(%x: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %y: memref<?x?xf32, #column> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}, %z: memref<?x?xf32, #row> {tile.alignment = 16 : i64, tile.stride_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %c1024 step %step iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<?x?xf32, #row> -> !tile.tile<64x16xf32>
    %b = tile.load %y[%k, %c0] : memref<?x?xf32, #column> -> !tile.tile<16x64xf32>
    %d = tile.matmul %a, %b, %acc precision tf32 tiling <atom = "m64nNk8"> : !tile.tile<64x16xf32>, !tile.tile<16x64xf32> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %z[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}
}
