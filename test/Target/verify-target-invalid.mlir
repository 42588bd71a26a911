// RUN: tile-opt %s -tile-verify-target -split-input-file -verify-diagnostics

// Instructions of each row of the table (TargetTable.cpp) that some known architecture lacks: each
// is refused on an architecture before the one that it requires.

module attributes {tile.target = "sm_80"} {
  llvm.func @signs_need_sm_86(%f: f32) {
    // expected-error @below {{expected architecture sm_86 or later for llvm.nvvm.fmin.xorsign.abs.f, got sm_80}}
    %0 = llvm.call_intrinsic "llvm.nvvm.fmin.xorsign.abs.f"(%f, %f) : (f32, f32) -> f32
    // expected-error @below {{expected architecture sm_86 or later for llvm.nvvm.fmax.xorsign.abs.f, got sm_80}}
    %1 = llvm.call_intrinsic "llvm.nvvm.fmax.xorsign.abs.f"(%f, %f) : (f32, f32) -> f32
    llvm.return
  }
  llvm.func @float8_needs_sm_89(%f: f32, %h: vector<2xf16>, %b: vector<2xi8>) {
    // expected-error @below {{expected architecture sm_89 or later for convert.f32x2.to.f8x2.f8E4M3FN, got sm_80}}
    %0 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
    // expected-error @below {{expected architecture sm_89 or later for convert.f32x2.to.f8x2.f8E5M2, got sm_80}}
    %1 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E5M2)
    // expected-error @below {{expected architecture sm_89 or later for convert.f16x2.to.f8x2.f8E4M3FN, got sm_80}}
    %2 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E4M3FN)
    // expected-error @below {{expected architecture sm_89 or later for convert.f16x2.to.f8x2.f8E5M2, got sm_80}}
    %3 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E5M2)
    // expected-error @below {{expected architecture sm_89 or later for convert.f8x2.to.f16x2, got sm_80}}
    %4 = nvvm.convert.f8x2.to.f16x2 %b : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
    llvm.return
  }
  llvm.func @float8_intrinsics_need_sm_89(%r: i32, %f: f32, %s: i16, %h: vector<2xf16>) {
    // expected-error @below {{expected architecture sm_89 or later for mma.sync.m16n8k32.f8, got sm_80}}
    %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"(%r, %r, %r, %r, %r, %r, %f, %f, %f, %f) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    // expected-error @below {{expected architecture sm_89 or later for mma.sync.m16n8k16.f8, got sm_80}}
    %1 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.e5m2.e4m3.f32"(%r, %r, %r, %f, %f, %f, %f) : (i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.ff.to.e4m3x2.rn, got sm_80}}
    %2 = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%f, %f) : (f32, f32) -> i16
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.ff.to.e5m2x2.rn, got sm_80}}
    %3 = llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%f, %f) : (f32, f32) -> i16
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.f16x2.to.e4m3x2.rn, got sm_80}}
    %4 = llvm.call_intrinsic "llvm.nvvm.f16x2.to.e4m3x2.rn"(%h) : (vector<2xf16>) -> i16
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.f16x2.to.e5m2x2.rn, got sm_80}}
    %5 = llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%h) : (vector<2xf16>) -> i16
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.e4m3x2.to.f16x2.rn, got sm_80}}
    %6 = llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%s) : (i16) -> vector<2xf16>
    // expected-error @below {{expected architecture sm_89 or later for llvm.nvvm.e5m2x2.to.f16x2.rn, got sm_80}}
    %7 = llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"(%s) : (i16) -> vector<2xf16>
    llvm.return
  }
}

// -----

