// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @every_axis
// CHECK:         tile.program_id x
// CHECK:         tile.program_id y
// CHECK:         tile.program_id z
tile.kernel @every_axis() {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  tile.return
}

// Functions that kernels call may use it as well.
// CHECK-LABEL: func.func @in_function() -> index
func.func @in_function() -> index {
  %x = tile.program_id x
  return %x : index
}
