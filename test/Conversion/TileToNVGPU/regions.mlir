// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

#two = #tile.register<(32,1,2):(1,0,32), box = [64]>
#four = #tile.register<(32,1,4):(1,0,32), box = [128]>

// Each result of a branch becomes one or several values, in the order of the results.
// CHECK-LABEL: @two_results_of_a_branch
tile.kernel @two_results_of_a_branch(%x: memref<?xi32>, %y: memref<?xi64>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] in_bounds : memref<?xi32> -> !tile.tile<64xi32, #two>
  %u = tile.load %y[%c0] in_bounds : memref<?xi64> -> !tile.tile<128xi64, #four>
  // CHECK: %[[R:.*]]:6 = scf.if %{{.*}} -> (i32, i32, i64, i64, i64, i64)
  %r:2 = scf.if %c -> (!tile.tile<64xi32, #two>, !tile.tile<128xi64, #four>) {
    scf.yield %t, %u : !tile.tile<64xi32, #two>, !tile.tile<128xi64, #four>
  } else {
    %v = tile.load %y[%c0] in_bounds : memref<?xi64> -> !tile.tile<128xi64, #four>
    scf.yield %t, %v : !tile.tile<64xi32, #two>, !tile.tile<128xi64, #four>
  }
  // CHECK: memref.store %[[R]]#2,
  // CHECK: memref.store %[[R]]#5,
  // CHECK: memref.store %[[R]]#0,
  // CHECK: memref.store %[[R]]#1,
  tile.store %r#1, %y[%c0] in_bounds : !tile.tile<128xi64, #four>, memref<?xi64>
  tile.store %r#0, %x[%c0] in_bounds : !tile.tile<64xi32, #two>, memref<?xi32>
  tile.return
}

// A value that scf.while carries through its two regions becomes several values, too.
// CHECK-LABEL: @carried_by_a_while
tile.kernel @carried_by_a_while(%x: memref<?xi32>, %y: memref<?xi64>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] in_bounds : memref<?xi32> -> !tile.tile<64xi32, #two>
  %u = tile.load %y[%c0] in_bounds : memref<?xi64> -> !tile.tile<128xi64, #four>
  // CHECK: %[[R:.*]]:7 = scf.while {{.*}} : (i32, i32, index, i64, i64, i64, i64) -> (i64, i64, i64, i64, index, i32, i32)
  %r:3 = scf.while (%a = %t, %i = %c0, %b = %u) : (!tile.tile<64xi32, #two>, index, !tile.tile<128xi64, #four>) -> (!tile.tile<128xi64, #four>, index, !tile.tile<64xi32, #two>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %b, %i, %a : !tile.tile<128xi64, #four>, index, !tile.tile<64xi32, #two>
  } do {
  ^bb0(%b: !tile.tile<128xi64, #four>, %i: index, %a: !tile.tile<64xi32, #two>):
    %next = arith.addi %i, %c1 : index
    scf.yield %a, %next, %b : !tile.tile<64xi32, #two>, index, !tile.tile<128xi64, #four>
  }
  // CHECK: memref.store %[[R]]#5,
  // CHECK: memref.store %[[R]]#6,
  tile.store %r#2, %x[%c0] in_bounds : !tile.tile<64xi32, #two>, memref<?xi32>
  tile.return
}
