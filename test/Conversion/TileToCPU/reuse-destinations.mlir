// RUN: tile-opt -tile-reuse-destinations %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// The box is computed where it is inserted.
// CHECK-LABEL: func.func @once
// CHECK-NOT:     tensor.empty
// CHECK:         %[[BOX:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [3] [1]
// CHECK:         linalg.generic {{.*}} outs(%[[BOX]] :
func.func @once(%x: tensor<3xf32>, %dest: tensor<9xf32>, %i: index) -> tensor<9xf32> {
  %empty = tensor.empty() : tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  %result = tensor.insert_slice %sum into %dest[%i] [3] [1] : tensor<3xf32> into tensor<9xf32>
  return %result : tensor<9xf32>
}

// Each iteration inserts into the same tensor, which must not change.
// CHECK-LABEL: func.func @in_each_iteration
// CHECK-NOT:     tensor.extract_slice
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<3xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[EMPTY]] :
func.func @in_each_iteration(%x: tensor<3xf32>, %dest: tensor<9xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %result = scf.for %i = %c0 to %c9 step %c3 iter_args(%s = %init) -> tensor<9xf32> {
    %empty = tensor.empty() : tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<3xf32>) outs(%empty : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %a : f32
      linalg.yield %c : f32
    } -> tensor<3xf32>
    %inserted = tensor.insert_slice %sum into %dest[%i] [3] [1] : tensor<3xf32> into tensor<9xf32>
    %all = tensor.empty() : tensor<9xf32>
    %next = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%s, %inserted : tensor<9xf32>, tensor<9xf32>) outs(%all : tensor<9xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<9xf32>
    scf.yield %next : tensor<9xf32>
  }
  return %result : tensor<9xf32>
}