module attributes {tile.target = "sm_89"} {
  llvm.func @meeting_points_of_sm_90(%bar: !llvm.ptr<3>, %p: !llvm.ptr, %n: i32) {
    // expected-error @below {{expected architecture sm_90 or later for mbarrier.try_wait.parity, got sm_89}}
    nvvm.mbarrier.try_wait.parity %bar, %n, %n : !llvm.ptr<3>, i32, i32
    // expected-error @below {{expected architecture sm_90 or later for mbarrier.try_wait, got sm_89}}
    %0 = nvvm.mbarrier.try_wait %bar, %n : !llvm.ptr<3>, i32 -> i1
    // expected-error @below {{expected architecture sm_90 or later for mbarrier.expect_tx, got sm_89}}
    nvvm.mbarrier.expect_tx %bar, %n : !llvm.ptr<3>, i32
    // expected-error @below {{expected architecture sm_90 or later for mbarrier.arrive.expect_tx, got sm_89}}
    nvvm.mbarrier.arrive.expect_tx %bar, %n : !llvm.ptr<3>, i32
    // expected-error @below {{expected architecture sm_90 or later for cluster.arrive, got sm_89}}
    nvvm.cluster.arrive
    // expected-error @below {{expected architecture sm_90 or later for elect.sync, got sm_89}}
    %1 = nvvm.elect.sync -> i1
    // expected-error @below {{expected architecture sm_90 or later for fence.mbarrier.init, got sm_89}}
    nvvm.fence.mbarrier.init
    // expected-error @below {{expected architecture sm_90 or later for fence.sc.cluster, got sm_89}}
    nvvm.fence.sc.cluster
    // expected-error @below {{expected architecture sm_90 or later for fence.sync_restrict, got sm_89}}
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
    // expected-error @below {{expected architecture sm_90 or later for fence.proxy.async, got sm_89}}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    // expected-error @below {{expected architecture sm_90 or later for fence.proxy.async.shared, got sm_89}}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // expected-error @below {{expected architecture sm_90 or later for fence.proxy.acquire, got sm_89}}
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %p, %n
    // expected-error @below {{expected architecture sm_90 or later for fence.proxy.release, got sm_89}}
    nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
    // expected-error @below {{expected architecture sm_90 or later for fence.proxy.sync_restrict, got sm_89}}
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
    // expected-error @below {{expected architecture sm_90 or later for memory.barrier.cluster, got sm_89}}
    nvvm.memory.barrier #nvvm.mem_scope<cluster>
    // expected-error @below {{expected architecture sm_90 or later for mapa, got sm_89}}
    %2 = nvvm.mapa %p, %n : !llvm.ptr -> !llvm.ptr
    // expected-error @below {{expected architecture sm_90 or later for griddepcontrol, got sm_89}}
    nvvm.griddepcontrol wait
    llvm.return
  }
  llvm.func @copies_of_sm_90(%shared: !llvm.ptr<3>, %p: !llvm.ptr, %n: i32) {
    // expected-error @below {{expected architecture sm_90 or later for cp.async.bulk.commit.group, got sm_89}}
    nvvm.cp.async.bulk.commit.group
    // expected-error @below {{expected architecture sm_90 or later for cp.async.bulk.wait_group, got sm_89}}
    nvvm.cp.async.bulk.wait_group 0
    // expected-error @below {{expected architecture sm_90 or later for cp.async.bulk.tensor.global.shared.cta, got sm_89}}
    nvvm.cp.async.bulk.tensor.global.shared.cta %p, %shared, box[%n] : !llvm.ptr, !llvm.ptr<3>
    // expected-error @below {{expected architecture sm_90 or later for prefetch.tensormap, got sm_89}}
    nvvm.prefetch tensormap, %p : !llvm.ptr
    // expected-error @below {{expected architecture sm_90 or later for stmatrix.m8n8.b16, got sm_89}}
    nvvm.stmatrix %shared, %n {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
    llvm.return
  }
  llvm.func @registers_of_sm_90() {
    // expected-error @below {{expected architecture sm_90 or later for read.ptx.sreg.clusterid.x, got sm_89}}
    %0 = nvvm.read.ptx.sreg.clusterid.x : i32
    // expected-error @below {{expected architecture sm_90 or later for read.ptx.sreg.nclusterid.x, got sm_89}}
    %1 = nvvm.read.ptx.sreg.nclusterid.x : i32
    // expected-error @below {{expected architecture sm_90 or later for read.ptx.sreg.cluster.ctarank, got sm_89}}
    %2 = nvvm.read.ptx.sreg.cluster.ctarank : i32
    // expected-error @below {{expected architecture sm_90 or later for read.ptx.sreg.aggr.smem.size, got sm_89}}
    %3 = nvvm.read.ptx.sreg.aggr.smem.size : i32
    llvm.return
  }
  llvm.func @arithmetic_of_sm_90(%f: f32, %d: f64, %b: bf16) {
    // expected-error @below {{expected architecture sm_90 or later for convert.float.to.tf32.rn, got sm_89}}
    %0 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>}
    // expected-error @below {{expected architecture sm_90 or later for mma.sync.m16n8k4.f64, got sm_89}}
    %1 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k4.row.col.f64"(%d, %d, %d, %d, %d, %d, %d) : (f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
    // expected-error @below {{expected architecture sm_90 or later for mma.sync.m16n8k8.f64, got sm_89}}
    %2 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.f64"(%d, %d, %d, %d, %d, %d, %d, %d, %d, %d) : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
    // expected-error @below {{expected architecture sm_90 or later for mma.sync.m16n8k16.f64, got sm_89}}
    %3 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f64"(%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d) : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.f2tf32.rn, got sm_89}}
    %4 = llvm.call_intrinsic "llvm.nvvm.f2tf32.rn"(%f) : (f32) -> i32
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.fma.rn.oob.bf16, got sm_89}}
    %5 = llvm.call_intrinsic "llvm.nvvm.fma.rn.oob.bf16"(%b, %b, %b) : (bf16, bf16, bf16) -> bf16
    llvm.return
  }
  llvm.func @intrinsics_of_sm_90(%shared: !llvm.ptr<3>, %p: !llvm.ptr, %n: i32) {
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16"(%shared, %n) : (!llvm.ptr<3>, i32) -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.cp.async.bulk.commit.group, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.commit.group"() : () -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta, got sm_89}}
    %0 = llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"(%shared, %n) : (!llvm.ptr<3>, i32) -> i1
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta"(%shared, %n) : (!llvm.ptr<3>, i32) -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta"(%shared, %n) : (!llvm.ptr<3>, i32) -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.mbarrier.arrive.scope.cta.space.cta, got sm_89}}
    %1 = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta"(%shared, %n) : (!llvm.ptr<3>, i32) -> i64
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.barrier.cluster.arrive, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.barrier.cluster.arrive"() : () -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.elect.sync, got sm_89}}
    %2 = llvm.call_intrinsic "llvm.nvvm.elect.sync"(%n) : (i32) -> !llvm.struct<(i32, i1)>
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.mapa, got sm_89}}
    %3 = llvm.call_intrinsic "llvm.nvvm.mapa"(%p, %n) : (!llvm.ptr, i32) -> !llvm.ptr
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.fence.sc.cluster, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.fence.sc.cluster"() : () -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.griddepcontrol.wait, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.griddepcontrol.wait"() : () -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.prefetch.tensormap.p0, got sm_89}}
    llvm.call_intrinsic "llvm.nvvm.prefetch.tensormap.p0"(%p) : (!llvm.ptr) -> ()
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.isspacep.shared.cluster, got sm_89}}
    %4 = llvm.call_intrinsic "llvm.nvvm.isspacep.shared.cluster"(%p) : (!llvm.ptr) -> i1
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.read.ptx.sreg.cluster.ctarank, got sm_89}}
    %5 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"() : () -> i32
    // expected-error @below {{expected architecture sm_90 or later for llvm.nvvm.read.ptx.sreg.nclusterid.x, got sm_89}}
    %6 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nclusterid.x"() : () -> i32
    llvm.return
  }
}

