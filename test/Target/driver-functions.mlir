// Functions of the driver are declared once, and global variables that all kernels
// share are defined once. Two kernels, one of them with two variants, are one module.
// REQUIRES: nvptx, tile-compile
// RUN: tile-compile %s --arch=sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tile-compile %s --arch=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=ONCE
// CHECK: .extern .func {{.*}} vprintf
// CHECK: .global .align 1 .b8 both_text0[
// CHECK: .global .align 4 .u32 tile_print_lock;
// CHECK: .visible .entry both(
// CHECK: call.uni {{.*}}, vprintf,
// CHECK: .global .align 1 .b8 both__general_text0[
// CHECK: .visible .entry both__general(
// CHECK: call.uni {{.*}}, vprintf,
// CHECK: .extern .func __assertfail
// CHECK: .visible .entry asserts(
// CHECK: call.uni __assertfail,

// ONCE: .extern .func {{.*}} vprintf
// ONCE-NOT: .extern .func {{.*}} vprintf
// ONCE: .u32 tile_print_lock;
// ONCE-NOT: .extern .func {{.*}} vprintf
// ONCE-NOT: .u32 tile_print_lock;

tile.kernel @both(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.print "t", %t : !tile.tile<64xf32>
  tile.return
}

tile.kernel @asserts(%n: index) {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sgt, %n, %c0 : index
  tile.print "n", %n : index
  tile.assert %ok, "expected n to be positive" : i1
  tile.return
}
