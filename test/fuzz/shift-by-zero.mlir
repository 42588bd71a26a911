// On x86 with GFNI, LLVM's code for shifts of bytes by a constant of 0 inverts bits of
// negative ones. All amounts are 0 here, those of elements beyond the array.
// RUN: tile-fuzz --seed=2 %s | FileCheck %s
// RUN: tile-fuzz --seed=3 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, 0 within a bound, 0 not known
tile.kernel @f(%values: memref<5x?xi8, strided<[?, ?]>>, %amounts: memref<4x5xi8>, %row: index, %out: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %before = arith.constant -8 : index
  %block = tile.program_id x
  %rows = arith.constant 8 : index
  %first = arith.muli %block, %rows : index
  %value = tile.load %values[%row, %row] : memref<5x?xi8, strided<[?, ?]>> -> !tile.tile<8x64xi8>
  %amount = tile.load %amounts[%before, %c0] : memref<4x5xi8> -> !tile.tile<8x64xi8>
  %shifted = arith.shrsi %value, %amount : !tile.tile<8x64xi8>
  tile.store %shifted, %out[%first, %c0] : !tile.tile<8x64xi8>, memref<?x?xi8>
  tile.return
}
