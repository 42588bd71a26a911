// A complex matmul in which a thread has 16 elements.
tile.kernel @cm(%A: memref<64x64xcomplex<f32>>, %B: memref<64x64xcomplex<f32>>, %C: memref<64x64xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %zero = tile.fill %z : !tile.tile<64x64xcomplex<f32>>
  %a = tile.load %A[%c0, %c0] : memref<64x64xcomplex<f32>> -> !tile.tile<64x64xcomplex<f32>>
  %b = tile.load %B[%c0, %c0] : memref<64x64xcomplex<f32>> -> !tile.tile<64x64xcomplex<f32>>
  %d = tile.matmul %a, %b, %zero : !tile.tile<64x64xcomplex<f32>>, !tile.tile<64x64xcomplex<f32>> -> !tile.tile<64x64xcomplex<f32>>
  tile.store %d, %C[%c0, %c0] : !tile.tile<64x64xcomplex<f32>>, memref<64x64xcomplex<f32>>
  tile.return
}
