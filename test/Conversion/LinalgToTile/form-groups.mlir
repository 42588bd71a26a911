// RUN: tile-opt %s -tile-form-groups | FileCheck %s
// RUN: tile-opt %s -tile-form-groups -tile-form-groups | FileCheck %s

#id1 = affine_map<(n) -> (n)>
#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// Operations on the same rows form one group and share its loops.

// CHECK-LABEL: func.func @row(
// CHECK:       %[[G:.*]] = tile.group {
// CHECK-NEXT:    %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:         %[[SCALED:.*]] = linalg.generic {{.*}} ins(%arg0, %[[SUM]] : {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:         tile.yield %[[SCALED]] : tensor<64x1000xf32>
// CHECK-NEXT:  } : tensor<64x1000xf32>
// CHECK-NEXT:  return %[[G]]
func.func @row(%x: tensor<64x1000xf32>, %z: tensor<64xf32>, %e: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x1000xf32>, tensor<64xf32>) outs(%e : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x1000xf32>
  return %scaled : tensor<64x1000xf32>
}

// The first group reads the result of an operation that later forms its own group. Both
// groups compute the operation; only in its own group it has `tile.loops`.

// CHECK-LABEL: func.func @outside(
// CHECK-NEXT:  %[[A:.*]] = tile.group {
// CHECK-NEXT:    %[[EXP:.*]] = linalg.generic {{.*}} outs(%arg2 : tensor<64x1000xf32>) {
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} ins(%[[EXP]] : {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:       %[[B:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:           math.exp
// CHECK:       return %[[A]], %[[B]]
func.func @outside(%x: tensor<64x1000xf32>, %z: tensor<64xf32>, %e: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64x1000xf32>) {
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<64x1000xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<64x1000xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sum, %exp : tensor<64xf32>, tensor<64x1000xf32>
}

// An argument that is returned twice is copied to each of the results.

// CHECK-LABEL: func.func @argument(
// CHECK:       %[[A:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%arg0
// CHECK:       %[[B:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%arg0
// CHECK:       return %[[A]], %[[B]]
func.func @argument(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// Results that replace arguments which are still read are copied to these at the end.

// CHECK-LABEL: func.func @swap(
// CHECK:       %[[Y:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%arg1
// CHECK:       %[[X:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%arg0
// CHECK:       %[[A:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[Y]]
// CHECK:       %[[B:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[X]]
// CHECK:       return %[[A]], %[[B]]
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32> {tile.result_array = 0 : i64}, tensor<8xf32> {tile.result_array = 1 : i64}) {
  return %y, %x : tensor<8xf32>, tensor<8xf32>
}

// A group in the program is unchanged; an operation that reads it is in another group.

// CHECK-LABEL: func.func @given(
// CHECK-NEXT:  %[[A:.*]] = tile.group tiles [1, 8] {
// CHECK:       %[[B:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[A]] : {{.*}} {tile.loops = array<i64: 0>}
// CHECK:       return %[[B]]
func.func @given(%x: tensor<64x1000xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %g = tile.group tiles [1, 8] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x1000xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  %neg = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%g : tensor<64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %neg : tensor<64xf32>
}

// A group in the program gets a clone of an operation that later forms its own group.

// CHECK-LABEL: func.func @given_reads(
// CHECK-NEXT:  %[[A:.*]] = tile.group tiles [1, 8] {
// CHECK-NEXT:    %[[EXP:.*]] = linalg.generic {{.*}} outs(%arg2 : tensor<64x1000xf32>) {
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} ins(%[[EXP]] : {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:       %[[B:.*]] = tile.group {
// CHECK-NEXT:    linalg.generic {{.*}} {tile.loops = array<i64: 0, 1>}
// CHECK:           math.exp
// CHECK:       return %[[A]], %[[B]]
func.func @given_reads(%x: tensor<64x1000xf32>, %z: tensor<64xf32>, %e: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64x1000xf32>) {
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<64x1000xf32>
  %g = tile.group tiles [1, 8] {
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%exp : tensor<64x1000xf32>) outs(%z : tensor<64xf32>) attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %b, %a : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    tile.yield %sum : tensor<64xf32>
  } : tensor<64xf32>
  return %g, %exp : tensor<64xf32>, tensor<64x1000xf32>
}
