// RUN: tile-opt %s -split-input-file -convert-linalg-to-tile | FileCheck %s

// Gathers rows of a table: each row has one index, for all of its columns. An assertion
// about an index is only checked for elements inside the tensor.
func.func @rows(%places: tensor<?xi32>, %table: tensor<100x70xf32>) -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %places, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x70xf32>
  %one = arith.constant 1 : i32
  %last = arith.constant 101 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<?xi32>) outs(%e : tensor<?x70xf32>) {
  ^bb0(%p: i32, %o: f32):
    %isRow = arith.cmpi sge, %p, %one : i32
    cf.assert %isRow, "expected a row from 1 on"
    %before = arith.subi %p, %one : i32
    %row = arith.index_cast %before : i32 to index
    %column = linalg.index 1 : index
    %x = tensor.extract %table[%row, %column] : tensor<100x70xf32>
    linalg.yield %x : f32
  } -> tensor<?x70xf32>
  return %r : tensor<?x70xf32>
}
// CHECK: tile.kernel @rows_elements(%[[PLACES:.*]]: memref<?xi32>, %[[TABLE:.*]]: memref<100x70xf32>
// CHECK: %[[N:.*]] = memref.dim %[[PLACES]]
// CHECK: %[[P:.*]] = tile.load %[[PLACES]]
// CHECK: %[[ISROW:.*]] = arith.cmpi sge, %[[P]]
// CHECK: tile.broadcast %[[ISROW]]
// CHECK: arith.index_cast %[[N]]
// CHECK: tile.assert %{{.*}}, "expected a row from 1 on"
// CHECK: %[[BEFORE:.*]] = arith.subi %[[P]]
// CHECK: %[[INDEX:.*]] = tile.reshape {{.*}} to !tile.tile<16x1xi32>
// CHECK: tile.gather %[[TABLE]][%c0, %c0] dims [0, 1] at %[[INDEX]] axes [0] : {{.*}} -> !tile.tile<16x128xf32>

// -----

// Each element has its own index; the tensor that is read at the indices is in memory.
func.func @elements(%places: tensor<9x31xi64>, %table: tensor<50xf32>) -> tensor<9x31xf32> {
  %e = tensor.empty() : tensor<9x31xf32>
  %twice = arith.addf %table, %table : tensor<50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<9x31xi64>) outs(%e : tensor<9x31xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = arith.index_cast %p : i64 to index
    %x = tensor.extract %twice[%i] : tensor<50xf32>
    linalg.yield %x : f32
  } -> tensor<9x31xf32>
  return %r : tensor<9x31xf32>
}
// CHECK: tile.kernel @elements_elements(
// CHECK: arith.addf
// CHECK: tile.kernel @elements_elements_1
// CHECK: tile.gather %{{.*}}[%c0] dims [0] at %{{.*}} axes [0] : memref<50xf32>, !tile.tile<512xi64> -> !tile.tile<512xf32>

// -----

// Columns are read in reverse, at an index that is computed from the loop's index.
func.func @reverse(%x: tensor<40x60xf32>) -> tensor<40x60xf32> {
  %e = tensor.empty() : tensor<40x60xf32>
  %last = arith.constant 59 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<40x60xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %y = tensor.extract %x[%i, %k] : tensor<40x60xf32>
    linalg.yield %y : f32
  } -> tensor<40x60xf32>
  return %r : tensor<40x60xf32>
}
// CHECK: tile.kernel @reverse_elements
// CHECK: tile.gather %{{.*}}[%{{.*}}, %c0] dims [0, 1] at %{{.*}} axes [1] : memref<40x60xf32>, !tile.tile<1x64xindex> -> !tile.tile<32x64xf32>
