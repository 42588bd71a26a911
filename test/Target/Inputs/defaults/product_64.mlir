// A matmul by tiles of 64x64x64.
tile.kernel @product(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c64 : index
  %n = arith.muli %y, %c64 : index
  %depth = memref.dim %A, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %s = scf.for %k = %c0 to %depth step %c64 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %A[%m, %k] : memref<?x?xf16> -> !tile.tile<64x64xf16>
    %b = tile.load %B[%k, %n] : memref<?x?xf16> -> !tile.tile<64x64xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %s, %C[%m, %n] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}
