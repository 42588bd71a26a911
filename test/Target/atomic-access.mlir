// Each element is loaded or stored by an instruction that has the operation's scope.
// REQUIRES: nvptx, ptxas, tile-compile
// RUN: tile-compile %s --arch=sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tile-compile %s --arch=sm_80 -o %t.80.cubin
// RUN: tile-compile %s --arch=sm_90a -o %t.90a.cubin

// CHECK-LABEL: .entry relaxed(
// CHECK: ld.relaxed.gpu.global.b8
// CHECK: st.relaxed.cta.global.b8
// CHECK: ld.relaxed.sys.global.b16
// CHECK: st.relaxed.gpu.global.b16
tile.kernel @relaxed(%a: memref<?xi8>, %b: memref<?xbf16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %t = tile.atomic_load %a[%c0] : memref<?xi8> -> !tile.tile<32xi8>
  tile.atomic_store %t, %a[%c32] scope block : !tile.tile<32xi8>, memref<?xi8>
  %u = tile.atomic_load %b[%c0] scope system : memref<?xbf16> -> !tile.tile<32xbf16>
  tile.atomic_store %u, %b[%c32] : !tile.tile<32xbf16>, memref<?xbf16>
  tile.return
}

// The load is in a loop and is executed in each iteration. One thread loads the value,
// and passes it to all threads.
// CHECK-LABEL: .entry waits(
// CHECK: fence.acq_rel.gpu
// CHECK: bar.sync 0
// CHECK: ld.shared
// CHECK: bra [[AGAIN:.L__BB[0-9_]+]]
// CHECK: [[AGAIN]]:
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: st.shared
// CHECK: bar.sync 0
// CHECK: fence.acq_rel.gpu
// CHECK: st.relaxed.gpu.global.b32
tile.kernel @waits(%flags: memref<?xi32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant dense<1> : !tile.tile<i32>
  scf.while : () -> () {
    %f = tile.atomic_load %flags[%c0] order acquire : memref<?xi32> -> !tile.tile<i32>
    %is = tile.extract %f[] : !tile.tile<i32>
    %waits = arith.cmpi eq, %is, %zero : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  tile.atomic_store %one, %flags[%c1] order release : !tile.tile<i32>, memref<?xi32>
  tile.return
}
