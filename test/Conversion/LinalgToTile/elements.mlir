// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// One kernel for a chain of operations, in whichever form they are written.
func.func @chain(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %scale: f32) -> tensor<?x?xf32> {
  %a = arith.addf %x, %y : tensor<?x?xf32>
  %b = math.tanh %a : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = arith.mulf %u, %scale : f32
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// CHECK: tile.kernel @chain_elements(%{{.*}}: memref<?x?xf32>, %{{.*}}: memref<?x?xf32>, %[[S:.*]]: f32, %{{.*}}: memref<?x?xf32>)
// CHECK: arith.addf
// CHECK: math.tanh
// CHECK: tile.fill %[[S]] : !tile.tile<16x128xf32>
// CHECK: arith.mulf
// CHECK: func.func @chain(%[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>, %[[SCALE:.*]]: f32, %[[OUT:.*]]: memref<?x?xf32>)
// CHECK: tile.launch @chain_elements(%[[X]], %[[Y]], %[[SCALE]], %[[OUT]])

// -----

// Operations that move elements: a transpose loads other dimensions, a pad
// reads its value, a slice starts at an offset, a concatenation selects.
func.func @transpose(%x: tensor<30x20x10xf16>, %e: tensor<10x30x20xf16>) -> tensor<10x30x20xf16> {
  %r = linalg.transpose ins(%x : tensor<30x20x10xf16>) outs(%e : tensor<10x30x20xf16>) permutation = [2, 0, 1]
  return %r : tensor<10x30x20xf16>
}
// CHECK: tile.kernel @transpose_elements
// CHECK: %[[V:.*]] = tile.load {{.*}} -> !tile.tile<4x32x16xf16>
// CHECK: tile.transpose %[[V]] [2, 0, 1]

// -----

func.func @pad(%x: tensor<?x40xf32>) -> tensor<?x43xf32> {
  %one = arith.constant 1.0 : f32
  %r = tensor.pad %x low[1, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<?x40xf32> to tensor<?x43xf32>
  return %r : tensor<?x43xf32>
}
// CHECK: tile.kernel @pad_elements
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[ROW:.*]] = arith.subi %{{.*}}, %c1
// CHECK: %[[V:.*]] = tile.load %{{.*}}[%[[ROW]], %c0] pad %[[ONE]]
// CHECK-NEXT: tile.store %[[V]]

// -----

// The slice has every third column, from an offset that is known at run time.
func.func @slice(%x: tensor<50x400xf32>, %first: index) -> tensor<50x100xf32> {
  %r = tensor.extract_slice %x[0, %first] [50, 100] [1, 3] : tensor<50x400xf32> to tensor<50x100xf32>
  return %r : tensor<50x100xf32>
}
// CHECK: tile.kernel @slice_elements(%[[FIRST:.*]]: index, %[[X:.*]]: memref<50x400xf32>
// CHECK: %[[STEPS:.*]] = arith.constant dense<3> : !tile.tile<1x128xi32>
// CHECK: %[[PLACES:.*]] = arith.muli %{{.*}}, %[[STEPS]]
// CHECK: tile.gather %[[X]][%{{.*}}, %[[FIRST]]] at %[[PLACES]] axes [1]

// -----

func.func @join(%x: tensor<20x?xf32>, %y: tensor<20x30xf32>) -> tensor<20x?xf32> {
  %r = tensor.concat dim(1) %x, %y : (tensor<20x?xf32>, tensor<20x30xf32>) -> tensor<20x?xf32>
  return %r : tensor<20x?xf32>
}
// CHECK: tile.kernel @join_elements(%[[N:.*]]: index, %[[X:.*]]: memref<20x?xf32>, %[[Y:.*]]: memref<20x30xf32>
// CHECK: %[[BEHIND:.*]] = arith.subi %[[COLUMN:.*]], %[[N]]
// CHECK: %[[LEFT:.*]] = tile.load %[[X]][%{{.*}}, %[[COLUMN]]]
// CHECK: tile.select %{{.*}}, %[[LEFT]]
// CHECK: %[[RIGHT:.*]] = tile.load %[[Y]][%{{.*}}, %[[BEHIND]]]
// CHECK: tile.select %{{.*}}, %[[RIGHT]]

// -----

// Results without an input: the index of an element, and a constant.
func.func @places() -> (tensor<100xi64>, tensor<7xf32>) {
  %two = arith.constant dense<2.0> : tensor<7xf32>
  %e = tensor.empty() : tensor<100xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<100xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<100xi64>
  return %r, %two : tensor<100xi64>, tensor<7xf32>
}
// CHECK: tile.kernel @places_elements(
// CHECK: tile.iota axis 0 : !tile.tile<128xindex>
// CHECK: tile.cast
// CHECK: tile.kernel @places_elements_1
// CHECK: arith.constant dense<2.000000e+00> : !tile.tile<8xf32>

// -----

// Conversions: an i1 that is true becomes one, or minus one if it is signed; a
// divisor that is read outside of its tensor is not zero.
func.func @conversions(%x: tensor<?xi1>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi1>
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xi1>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i1, %b: i32, %o: i32):
    %s = arith.extsi %a : i1 to i32
    %u = arith.extui %a : i1 to i32
    %t = arith.addi %s, %u : i32
    %d = arith.divsi %t, %b : i32
    linalg.yield %d : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// CHECK: tile.kernel @conversions_elements
// CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile.tile<128xi1>
// CHECK: %[[ONES:.*]] = tile.cast %[[A]] : !tile.tile<128xi1> to !tile.tile<128xi32>
// CHECK: arith.subi %{{.*}}, %[[ONES]]
// CHECK: tile.cast %[[A]] unsigned
// CHECK: %[[ISZERO:.*]] = arith.cmpi eq
// CHECK: %[[DIVISOR:.*]] = tile.select %[[ISZERO]]
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]]

