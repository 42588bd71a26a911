// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block of x adds its sum, in the order of blocks, which needs a workspace.
tile.kernel @count(%x: memref<?xi32>, %out: memref<1xi64>) {
  %size = arith.constant 256 : index
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %first = arith.muli %block, %size : index
  %t = tile.load %x[%first] : memref<?xi32> -> !tile.tile<256xi32>
  %wide = tile.cast %t : !tile.tile<256xi32> to !tile.tile<256xi64>
  %row = tile.reshape %wide : !tile.tile<256xi64> to !tile.tile<1x256xi64>
  %sum = tile.reduce add %row axis 1 : !tile.tile<1x256xi64> to !tile.tile<1xi64>
  %old = tile.atomic_rmw add %sum, %out[%zero] ordered : !tile.tile<1xi64>, memref<1xi64>
  tile.return
}
