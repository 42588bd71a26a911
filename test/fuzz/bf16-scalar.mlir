// A minimum of bf16 that LLVM does not vectorise calls a conversion of a
// library that not every host has.
// RUN: tile-fuzz --seed=705 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
tile.kernel @f(%in: memref<?xbf16>, %out: memref<24xbf16>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %t = tile.load %in[%zero] : memref<?xbf16> -> !tile.tile<bf16>
  %least = tile.reduce min %t : !tile.tile<bf16> to !tile.tile<bf16>
  tile.store %least, %out[%block] : !tile.tile<bf16>, memref<24xbf16>
  tile.return
}
