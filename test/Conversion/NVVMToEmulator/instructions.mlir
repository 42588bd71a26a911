// RUN: tile-opt %s -convert-nvvm-to-emulator -split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @_tile_program_registers(
llvm.func @registers(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  // CHECK: llvm.mlir.constant(1 : i32)
  // CHECK-NEXT: %[[Y:[a-z0-9]+]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @tile_emulator_thread_index(%[[T:[a-z0-9]+]], %[[Y]])
  %0 = nvvm.read.ptx.sreg.tid.y : i32
  // CHECK: llvm.call @tile_emulator_block_size(
  %1 = nvvm.read.ptx.sreg.ntid.x : i32
  // CHECK: llvm.call @tile_emulator_block_index(
  %2 = nvvm.read.ptx.sreg.ctaid.z : i32
  // CHECK: llvm.call @tile_emulator_grid_size(
  %3 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK: llvm.call @tile_emulator_lane(%[[T]])
  %4 = nvvm.read.ptx.sreg.laneid : i32
  // CHECK: llvm.mlir.constant(32 : i32)
  %5 = nvvm.read.ptx.sreg.warpsize : i32
  // CHECK: llvm.call @tile_emulator_clock(%[[T]]) : (!llvm.ptr) -> i64
  %6 = nvvm.read.ptx.sreg.clock64 : i64
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @_tile_program_meetings(
llvm.func @meetings(%n: i32) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_barrier({{.*}}) : (!llvm.ptr, i32, i32, i32) -> ()
  nvvm.barrier0
  // CHECK: %[[ID:[a-z0-9]+]] = llvm.mlir.constant(3 : i32)
  %id = llvm.mlir.constant(3 : i32) : i32
  // CHECK: llvm.call @tile_emulator_barrier(%{{.*}}, %{{.*}}, %[[ID]], %[[N:[a-z0-9]+]])
  nvvm.barrier id = %id number_of_threads = %n
  // CHECK: llvm.call @tile_emulator_barrier_arrive(%{{.*}}, %{{.*}}, %[[ID]], %[[N]])
  nvvm.barrier.arrive id = %id number_of_threads = %n
  // CHECK: llvm.call @tile_emulator_warp_sync(%{{.*}}, %{{.*}}, %[[N]])
  nvvm.bar.warp.sync %n : i32
  llvm.return
}

// -----

// Registers of other types are passed as their bits; a predicate is read from memory.
// CHECK-LABEL: llvm.func @_tile_program_warp(
llvm.func @warp(%m: i32, %f: f32, %i: i32, %p: i1, %w: i64) attributes {nvvm.kernel} {
  // CHECK: %[[SCRATCH:[a-z0-9]+]] = llvm.alloca
  // CHECK: %[[BITS:[a-z0-9]+]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[NONE:[a-z0-9]+]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[R:[a-z0-9]+]] = llvm.call @tile_emulator_shuffle(%{{.*}}, %{{.*}}, %{{.*}}, %[[BITS]], %{{.*}}, %{{.*}}, %[[NONE]])
  // CHECK: llvm.bitcast %[[R]] : i32 to f32
  %0 = nvvm.shfl.sync bfly %m, %f, %i, %i : f32 -> f32
  // CHECK: llvm.call @tile_emulator_shuffle({{.*}}, %[[SCRATCH]])
  // CHECK: llvm.load %[[SCRATCH]] : !llvm.ptr -> i32
  // CHECK: llvm.icmp "ne"
  %1 = nvvm.shfl.sync up %m, %i, %i, %i {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  // CHECK: llvm.zext %{{.*}} : i1 to i32
  // CHECK: llvm.call @tile_emulator_vote(
  %2 = nvvm.vote.sync ballot %m, %p -> i32
  // CHECK: llvm.call @tile_emulator_vote(
  // CHECK: llvm.icmp "ne"
  %3 = nvvm.vote.sync any %m, %p -> i1
  // CHECK: llvm.call @tile_emulator_match({{.*}}) : (!llvm.ptr, i32, i32, i64, !llvm.ptr) -> i32
  %4 = nvvm.match.sync any %m, %w : i64 -> i32
  // CHECK: llvm.call @tile_emulator_redux(
  %5 = nvvm.redux.sync umax %i, %m : i32 -> i32
  // CHECK: llvm.call @tile_emulator_vote({{.*}}, %[[SCRATCH]])
  %6 = nvvm.elect.sync -> i1
  llvm.return
}

// -----

// CHECK: tile.sites = ["cp.async at {{[^"]*}}", "cp.async at {{[^"]*}}", "cp.async.commit.group at {{[^"]*}}", "cp.async.wait.group at
// CHECK-LABEL: llvm.func @_tile_program_copies(
llvm.func @copies(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  // CHECK: %[[SIZE:[a-z0-9]+]] = llvm.mlir.constant(16 : i32)
  // CHECK: llvm.call @tile_emulator_copy_async(%{{.*}}, %{{.*}}, %[[S:[a-z0-9]+]], %[[G:[a-z0-9]+]], %[[SIZE]], %[[SIZE]])
  nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  // CHECK: llvm.call @tile_emulator_copy_async(%{{.*}}, %{{.*}}, %[[S]], %[[G]], %{{.*}}, %{{.*}})
  nvvm.cp.async.shared.global %s, %g, 4, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
  // CHECK: llvm.call @tile_emulator_copy_commit(
  nvvm.cp.async.commit.group
  // CHECK: %[[TWO:[a-z0-9]+]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @tile_emulator_copy_wait(%{{.*}}, %{{.*}}, %[[TWO]])
  nvvm.cp.async.wait.group 2
  llvm.return
}

// -----

// Operands and results of matrix instructions are passed in memory, one after
// the other.
// CHECK-LABEL: llvm.func @_tile_program_matrices(
llvm.func @matrices(%s: !llvm.ptr<3>, %h: vector<2xf16>, %c: f32) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_load_matrix(%{{.*}}, %{{.*}}, %{{.*}}, %[[SCRATCH:[a-z0-9]+]])
  // CHECK: llvm.load %[[SCRATCH]] : !llvm.ptr -> i32
  // CHECK: %[[NEXT:[a-z0-9]+]] = llvm.getelementptr %[[SCRATCH]][4]
  // CHECK: llvm.load %[[NEXT]] : !llvm.ptr -> i32
  %0 = nvvm.ldmatrix %s {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  // CHECK: %[[B:[a-z0-9]+]] = llvm.getelementptr %[[SCRATCH]][8]
  // CHECK: %[[C:[a-z0-9]+]] = llvm.getelementptr %[[B]][4]
  // CHECK: llvm.store %{{.*}}, %[[SCRATCH]] : vector<2xf16>
  // CHECK: llvm.store %{{.*}}, %[[B]] : vector<2xf16>
  // CHECK: llvm.store %{{.*}}, %[[C]] : f32
  // CHECK: llvm.call @tile_emulator_mma(%{{.*}}, %{{.*}}, %[[C]], %[[SCRATCH]], %[[B]], %[[C]])
  // CHECK: llvm.load %[[C]] : !llvm.ptr -> f32
  %1 = nvvm.mma.sync A[%h, %h] B[%h] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

// A matrix instruction without an operation of NVVM is called by name.
// CHECK-LABEL: llvm.func @_tile_program_mma_intrinsic(
llvm.func @mma_intrinsic(%i: i32, %c: f32) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_mma(
  // CHECK-NOT: call_intrinsic
  %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"(%i, %i, %i, %i, %i, %i, %c, %c, %c, %c) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

// A function of the module gets the thread as an argument too. The emulator
// provides the driver's functions; libdevice's functions keep their names.
// CHECK-LABEL: llvm.func @_tile_program_calls(
// CHECK-SAME: %[[THREAD:[a-z0-9]+]]: !llvm.ptr,
llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @__nv_expf(f32) -> f32
llvm.func @helper(%x: f32) -> f32 {
  nvvm.barrier0
  llvm.return %x : f32
}
llvm.func @calls(%x: f32, %text: !llvm.ptr) attributes {nvvm.kernel} {
  // CHECK: llvm.call @_tile_program_helper(%[[THREAD]], %{{.*}}) : (!llvm.ptr, f32) -> f32
  %0 = llvm.call @helper(%x) : (f32) -> f32
  // CHECK: llvm.call @__nv_expf(%{{.*}}) : (f32) -> f32
  %1 = llvm.call @__nv_expf(%x) : (f32) -> f32
  // CHECK: llvm.call @tile_emulator_print(%[[THREAD]],
  %2 = llvm.call @vprintf(%text, %text) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
}

// -----

// The next wgmma may continue with the accumulators of the previous one. Before
// the first other use of them in each basic block, tile_emulator_warpgroup_read
// is called with the site of the wgmma. The inline assembly that passes the
// accumulators on after a wait is such a use; uses of its results are not. Only
// proxy fences that make shared memory visible to the async proxy are reported.
!sums = !llvm.struct<(f32, f32, f32, f32)>
// CHECK-LABEL: llvm.func @_tile_program_warpgroup(
llvm.func @warpgroup(%a: i64, %b: i64, %d: !sums, %out: !llvm.ptr) attributes {nvvm.kernel} {
  // CHECK: %[[PRODUCT:.*]] = llvm.mlir.constant(5 : i32)
  // CHECK-COUNT-2: llvm.call @tile_emulator_proxy_fence(
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  // CHECK-NOT: proxy_fence
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  // CHECK: llvm.call @tile_emulator_warpgroup_fence(
  nvvm.wgmma.fence.aligned
  // CHECK: llvm.call @tile_emulator_warpgroup_mma(
  // CHECK-NOT: warpgroup_read
  %0 = nvvm.wgmma.mma_async %a, %b, %d, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  // CHECK: llvm.call @tile_emulator_warpgroup_mma(
  %1 = nvvm.wgmma.mma_async %a, %b, %0, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !sums -> !sums
  // CHECK: llvm.call @tile_emulator_warpgroup_commit(
  nvvm.wgmma.commit.group.sync.aligned
  // CHECK: llvm.call @tile_emulator_warpgroup_wait(
  nvvm.wgmma.wait.group.sync.aligned 0
  // CHECK: llvm.call @tile_emulator_warpgroup_read(%{{.*}}, %{{.*}}, %[[PRODUCT]])
  // CHECK-NOT: warpgroup_read
  // CHECK-NOT: inline_asm
  %2 = llvm.extractvalue %1[0] : !sums
  %3 = llvm.extractvalue %1[1] : !sums
  %5 = llvm.inline_asm has_side_effects asm_dialect = att "// waited for", "=f,=f,0,1" %2, %3 : (f32, f32) -> !llvm.struct<(f32, f32)>
  %6 = llvm.extractvalue %5[0] : !llvm.struct<(f32, f32)>
  %7 = llvm.extractvalue %5[1] : !llvm.struct<(f32, f32)>
  %4 = llvm.fadd %6, %7 : f32
  // CHECK: llvm.return
  llvm.return
}