// -----

// Only the accelerated variant of the architecture has these instructions.

module attributes {tile.target = "sm_90"} {
  llvm.func @warpgroups_need_sm_90a(%n: i32) {
    // expected-error @below {{expected architecture sm_90a for wgmma.fence.aligned, got sm_90}}
    nvvm.wgmma.fence.aligned
    // expected-error @below {{expected architecture sm_90a for setmaxregister, got sm_90}}
    nvvm.setmaxregister increase 232
    // expected-error @below {{expected architecture sm_90a for llvm.nvvm.wgmma.fence.sync.aligned, got sm_90}}
    llvm.call_intrinsic "llvm.nvvm.wgmma.fence.sync.aligned"() : () -> ()
    // expected-error @below {{expected architecture sm_90a for llvm.nvvm.setmaxnreg.inc.sync.aligned.u32, got sm_90}}
    llvm.call_intrinsic "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32"(%n) : (i32) -> ()
    llvm.return
  }
}

// -----

// Instructions of architectures later than sm_90a.

module attributes {tile.target = "sm_90a"} {
  llvm.func @later(%shared: !llvm.ptr<3>, %n: i32, %f: f32, %w: i64, %b: vector<2xbf16>) {
    // expected-error @below {{expected architecture sm_100a for redux.sync.f32, got sm_90a}}
    %0 = nvvm.redux.sync fmin %f, %n : f32 -> f32
    // expected-error @below {{expected architecture sm_100a for llvm.nvvm.redux.sync.fmin, got sm_90a}}
    %1 = llvm.call_intrinsic "llvm.nvvm.redux.sync.fmin"(%f, %n) : (f32, i32) -> f32
    // expected-error @below {{expected architecture sm_100a for st.bulk, got sm_90a}}
    nvvm.st.bulk %shared, size = %w : !llvm.ptr<3>
    // expected-error @below {{expected architecture sm_100a for convert.bf16x2.to.f8x2, got sm_90a}}
    %2 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E8M0FNU)
    // expected-error @below {{expected architecture sm_100a for tcgen05.relinquish_alloc_permit, got sm_90a}}
    nvvm.tcgen05.relinquish_alloc_permit
    // expected-error @below {{expected architecture sm_100a for ldmatrix.m16n16.b8, got sm_90a}}
    %3 = nvvm.ldmatrix %shared {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    llvm.return
  }
}

// -----

