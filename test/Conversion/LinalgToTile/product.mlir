// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// A matmul of any size has a loop over K, tiles chosen by cost, and loads that handle edges.
func.func @plain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                 %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// Consecutive blocks compute tiles of the same 8 columns of tiles.
// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0 ceildiv 128, d1 ceildiv 64)>
// CHECK: tile.kernel @plain_product(%[[OUT:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>) attributes {grid = #tile.grid<#[[MAP]] of {{\[\[}}0, 1], [0, 0]]>}
// CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[X:.*]] = tile.program_id x
// CHECK: %[[Y:.*]] = tile.program_id y
// CHECK: %[[TOGETHER:.*]] = arith.muli %{{.*}}, %c8
// CHECK: arith.divui %{{.*}}, %[[TOGETHER]]
// CHECK: %[[START:.*]] = tile.load %[[C]][%[[M:.*]], %[[N:.*]]]
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %[[K]] step %c32 iter_args(%[[ACC:.*]] = %[[START]])
// CHECK: tile.load %[[A]][%[[M]], %[[I]]] : memref<?x?xf32> -> !tile.tile<64x32xf32>
// CHECK: tile.load %[[B]][%[[I]], %[[N]]] : memref<?x?xf32> -> !tile.tile<32x128xf32>
// CHECK: tile.matmul %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK: tile.store %[[SUM]], %[[OUT]][%[[M]], %[[N]]]
// CHECK: func.func @plain(%[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[OUT:.*]]: memref<?x?xf32>) {
// CHECK: tile.launch @plain_product(%[[OUT]], %[[C]], %[[A]], %[[B]])
// CHECK-NEXT: return

// -----

// Tensor cores multiply f16; the accumulator is f32 until the last addition.
func.func @halves(%a: tensor<512x256xf16>, %b: tensor<256x512xf16>) -> tensor<512x512xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<512x512xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<512x512xf16>) -> tensor<512x512xf16>
  %r = linalg.matmul ins(%a, %b : tensor<512x256xf16>, tensor<256x512xf16>)
                     outs(%f : tensor<512x512xf16>) -> tensor<512x512xf16>
  return %r : tensor<512x512xf16>
}
// CHECK: tile.kernel @halves_product
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!tile.tile<64x64xf32>)
// CHECK: tile.matmul {{.*}} : !tile.tile<64x128xf16>, !tile.tile<128x64xf16> -> !tile.tile<64x64xf32>
// CHECK: %[[NARROW:.*]] = tile.cast %{{.*}} : !tile.tile<64x64xf32> to !tile.tile<64x64xf16>
// CHECK: tile.store %[[NARROW]]

// -----

// Computations on the result and on an operand are in the kernel; K is masked
// where an operand is computed, since exp(0) is not zero.
func.func @fused(%a: tensor<?x100xf32>, %b: tensor<70x100xf32>, %bias: tensor<70xf32>,
                 %old: tensor<?x70xf32>) -> tensor<?x70xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x100xf32>
  %ea = tensor.empty(%m) : tensor<?x100xf32>
  %p = math.exp %a : tensor<?x100xf32>
  %e = tensor.empty(%m) : tensor<?x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x70xf32>) -> tensor<?x70xf32>
  %et = tensor.empty() : tensor<100x70xf32>
  %t = linalg.transpose ins(%b : tensor<70x100xf32>) outs(%et : tensor<100x70xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%p, %t : tensor<?x100xf32>, tensor<100x70xf32>)
                     outs(%f : tensor<?x70xf32>) -> tensor<?x70xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias, %old : tensor<?x70xf32>, tensor<70xf32>, tensor<?x70xf32>)
      outs(%e : tensor<?x70xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %u = arith.addf %x, %y : f32
    %v = arith.maximumf %u, %zero : f32
    %w = arith.addf %v, %z : f32
    linalg.yield %w : f32
  } -> tensor<?x70xf32>
  return %s : tensor<?x70xf32>
}
// CHECK: tile.kernel @fused_product
// CHECK: scf.for
// CHECK: %[[POWERS:.*]] = math.exp
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[LHS:.*]] = tile.select %[[INSIDE]], %[[POWERS]]
// CHECK: %[[ROWS:.*]] = tile.load %{{.*}} : memref<70x100xf32> -> !tile.tile<16x32xf32>
// CHECK-NEXT: %[[RHS:.*]] = tile.transpose %[[ROWS]] [1, 0]
// CHECK-NEXT: tile.matmul %[[LHS]], %[[RHS]]
// CHECK: }
// CHECK: tile.broadcast {{.*}} : !tile.tile<16xf32> to !tile.tile<32x16xf32>
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: arith.addf
// CHECK: tile.store
// CHECK: func.func @fused
// CHECK-COUNT-1: tile.launch
// CHECK-NOT: tile.launch

// -----

// A batch of matmuls: one operand is the same for all matmuls, the other has K
// before M.
func.func @batch(%a: tensor<5x40x33xf64>, %b: tensor<40x50xf64>, %c: tensor<5x33x50xf64>) -> tensor<5x33x50xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (k, n)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x40x33xf64>, tensor<40x50xf64>) outs(%c : tensor<5x33x50xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<5x33x50xf64>
  return %r : tensor<5x33x50xf64>
}
// CHECK: affine_map<() -> (4, 3, 5)>
// CHECK: tile.kernel @batch_product
// CHECK: %[[B:.*]] = tile.program_id z
// CHECK: %[[A:.*]] = tile.load %{{.*}}[%[[B]], %[[K:.*]], %{{.*}}] : memref<5x40x33xf64> -> !tile.tile<48x16xf64>
// CHECK: tile.transpose %[[A]] [1, 0]
// CHECK: tile.load %{{.*}}[%[[K]], %{{.*}}] : memref<40x50xf64> -> !tile.tile<48x16xf64>
// CHECK: tile.matmul

// -----

// Operands of bytes are extended where they are multiplied.
func.func @bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}
// CHECK: tile.matmul {{.*}} : !tile.tile<16x64xi8>, !tile.tile<64x16xi8> -> !tile.tile<16x16xi32>

// -----

// A matrix times a vector has no columns: rows are reduced.
func.func @vector(%a: tensor<?x1000xf32>, %x: tensor<1000xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.matvec ins(%a, %x : tensor<?x1000xf32>, tensor<1000xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// CHECK: tile.kernel @vector_rows
// CHECK-NOT: tile.matmul
// CHECK: tile.reduce add {{.*}} axis 1 : !tile.tile<2x1000xf32> to !tile.tile<2xf32>

// -----

// A loop that indexes neither factor repeats the matmul.
func.func @repeated(%a: tensor<5x8xf32>, %b: tensor<2x8xf32>, %c: tensor<5x2x7xf32>) -> tensor<5x2x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, k, m, b) -> (m, k)>, affine_map<(n, k, m, b) -> (n, k)>,
                                        affine_map<(n, k, m, b) -> (m, n, b)>],
                       iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<5x8xf32>, tensor<2x8xf32>) outs(%c : tensor<5x2x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x2x7xf32>
  return %r : tensor<5x2x7xf32>
}
// CHECK: affine_map<() -> (7)>
// CHECK: tile.kernel @repeated_product
// CHECK: %[[B:.*]] = tile.program_id x
// CHECK: %[[C:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}, %[[B]]] dims [0, 1]
// CHECK: tile.matmul {{.*}}, %[[C]]
