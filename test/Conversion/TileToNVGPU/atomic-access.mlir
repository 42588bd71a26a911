// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -canonicalize -cse -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu -cse -convert-tile-kernel-to-nvvm -split-input-file | FileCheck %s --check-prefix=LOWERED

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// Each element inside the array is one access to its bits. The kernel argument of an
// array that is read atomically is not marked as read-only.
// LOWERED-LABEL: llvm.func @relaxed
// LOWERED-SAME: %arg0: !llvm.ptr<1> {llvm.align = 2 : i64, llvm.noalias}, %arg1: i64, %arg2: !llvm.ptr<1> {llvm.align = 2 : i64, llvm.noalias}
// CHECK-LABEL: @relaxed
tile.kernel @relaxed(%a: memref<?xf16>, %b: memref<?xf16>, %i: index) attributes {block = 32 : i64} {
  // CHECK-NOT: fence
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[READ:.*]] = scf.if
  // CHECK: %[[BITS:.*]] = llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 2 : i64} : !llvm.ptr<1> -> i16
  // CHECK: arith.bitcast %[[BITS]] : i16 to f16
  // CHECK-NOT: fence
  // CHECK: scf.if
  // CHECK: %[[WRITTEN:.*]] = arith.bitcast %[[READ]] : f16 to i16
  // CHECK: llvm.store %[[WRITTEN]], %{{.*}} atomic syncscope("device") monotonic {alignment = 2 : i64} : i16, !llvm.ptr<1>
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %v = tile.atomic_load %a[%i] : memref<?xf16> -> !tile.tile<32xf16, #lanes>
  tile.atomic_store %v, %b[%i] : !tile.tile<32xf16, #lanes>, memref<?xf16>
  tile.return
}

// -----

#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>

// A release adds a fence before its access, and an acquire one after it.
// CHECK-LABEL: @ordered
tile.kernel @ordered(%a: memref<?xi64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: llvm.load %{{.*}} atomic monotonic {alignment = 8 : i64}
  // CHECK-NEXT: llvm.fence acq_rel
  %v = tile.atomic_load %a[%c0] order acquire scope system in_bounds : memref<?xi64> -> !tile.tile<32xi64, #lanes>
  // CHECK: llvm.fence syncscope("block") acq_rel
  // CHECK-NEXT: llvm.store %{{.*}} atomic syncscope("block") monotonic
  tile.atomic_store %v, %a[%c0] order release scope block in_bounds : !tile.tile<32xi64, #lanes>, memref<?xi64>
  tile.return
}

// -----

// CHECK-LABEL: @fences
tile.kernel @fences() attributes {block = 32 : i64} {
  // CHECK-NEXT: llvm.fence syncscope("device") acq_rel
  tile.fence
  // CHECK-NEXT: llvm.fence acq_rel
  tile.fence acquire scope system
  // CHECK-NEXT: llvm.fence syncscope("block") acq_rel
  // CHECK-NEXT: tile.return
  tile.fence release scope block
  tile.return
}
