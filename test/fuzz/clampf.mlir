// Upstream's conversions for the CPU do not convert clampf, and its expansion gives the
// upper limit for values that are not above it.
// RUN: tile-fuzz --seed=2 %s | FileCheck %s
// CHECK: right: {{[1-9][0-9]*}} numbers exactly, {{[0-9]+}} within a bound, 0 not known
tile.kernel @f(%in: memref<?xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %block = tile.program_id x
  %size = arith.constant 16 : index
  %at = arith.muli %block, %size : index
  %t = tile.load %in[%zero] : memref<?xf32> -> !tile.tile<16xf32>
  %low = arith.constant dense<-0.5> : !tile.tile<16xf32>
  %high = arith.constant dense<0.5> : !tile.tile<16xf32>
  %r = math.clampf %t to [%low, %high] : !tile.tile<16xf32>
  tile.store %r, %out[%at] : !tile.tile<16xf32>, memref<64xf32>
  tile.return
}
