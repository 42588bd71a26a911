// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -canonicalize -cse -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -cse -convert-tile-kernel-to-nvvm -split-input-file | FileCheck %s --check-prefix=LOWERED

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// For each element inside the array there is one instruction. The kernel argument of
// the array is not marked as read-only.
// LOWERED-LABEL: llvm.func @relaxed
// LOWERED-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias},
// LOWERED-SAME: %arg2: !llvm.ptr<1> {
// LOWERED-SAME: llvm.readonly
// CHECK-LABEL: @relaxed
tile.kernel @relaxed(%a: memref<?xf32>, %x: memref<?xf32>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<32xf32, #lanes>
  // CHECK-NOT: fence
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.if
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
  // CHECK-NOT: fence
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %o = tile.atomic_rmw add %v, %a[%i] : !tile.tile<32xf32, #lanes>, memref<?xf32>
  tile.return
}

// -----

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// A release adds a fence before its access, and an acquire one after it.
// CHECK-LABEL: @acquires_and_releases
tile.kernel @acquires_and_releases(%a: memref<?xi64>, %x: memref<?xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] in_bounds : memref<?xi64> -> !tile.tile<32xi64, #lanes>
  // CHECK: llvm.fence syncscope("block") acq_rel
  // CHECK: llvm.atomicrmw umax %{{.*}} syncscope("block") monotonic
  // CHECK-NEXT: llvm.fence syncscope("block") acq_rel
  %o = tile.atomic_rmw umax %v, %a[%c0] order acq_rel scope block in_bounds : !tile.tile<32xi64, #lanes>, memref<?xi64>
  // CHECK-NEXT: llvm.fence syncscope("device") acq_rel
  // CHECK: llvm.atomicrmw xchg
  // CHECK-NOT: fence
  %p = tile.atomic_rmw exchange %v, %a[%c0] order release in_bounds : !tile.tile<32xi64, #lanes>, memref<?xi64>
  // CHECK: llvm.atomicrmw xchg
  // CHECK-NEXT: llvm.fence syncscope("device") acq_rel
  %q = tile.atomic_rmw exchange %v, %a[%c0] order acquire in_bounds : !tile.tile<32xi64, #lanes>, memref<?xi64>
  tile.return
}

// -----

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// The text of LLVM 22's atomic instructions has no scope, so system scope takes a loop.
// CHECK-LABEL: @system
tile.kernel @system(%a: memref<?xf32>, %x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<32xf32, #lanes>
  // CHECK: llvm.load %{{.*}} atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK: scf.while
  // CHECK: arith.maximumf
  // CHECK: llvm.cmpxchg %{{.*}} monotonic monotonic : !llvm.ptr<1>, i32
  %o = tile.atomic_rmw max %v, %a[%c0] scope system in_bounds : !tile.tile<32xf32, #lanes>, memref<?xf32>
  tile.return
}

// -----

#twice = #tile.register<((16,2),1,1):((1,0),0,0), box = [16]>

// If two lanes hold an element, one of them updates it.
// CHECK-LABEL: @owner
tile.kernel @owner(%a: memref<?xi32>, %x: memref<?xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] in_bounds : memref<?xi32> -> !tile.tile<16xi32, #twice>
  // CHECK: %[[OWNS:.*]] = arith.cmpi
  // CHECK: scf.if %[[OWNS]]
  // CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
  %o = tile.atomic_rmw compare_exchange %v, %a[%c0] expected %v in_bounds : !tile.tile<16xi32, #twice>, memref<?xi32>
  tile.return
}
