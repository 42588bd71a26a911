// RUN: tile-opt %S/Inputs/long-attention.mlir -convert-linalg-to-tile | FileCheck %s --check-prefixes=CHECK,LONG
// RUN: tile-opt %S/Inputs/attention.mlir -convert-linalg-to-tile | FileCheck %s --check-prefixes=CHECK,SHORT
// RUN: tile-opt %S/Inputs/scaled-attention.mlir -convert-linalg-to-tile | FileCheck %s --check-prefixes=CHECK,SAFE
// RUN: tile-opt %S/Inputs/plain-attention-f16.mlir -convert-linalg-to-tile | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: tile-opt %S/Inputs/causal-attention.mlir -convert-linalg-to-tile | FileCheck %s --check-prefixes=CHECK,CAUSAL

// Two matmuls and the softmax between them are one kernel, and there is no
// array of scores.
// CHECK: tile.kernel @main_product
// CHECK-NOT: tile.kernel

// For a long row, a block computes a part of the scores at a time. It rescales the sums
// of the earlier parts to the largest score so far.
// LONG: %[[Q:.*]] = tile.load {{.*}} -> !tile.tile<16x16xf32>
// LONG: %[[ROWS:.*]]:3 = scf.for {{.*}} = %c0 to %c201 step %c64 iter_args(%[[TOP:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}}) -> (!tile.tile<16xf32>, !tile.tile<16xf32>, !tile.tile<16x16xf32>)
// LONG: tile.matmul %[[Q]]
// LONG: arith.divf
// LONG: %[[MOST:.*]] = tile.reduce max
// LONG: arith.maximumf %[[TOP]], %[[MOST]]
// LONG: math.exp
// LONG: tile.reduce add
// LONG: tile.matmul
// LONG: }
// LONG: tile.broadcast %[[ROWS]]#1
// LONG: arith.divf %[[ROWS]]#2
// LONG: tile.store

// A short row is processed without a loop.
// SHORT-NOT: scf.for
// SHORT: tile.matmul
// SHORT: tile.reduce max
// SHORT: tile.reduce add
// SHORT: tile.matmul
// SHORT: tile.store

// In f16, results of matmuls are rounded before their batch dimensions are expanded.
// PLAIN: scf.for
// PLAIN: tile.matmul
// PLAIN: tile.reduce max
// PLAIN: tile.matmul {{.*}} : !tile.tile<{{.*}}xf16>, !tile.tile<{{.*}}xf16> -> !tile.tile<{{.*}}xf32>
// PLAIN: }
// PLAIN: tile.store

// If the network requires it, the weights of a row without an unmasked score are zero.
// SAFE: scf.for
// SAFE: }
// SAFE: arith.cmpf oeq
// SAFE: tile.select
// SAFE: tile.store

// The kernel computes the mask from indices, in the loop that applies it.
// CAUSAL: scf.for
// CAUSAL: tile.iota
// CAUSAL: arith.cmpi sle
// CAUSAL: tile.reduce max
// CAUSAL: }

// CHECK: func.func @main
// CHECK-NOT: memref.alloc
// CHECK-COUNT-1: tile.launch
// CHECK-NOT: tile.launch
