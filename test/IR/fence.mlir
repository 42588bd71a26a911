// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form() {
  // CHECK: tile.fence release scope system
  tile.fence release scope system
  // CHECK-NEXT: tile.fence acquire{{$}}
  tile.fence acquire
  // Default values are not printed. The operation after a fence without words
  // is not parsed as one of its words.
  // CHECK-NEXT: tile.fence{{$}}
  tile.fence acq_rel scope gpu
  // CHECK-NEXT: tile.fence{{$}}
  tile.fence
  // CHECK-NEXT: tile.fence scope block {note = "x"}
  tile.fence scope block {note = "x"}
  // CHECK-NEXT: return
  return
}
