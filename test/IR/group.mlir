// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#identity = affine_map<(r, c) -> (r, c)>
#rows = affine_map<(r, c) -> (r)>

// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<?x?xf32>, %zeros: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[A:.*]]:2 = tile.group tiles [4, 1024] {
  // CHECK:   attrs = {tile.loops = array<i64: 0, 1>}
  // CHECK:   tile.yield %{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>
  // CHECK: } : tensor<?xf32>, tensor<?xf32>
  %sums:2 = tile.group tiles [4, 1024] {
    %sum = linalg.generic {indexing_maps = [#identity, #rows],
                           iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>)
        attrs = {tile.loops = array<i64: 0, 1>} {
    ^bb0(%element: f32, %partial: f32):
      %next = arith.addf %partial, %element : f32
      linalg.yield %next : f32
    } -> tensor<?xf32>
    tile.yield %sum, %sum : tensor<?xf32>, tensor<?xf32>
  } : tensor<?xf32>, tensor<?xf32>
  // CHECK: tile.group attributes {name = "nothing"} {
  // CHECK-NEXT: tile.yield
  // CHECK-NEXT: }
  tile.group attributes {name = "nothing"} {
    tile.yield
  }
  // CHECK: return %[[A]]#0, %[[A]]#1
  return %sums#0, %sums#1 : tensor<?xf32>, tensor<?xf32>
}
