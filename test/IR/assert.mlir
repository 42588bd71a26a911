// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @every_form
func.func @every_form(%ok: !tile.tile<64xi1>, %c: i1, %s: !tile.tile<i1>) {
  // CHECK: tile.assert %{{.*}}, "expected sorted rows" : !tile.tile<64xi1>
  tile.assert %ok, "expected sorted rows" : !tile.tile<64xi1>
  // CHECK: tile.assert %{{.*}}, "100%" : i1
  tile.assert %c, "100%" : i1
  // CHECK: tile.assert %{{.*}}, "" {note = "x"} : !tile.tile<i1>
  tile.assert %s, "" {note = "x"} : !tile.tile<i1>
  return
}