// An instruction that the table does not have may make LLVM abort.

module attributes {tile.target = "sm_90a"} {
  llvm.func @unknown(%p: !llvm.ptr<1>) {
    // expected-error @below {{expected an instruction of the target table, got llvm.nvvm.suld.1d.i32.trap}}
    llvm.call_intrinsic "llvm.nvvm.suld.1d.i32.trap"(%p) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}

// -----

// expected-error-re @below {{expected architecture sm_80, {{.*}}, got 'sm_42'}}
module attributes {tile.target = "sm_42"} {
}

// -----

// LLVM does not check these instructions.
llvm.func @constraints(%s: f32) {
  // expected-error @below {{expected constraints of inline assembly, got 'none,f': inline asm without outputs must return void}}
  %0 = llvm.inline_asm "ex2.approx.f32 $0, $1;", "none,f" %s : (f32) -> f32
  // expected-error @below {{expected constraints of inline assembly, got '=f': number of input constraints does not match number of parameters}}
  %1 = llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f" %s : (f32) -> f32
  %2 = llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %s : (f32) -> f32
  llvm.return
}

// -----

// IR on which LLVM's code generator would abort, for any architecture.
module attributes {tile.target = "sm_90"} {
  llvm.func @types(%p: !llvm.ptr<1>, %x: f128, %v: vector<2xf80>, %i: i129) {
    // expected-error @below {{expected a type that a GPU computes with, got 'f128' of 'llvm.fadd'}}
    %0 = llvm.fadd %x, %x : f128
    // expected-error @below {{expected a type that a GPU computes with, got 'f80' of 'llvm.store'}}
    llvm.store %v, %p : vector<2xf80>, !llvm.ptr<1>
    // expected-error @below {{expected a type that a GPU computes with, got 'i129' of 'llvm.add'}}
    %1 = llvm.add %i, %i : i129
    // expected-error @below {{expected a type that a GPU computes with, got 'vector<[4]xf32>' of 'llvm.load'}}
    %2 = llvm.load %p : !llvm.ptr<1> -> vector<[4]xf32>
    llvm.return
  }
  llvm.func @conversions(%i: i128, %f: f32, %j: i64) {
    // expected-error @below {{expected a conversion between floating-point numbers and integers of at most 64 bits, got 'llvm.sitofp' of 128 bits}}
    %0 = llvm.sitofp %i : i128 to f32
    // expected-error @below {{expected a conversion between floating-point numbers and integers of at most 64 bits, got 'llvm.fptoui' of 128 bits}}
    %1 = llvm.fptoui %f : f32 to i128
    %2 = llvm.sitofp %j : i64 to f32
    llvm.return
  }
  llvm.func @functions(%f: f32, %d: f64, %n: i32) {
    // expected-error @below {{expected a function that PTX has, got 'exp' (a function of libdevice, '__nv_...', computes it)}}
    %0 = llvm.intr.exp(%f) : (f32) -> f32
    // expected-error @below {{expected a function that PTX has, got 'log2' (a function of libdevice, '__nv_...', computes it)}}
    %1 = llvm.call_intrinsic "llvm.log2.f32"(%f) : (f32) -> f32
    // expected-error @below {{expected a function that PTX has, got 'powi' (a function of libdevice, '__nv_...', computes it)}}
    %2 = llvm.intr.powi(%f, %n) : (f32, i32) -> f32
    // expected-error @below {{expected a function that PTX has, got 'sin' (a function of libdevice, '__nv_...', computes it)}}
    %3 = llvm.intr.sin(%f) : (f32) -> f32
    %4 = llvm.intr.sin(%f) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    // expected-error @below {{expected a function that PTX has, got 'exp2' (a function of libdevice, '__nv_...', computes it)}}
    %5 = llvm.intr.exp2(%d) : (f64) -> f64
    %6 = llvm.intr.exp2(%f) : (f32) -> f32
    // expected-error @below {{expected an operation that a GPU has, got 'llvm.intr.vscale'}}
    %7 = "llvm.intr.vscale"() : () -> i32
    llvm.return
  }
  llvm.func @others(%p: !llvm.ptr<1>, %n: i32) {
    // expected-error @below {{expected syncscope "block", "cluster", "device" or none, got "agent"}}
    llvm.fence syncscope("agent") seq_cst
    llvm.fence syncscope("device") seq_cst
    // expected-error @below {{expected syncscope "block", "cluster", "device" or none, got "singlethread"}}
    %0 = llvm.load %p atomic syncscope("singlethread") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    // expected-error @below {{expected operands of inline assembly that fit a register, got 'vector<8xf32>'}}
    %1 = llvm.inline_asm "mov $0;", "=r" : () -> vector<8xf32>
    llvm.return
  }
}
