// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// The program's loops check whether the run has been aborted, except short
// ones; loops that are generated for operations do not check.
// CHECK-DAG: @tile_cpu_text1("{{.*}}loops.mlir:[[#@LINE+14]]:3\00")
// CHECK-DAG: @tile_cpu_text0("{{.*}}loops.mlir:[[#@LINE+18]]:10\00")
// CHECK-DAG: func.func private @tile_cpu_poll(!llvm.ptr)
// CHECK-LABEL: func.func @_tile_program_loops(
tile.kernel @loops(%x: memref<?xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 4 : index
  // CHECK: %[[COUNTER:.*]] = memref.alloca() : memref<i64>
  // CHECK: scf.for
  // CHECK-NEXT: %[[OLD:.*]] = memref.load %[[COUNTER]][]
  // CHECK: memref.store %{{.*}}, %[[COUNTER]][]
  // CHECK: scf.if
  // CHECK-NEXT: %[[PLACE:.*]] = llvm.mlir.addressof @tile_cpu_text1
  scf.for %i = %zero to %n step %one {
    // CHECK: call @tile_cpu_poll(
    // CHECK: scf.while
    // CHECK: call @tile_cpu_poll(
    // CHECK: scf.condition
    %m = scf.while (%j = %i) : (index) -> index {
      %goes_on = arith.cmpi slt, %j, %n : index
      scf.condition(%goes_on) %j : index
    } do {
    ^bb0(%j: index):
      %next = arith.addi %j, %one : index
      scf.yield %next : index
    }
    // CHECK-NOT: call @tile_cpu_poll(
    // CHECK: return
    scf.for %j = %zero to %few step %one {
      %t = tile.load %x[%j] : memref<?xf32> -> !tile.tile<16xf32>
      %s = tile.sort %t axis 0 : !tile.tile<16xf32>
      tile.store %s, %x[%m] : !tile.tile<16xf32>, memref<?xf32>
    }
  }
  tile.return
}
