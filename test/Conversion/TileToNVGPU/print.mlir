// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-plan-accesses -tile-lowering -o /dev/null

#rows = #tile.shared<(3,5):(5,1)>

// Each kernel has global strings of its own; all kernels share one lock.
// CHECK-DAG: llvm.mlir.global internal @tile_print_lock(0 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
// CHECK-DAG: llvm.mlir.global internal constant @tile_text0("100%% of it (%lld, %lld, %lld): 3x5xf16, register\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @tile_text1(" %g\00")
// CHECK-DAG: llvm.mlir.global internal constant @tile_text2("\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @scalars_text0("i1 (%lld, %lld, %lld): %lld\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @scalars_text1("i8 (%lld, %lld, %lld): %lld\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @scalars_text2("complex (%lld, %lld, %lld): (%g, %g)\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @scalars_text3("none (%lld, %lld, %lld)\0A\00")
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32

// One thread of the block takes the lock, which orders no accesses, and prints each row
// of the buffer as a line. The prints' arguments are in memory that is allocated
// outside of loops.
// CHECK-LABEL: tile.kernel @tile(
// CHECK:       %[[LOCK:.*]] = llvm.mlir.addressof @tile_print_lock
// CHECK:       llvm.alloca
// CHECK:       %[[THREAD:.*]] = gpu.thread_id x
// CHECK:       %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %{{.*}} : index
// CHECK:       scf.if %[[FIRST]] {
// CHECK:         scf.while
// CHECK:           llvm.cmpxchg %[[LOCK]], %{{.*}}, %{{.*}} syncscope("device") monotonic monotonic
// CHECK:         gpu.block_id x
// CHECK:         gpu.block_id z
// CHECK:         llvm.call @vprintf
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c3
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c5
// CHECK-NOT:         alloca
// CHECK:             %[[ELEMENT:.*]] = memref.load
// CHECK:             %[[SINGLE:.*]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK:             %[[DOUBLE:.*]] = arith.extf %[[SINGLE]] : f32 to f64
// CHECK:             llvm.store %[[DOUBLE]]
// CHECK:             llvm.call @vprintf
// CHECK:           }
// CHECK:           llvm.call @vprintf
// CHECK:         }
// CHECK:         llvm.store %{{.*}}, %[[LOCK]] atomic syncscope("device") monotonic
// CHECK-NEXT:  {{^ *}}}
tile.kernel @tile() attributes {block = 64 : i64, tile.shared_bytes = 32 : i64} {
  %t = memref.alloc() {tile.shared_offset = 0 : i64} : memref<3x5xf16, #rows>
  tile.print "100% of it", %t : memref<3x5xf16, #rows> {storage = "register"}
  tile.return
}

// CHECK-LABEL: tile.kernel @scalars(
// CHECK: arith.extui %{{.*}} : i1 to i64
// CHECK: arith.extsi %{{.*}} : i8 to i64
// CHECK: complex.re
// CHECK: complex.im
tile.kernel @scalars(%a: i1, %b: i8, %c: complex<f64>) attributes {block = 32 : i64} {
  tile.print "i1", %a : i1
  tile.print "i8", %b : i8
  tile.print "complex", %c : complex<f64>
  tile.print "none"
  tile.return
}
