// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

#half = #tile.register<(32,2,1):(1,32,0), box = [64]>
#totals = #tile.register<(32,2,2):(0,0,1), box = [2]>

// Each of two warps holds half of the elements.
// CHECK-LABEL: func.func @two_warps
func.func @two_warps(%t: !tile.tile<64xi32, #half>, %n: !tile.tile<2xi32, #totals>) {
  // CHECK: tile.partial_scan add %{{.*}} after %{{.*}} axis 0 exclusive : !tile.tile<2xi32, {{.*}}> before !tile.tile<64xi32, {{.*}}>
  %0 = tile.partial_scan add %t after %n axis 0 exclusive : !tile.tile<2xi32, #totals> before !tile.tile<64xi32, #half>
  // CHECK: tile.partial_scan %{{.*}} after %{{.*}} identity [0 : i32] axis 0 reverse
  %1 = tile.partial_scan %t after %n identity [0 : i32] axis 0 reverse : !tile.tile<2xi32, #totals> before !tile.tile<64xi32, #half> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  return
}
