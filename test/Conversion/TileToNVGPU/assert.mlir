// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-plan-accesses -tile-lowering -o /dev/null

#lanes = #tile.register<(32,1,2):(1,0,32), box = [64]>

// CHECK-DAG: llvm.mlir.global internal constant @tile_text0("expected order\00")
// CHECK-DAG: llvm.mlir.global internal constant @tile_text1("{{.*}}assert.mlir\00")
// CHECK-DAG: llvm.mlir.global internal constant @tile_text2("tile\00")
// CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)

// Each thread tests the elements that it holds. The last ones are padding.
// CHECK-LABEL: tile.kernel @tile(
// CHECK:       %[[LINE:.*]] = llvm.mlir.constant([[#@LINE + 14]] : i32) : i32
// CHECK:       %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c50
// CHECK:       %[[FIRST:.*]] = memref.load
// CHECK:       %[[SECOND:.*]] = arith.select %[[INSIDE]], %{{.*}}, %true
// CHECK-NEXT:  %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK-NEXT:  %[[FAILS:.*]] = arith.xori %[[BOTH]], %true
// CHECK-NEXT:  scf.if %[[FAILS]] {
// CHECK:         llvm.call @__assertfail(%{{.*}}, %{{.*}}, %[[LINE]], %{{.*}}, %{{.*}})
// CHECK-NEXT:  }
// CHECK-NEXT:  tile.return
tile.kernel @tile(%a: memref<50xi1>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<50xi1> -> !tile.tile<50xi1, #lanes>
  // The assertion is not moved.
  tile.assert %t, "expected order" : !tile.tile<50xi1, #lanes>
  tile.return
}

// CHECK-LABEL: tile.kernel @scalar(
// CHECK-SAME: %[[HOLDS:.*]]: i1
// CHECK: %[[FAILS:.*]] = arith.xori %[[HOLDS]], %true
// CHECK: scf.if %[[FAILS]] {
// CHECK: llvm.call @__assertfail
tile.kernel @scalar(%holds: i1) attributes {block = 32 : i64} {
  tile.assert %holds, "expected it" : i1
  tile.return
}
