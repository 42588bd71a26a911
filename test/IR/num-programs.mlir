// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @every_axis
// CHECK:         tile.num_programs x
// CHECK:         tile.num_programs y
// CHECK:         tile.num_programs z
tile.kernel @every_axis() {
  %x = tile.num_programs x
  %y = tile.num_programs y
  %z = tile.num_programs z
  tile.return
}

// Functions that kernels call may use it as well.
// CHECK-LABEL: func.func @in_function() -> index
func.func @in_function() -> index {
  %x = tile.num_programs x
  return %x : index
}
