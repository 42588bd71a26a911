// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// A lane holds two adjacent elements, and a warp half of the row.
#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>
// Each warp has a row.
#rows = #tile.register<(32,4,1):(4,1,0), box = [32, 4]>

// CHECK-LABEL: func.func @halves
func.func @halves(%t: !tile.tile<128xi32, #halves>, %u: !tile.tile<128xi16, #halves>) -> !tile.tile<128xi16, #halves> {
  // CHECK: %{{.*}}:2 = tile.partial_sort %{{.*}}, %{{.*}} axis 0 steps [1, 0, 2, 1, 2, 0, 7, 5] : !tile.tile<128xi32, {{.*}}>, !tile.tile<128xi16, {{.*}}>
  %0:2 = tile.partial_sort %t, %u axis 0 steps [1, 0, 2, 1, 2, 0, 7, 5] : !tile.tile<128xi32, #halves>, !tile.tile<128xi16, #halves>
  return %0#1 : !tile.tile<128xi16, #halves>
}

// CHECK-LABEL: func.func @rows
func.func @rows(%t: !tile.tile<32x3xi64, #rows>) {
  // CHECK: tile.partial_sort %{{.*}} axis 0 steps [31, 4] {note = "x"} : !tile.tile<32x3xi64, {{.*}}>
  %0 = tile.partial_sort %t axis 0 steps [31, 4] {note = "x"} : !tile.tile<32x3xi64, #rows>
  // CHECK: tile.partial_sort %{{.*}} axis 0 steps [] : !tile.tile<32x3xi64, {{.*}}>
  %1 = tile.partial_sort %0 axis 0 steps [] : !tile.tile<32x3xi64, #rows>
  return
}
