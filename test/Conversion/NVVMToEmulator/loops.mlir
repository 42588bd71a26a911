// RUN: tile-opt %s -convert-nvvm-to-emulator | FileCheck %s

// Each loop reports the end of an iteration to the emulator, at the location of
// its condition. Other branches do not.
// CHECK: tile.sites = ["bra at {{.*}}loops.mlir:[[#@LINE+13]]:3", "bra at {{.*}}loops.mlir:[[#@LINE+21]]:3"]
// CHECK-LABEL: llvm.func @_tile_program_loops(
// CHECK-SAME: %[[THREAD:[a-z0-9]+]]: !llvm.ptr
llvm.func @loops(%n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.br ^[[OUTER:bb[0-9]+]](
  llvm.br ^outer(%zero : i32)
^outer(%i: i32):
  %go = llvm.icmp "slt" %i, %n : i32
  // CHECK: ^[[OUTER]](
  // CHECK-NOT: tile_emulator_poll
  // CHECK: llvm.cond_br {{.*}}, ^[[INNER:bb[0-9]+]](
  llvm.cond_br %go, ^inner(%zero : i32), ^end
^inner(%j: i32):
  %next = llvm.add %j, %one : i32
  // CHECK: ^[[INNER]](
  // CHECK: %[[SITE:[a-z0-9]+]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @tile_emulator_poll(%[[THREAD]], %[[SITE]])
  // CHECK-NEXT: llvm.cond_br
  %again = llvm.icmp "slt" %next, %i : i32
  llvm.cond_br %again, ^inner(%next : i32), ^latch
^latch:
  %k = llvm.add %i, %one : i32
  // CHECK: %[[SITE:[a-z0-9]+]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @tile_emulator_poll(%[[THREAD]], %[[SITE]])
  // CHECK-NEXT: llvm.br ^[[OUTER]](
  llvm.br ^outer(%k : i32)
^end:
  // CHECK-NOT: tile_emulator_poll
  // CHECK: llvm.return
  llvm.return
}
