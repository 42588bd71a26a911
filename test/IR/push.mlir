// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @numbers
func.func @numbers(%v: !tile.tile<256xf32>, %m: !tile.tile<256xi1>, %stack: !tile.tile<1000xf32>, %count: i32) -> !tile.tile<256xi32> {
  // CHECK: tile.push %{{.*}} mask %{{.*}} onto %{{.*}}, %{{.*}} : !tile.tile<256xf32> onto !tile.tile<1000xf32>
  %s, %n, %places = tile.push %v mask %m onto %stack, %count
      : !tile.tile<256xf32> onto !tile.tile<1000xf32>
  return %places : !tile.tile<256xi32>
}

// CHECK-LABEL: func.func @rows
func.func @rows(%v: !tile.tile<3x5xcomplex<f64>>, %m: !tile.tile<3x5xi1>, %stack: !tile.tile<7xcomplex<f64>>, %count: i32) -> (!tile.tile<7xcomplex<f64>>, i32, !tile.tile<3x5xi32>) {
  // CHECK: tile.push %{{.*}} mask %{{.*}} onto %{{.*}}, %{{.*}} {note = "x"} : !tile.tile<3x5xcomplex<f64>> onto !tile.tile<7xcomplex<f64>>
  %s, %n, %places = tile.push %v mask %m onto %stack, %count {note = "x"} : !tile.tile<3x5xcomplex<f64>> onto !tile.tile<7xcomplex<f64>>
  return %s, %n, %places : !tile.tile<7xcomplex<f64>>, i32, !tile.tile<3x5xi32>
}
