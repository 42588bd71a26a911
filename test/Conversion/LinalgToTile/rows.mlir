// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// A row that one tile holds entirely is read once; each row has one result.
func.func @softmax(%x: tensor<?x1000xf32>, %e: tensor<?x1000xf32>) -> tensor<?x1000xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x1000xf32>) outs(%e : tensor<?x1000xf32>) -> tensor<?x1000xf32>
  return %r : tensor<?x1000xf32>
}
// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0 ceildiv 2)>
// CHECK: tile.kernel @softmax_rows(%[[X:.*]]: memref<?x1000xf32>, %[[OUT:.*]]: memref<?x1000xf32>) attributes {grid = #tile.grid<#[[MAP]] of {{\[\[}}1, 0]]>}
// CHECK: %[[V:.*]] = tile.load %[[X]][%{{.*}}, %c0] : memref<?x1000xf32> -> !tile.tile<2x1000xf32>
// CHECK-NOT: tile.load
// CHECK: %[[MOST:.*]] = tile.reduce %[[V]] identity [0xFF800000 : f32] axis 1 commutative
// CHECK: arith.maxnumf
// CHECK: tile.broadcast %[[MOST]] dims [0] : !tile.tile<2xf32> to !tile.tile<2x1000xf32>
// CHECK: %[[E:.*]] = math.exp
// CHECK: tile.reduce add %[[E]] axis 1
// CHECK: arith.divf %[[E]]
// CHECK: tile.store

// -----

// A row of any length has a loop for each reduction, and a loop that stores.
// Elements outside of the row are the identity.
func.func @any_row(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// CHECK: tile.kernel @any_row_rows
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<0xFF800000> : !tile.tile<2x1024xf32>
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<-0.000000e+00> : !tile.tile<2x1024xf32>
// CHECK: %[[PART:.*]] = scf.for {{.*}} step %c1024 iter_args(%{{.*}} = %[[LOW]])
// CHECK: arith.cmpi ult
// CHECK: tile.select {{.*}}, %[[LOW]]
// CHECK: %[[MOST:.*]] = tile.reduce %[[PART]] identity
// CHECK: scf.for {{.*}} step %c1024 iter_args(%{{.*}} = %[[NONE]])
// CHECK: tile.broadcast %[[MOST]]
// CHECK: tile.select {{.*}}, %[[NONE]]
// CHECK: %[[SUM:.*]] = tile.reduce add
// CHECK: scf.for {{.*}} step %c1024 {
// CHECK: tile.broadcast %[[SUM]]
// CHECK: tile.store

// -----

// Columns are reduced some rows at a time, and adjacent columns together.
func.func @columns(%x: tensor<5000x300xi32>, %low: tensor<300xi32>) -> tensor<300xi32> {
  %r = linalg.reduce ins(%x : tensor<5000x300xi32>) outs(%low : tensor<300xi32>) dimensions = [0]
    (%a: i32, %b: i32) {
      %m = arith.minsi %a, %b : i32
      linalg.yield %m : i32
    }
  return %r : tensor<300xi32>
}
// CHECK: tile.kernel @columns_rows
// CHECK: %[[PART:.*]] = scf.for %{{.*}} = %c0 to %c5000 step %c16 {{.*}} -> (!tile.tile<16x128xi32>)
// CHECK: tile.load {{.*}} : memref<5000x300xi32> -> !tile.tile<16x128xi32>
// CHECK: }
// CHECK: %[[LEAST:.*]] = tile.reduce min %[[PART]] axis 0
// CHECK: arith.minsi %{{.*}}, %[[LEAST]] : !tile.tile<128xi32>

// -----

// Two reductions of a row, by two operations that read the same tensor, and a
// computation on both results: one kernel, two outputs.
#row = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
func.func @joined(%x: tensor<40x50xf32>) -> (tensor<40xf32>, tensor<40x50xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<40xf32>
  %e = tensor.empty() : tensor<40x50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %l = linalg.fill ins(%low : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %sum = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x50xf32>) outs(%f : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %most = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x50xf32>) outs(%l : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %r = linalg.generic {indexing_maps = [#row, #rows, #rows, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %most : tensor<40x50xf32>, tensor<40xf32>, tensor<40xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %b, %c : f32
    %t = arith.mulf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<40x50xf32>
  return %sum, %r : tensor<40xf32>, tensor<40x50xf32>
}
// CHECK: tile.kernel @joined_rows(%[[X:.*]]: memref<40x50xf32>, %[[SUMS:.*]]: memref<40xf32>, %[[OUT:.*]]: memref<40x50xf32>)
// CHECK: %[[V:.*]] = tile.load %[[X]]
// CHECK: %[[SUM:.*]] = tile.reduce add %[[V]] axis 1
// CHECK: tile.store %[[SUM]], %[[SUMS]]
// CHECK: %[[MOST:.*]] = tile.reduce max %[[V]] axis 1
// CHECK: arith.addf %[[SUM]], %[[MOST]] : !tile.tile<32xf32>
// CHECK: tile.store %{{.*}}, %[[OUT]]
// CHECK: func.func @joined
// CHECK-COUNT-1: tile.launch
// CHECK-NOT: tile.launch

// -----

// A short row of a matmul's result is reduced in the kernel of the matmul.
func.func @behind_product(%a: tensor<100x64xf32>, %b: tensor<64x48xf32>, %e: tensor<100x48xf32>) -> tensor<100x48xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100x48xf32>) -> tensor<100x48xf32>
  %p = linalg.matmul ins(%a, %b : tensor<100x64xf32>, tensor<64x48xf32>) outs(%f : tensor<100x48xf32>) -> tensor<100x48xf32>
  %r = linalg.softmax dimension(1) ins(%p : tensor<100x48xf32>) outs(%e : tensor<100x48xf32>) -> tensor<100x48xf32>
  return %r : tensor<100x48xf32>
}
// CHECK: tile.kernel @behind_product_product
// CHECK: %[[P:.*]] = tile.matmul
// CHECK-NOT: tile.matmul
// CHECK: tile.reduce %[[P]] identity
// CHECK: tile.reduce add
// CHECK: tile.store
// CHECK: func.func @behind_product
// CHECK-COUNT-1: tile.launch
// CHECK-NOT: tile.launch
