// Upstream's conversions of math do not lower these operations: isinf, and
// isnormal, which the GPU path refuses.
// RUN: split-file %s %t
// RUN: tile-fuzz --seed=2 %t/isinf.mlir | FileCheck %s
// RUN: tile-fuzz --seed=2 --on=cpu %t/isnormal.mlir | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
//--- isinf.mlir
tile.kernel @f(%in: memref<?xf32>, %out: memref<64xi1>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %size = arith.constant 16 : index
  %at = arith.muli %block, %size : index
  %t = tile.load %in[%zero] : memref<?xf32> -> !tile.tile<16xf32>
  %z = arith.constant dense<0.0> : !tile.tile<16xf32>
  %q = arith.divf %t, %z : !tile.tile<16xf32>
  %r = math.isinf %q : !tile.tile<16xf32>
  tile.store %r, %out[%at] : !tile.tile<16xi1>, memref<64xi1>
  tile.return
}
//--- isnormal.mlir
tile.kernel @f(%in: memref<?xbf16>, %out: memref<64xi1>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %size = arith.constant 16 : index
  %at = arith.muli %block, %size : index
  %t = tile.load %in[%zero] : memref<?xbf16> -> !tile.tile<16xbf16>
  %r = math.isnormal %t : !tile.tile<16xbf16>
  tile.store %r, %out[%at] : !tile.tile<16xi1>, memref<64xi1>
  tile.return
}
