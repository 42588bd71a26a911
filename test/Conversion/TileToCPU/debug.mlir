// RUN: tile-opt -convert-tile-to-cpu %s | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @tile_cpu_text0("it\00")
// CHECK-DAG: llvm.mlir.global internal constant @tile_cpu_text1(": 3x5xbf16, memory\0A\00")
// CHECK-DAG: func.func private @tile_cpu_print_float(f64)

// The runtime collects the text, and writes it at the end.
// CHECK-LABEL: func.func @_tile_program_prints(
// CHECK: call @tile_cpu_print_begin
// CHECK: call @tile_cpu_print_text
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     call @tile_cpu_print_text
// CHECK:     %[[ELEMENT:.*]] = tensor.extract %{{.*}} : tensor<3x5xi16>
// CHECK:     call @tile_cpu_print_float
// CHECK:   }
// CHECK:   call @tile_cpu_print_text
// CHECK: }
// CHECK: call @tile_cpu_print_end
tile.kernel @prints(%a: memref<3x5xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<3x5xbf16> -> !tile.tile<3x5xbf16>
  tile.print "it", %t : !tile.tile<3x5xbf16>
  tile.return
}

// CHECK-LABEL: func.func @_tile_program_asserts(
// CHECK: scf.for
// CHECK:   %[[HOLDS:.*]] = tensor.extract %{{.*}} : tensor<7xi1>
// CHECK:   %[[FAILS:.*]] = arith.xori %[[HOLDS]], %true
// CHECK:   scf.if %[[FAILS]] {
// CHECK:     call @tile_cpu_assert_fail(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
tile.kernel @asserts(%a: memref<7xi1>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<7xi1> -> !tile.tile<7xi1>
  tile.assert %t, "expected all" : !tile.tile<7xi1>
  tile.return
}