// -----

// A row, which has fewer dimensions than the tile, and a scalar are broadcast.
func.func @insertions(%row: tensor<3xf32>, %x: tensor<f32>, %into: tensor<30x70xf32>, %first: index)
    -> (tensor<30x70xf32>, tensor<30x70xf32>) {
  %a = tensor.insert_slice %row into %into[%first, 5] [1, 3] [1, 1] : tensor<3xf32> into tensor<30x70xf32>
  %b = tensor.insert_slice %x into %into[2, 64] [1, 1] [1, 1] : tensor<f32> into tensor<30x70xf32>
  return %a, %b : tensor<30x70xf32>, tensor<30x70xf32>
}
// CHECK: tile.kernel @insertions_elements
// CHECK-DAG: %[[REST:.*]] = tile.load {{.*}} : memref<30x70xf32>
// CHECK-DAG: %[[ROW:.*]] = tile.load {{.*}} : memref<3xf32>
// CHECK: tile.broadcast %[[ROW]]
// CHECK: tile.select
// CHECK: tile.kernel @insertions_elements_1

// -----

// With strides, the source is read only where it has an element of the result;
// also with a run-time stride.
func.func @spread(%x: tensor<5x9xf32>, %into: tensor<20x70xf32>, %stride: index) -> tensor<20x70xf32> {
  %r = tensor.insert_slice %x into %into[1, 2] [5, 9] [%stride, 3] : tensor<5x9xf32> into tensor<20x70xf32>
  return %r : tensor<20x70xf32>
}
// CHECK: tile.kernel @spread_elements
// CHECK: %[[X:.*]] = tile.gather {{.*}} axes [0, 1] : memref<5x9xf32>
// CHECK: %[[REST:.*]] = tile.load {{.*}} : memref<20x70xf32>
// CHECK: tile.select %{{.*}}, %[[X]], %[[REST]]

// -----

// A pad extends a dimension of one element that the padded array does not have
// in memory.
func.func @beyond_one(%x: tensor<33x64xf32>) -> tensor<34x68x2xf32> {
  %number = arith.constant -2.5 : f32
  %wide = tensor.pad %x low[0, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<33x64xf32> to tensor<33x67xf32>
  %deep = tensor.expand_shape %wide [[0], [1, 2]] output_shape [33, 67, 1] : tensor<33x67xf32> into tensor<33x67x1xf32>
  %r = tensor.pad %deep low[1, 1, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %number : f32
  } : tensor<33x67x1xf32> to tensor<34x68x2xf32>
  return %r : tensor<34x68x2xf32>
}
// CHECK: tile.kernel @beyond_one_elements
// CHECK: %[[X:.*]] = tile.load {{.*}} : memref<33x64xf32> -> !tile.tile<8x128xf32>
// CHECK: tile.broadcast %[[X]] dims [0, 1] : !tile.tile<8x128xf32> to !tile.tile<8x128x2xf32>

// -----

// Upstream's pattern for (a - b) - a would end the process on tiles.
func.func @difference(%x: tensor<100xi32>, %y: tensor<100xi32>) -> tensor<100xi32> {
  %a = arith.subi %x, %y : tensor<100xi32>
  %r = arith.subi %a, %x : tensor<100xi32>
  return %r : tensor<100xi32>
}
// CHECK: tile.kernel @difference_elements
// CHECK: %[[ZERO:.*]] = arith.constant dense<0>
// CHECK: arith.subi %[[ZERO]]
