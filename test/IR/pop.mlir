// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @numbers
func.func @numbers(%stack: !tile.tile<1000xf32>, %count: i32, %m: !tile.tile<256xi1>) -> !tile.tile<256xi32> {
  // CHECK: tile.pop %{{.*}}, %{{.*}} mask %{{.*}} : !tile.tile<1000xf32> to !tile.tile<256xf32>
  %v, %n, %places = tile.pop %stack, %count mask %m
      : !tile.tile<1000xf32> to !tile.tile<256xf32>
  return %places : !tile.tile<256xi32>
}

// CHECK-LABEL: func.func @rows
func.func @rows(%stack: !tile.tile<7xi1>, %count: i32, %m: !tile.tile<3x5xi1>) -> (!tile.tile<3x5xi1>, i32, !tile.tile<3x5xi32>) {
  // CHECK: tile.pop %{{.*}}, %{{.*}} mask %{{.*}} {note = "x"} : !tile.tile<7xi1> to !tile.tile<3x5xi1>
  %v, %n, %places = tile.pop %stack, %count mask %m {note = "x"} : !tile.tile<7xi1> to !tile.tile<3x5xi1>
  return %v, %n, %places : !tile.tile<3x5xi1>, i32, !tile.tile<3x5xi32>
}
