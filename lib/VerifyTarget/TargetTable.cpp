// TargetTable.cpp - architecture and PTX version of instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values are those of the PTX ISA, "Target ISA Notes" and "PTX ISA Notes"
// of each instruction. The table also has instructions that every known
// architecture supports: their PTX version is needed, and instructions that are
// not in the table are refused.

#include "TargetTable.h"

#include <string>

using namespace tile;

// The first matching row is used, so exact names are before the patterns of
// their families.
static constexpr TargetRow kRows[] = {
    // mma.sync, by shape and multiplicand.
    {"mma.sync.m8n8k4.f16", 70, false, 64},
    {"mma.sync.m16n8k8.f16", 75, false, 65},
    {"mma.sync.m16n8k16.f16", 80, false, 70},
    {"mma.sync.m16n8k8.bf16", 80, false, 70},
    {"mma.sync.m16n8k16.bf16", 80, false, 70},
    {"mma.sync.m16n8k4.tf32", 80, false, 70},
    {"mma.sync.m16n8k8.tf32", 80, false, 70},
    {"mma.sync.m8n8k4.f64", 80, false, 70},
    {"mma.sync.m16n8k4.f64", 90, false, 78},
    {"mma.sync.m16n8k8.f64", 90, false, 78},
    {"mma.sync.m16n8k16.f64", 90, false, 78},
    {"mma.sync.m8n8k16.i8", 75, false, 65},
    {"mma.sync.m16n8k16.i8", 80, false, 70},
    {"mma.sync.m16n8k32.i8", 80, false, 70},
    {"mma.sync.m8n8k32.i4", 75, false, 65},
    {"mma.sync.m16n8k32.i4", 80, false, 70},
    {"mma.sync.m16n8k64.i4", 80, false, 70},
    {"mma.sync.m8n8k128.b1", 80, false, 71},
    {"mma.sync.m16n8k128.b1", 80, false, 71},
    {"mma.sync.m16n8k256.b1", 80, false, 71},
    {"mma.sync.m16n8k16.f8", 89, false, 87},
    {"mma.sync.m16n8k32.f8", 89, false, 84},
    {"wmma.*", 80, false, 70},
    {"wgmma.*", 90, true, 80},
    {"setmaxregister", 90, true, 80},
    // Fragments from and to shared memory.
    {"ldmatrix.m8n8.b16", 75, false, 65},
    {"ldmatrix.*", 100, true, 86},
    {"stmatrix.m8n8.b16", 90, false, 78},
    {"stmatrix.*", 100, true, 86},
    // Asynchronous copies.
    {"cp.async.bulk.*", 90, false, 80},
    {"cp.async.*", 80, false, 70},
    {"prefetch.tensormap", 90, false, 80},
    {"prefetch", 80, false, 74},
    // Barriers in shared memory.
    {"mbarrier.init", 80, false, 70},
    {"mbarrier.inval", 80, false, 70},
    {"mbarrier.test.wait", 80, false, 70},
    {"mbarrier.arrive", 80, false, 70},
    {"mbarrier.arrive_drop", 80, false, 70},
    {"mbarrier.arrive.nocomplete", 80, false, 70},
    {"mbarrier.arrive_drop.nocomplete", 80, false, 70},
    {"mbarrier.try_wait*", 90, false, 78},
    {"mbarrier.*", 90, false, 80},
    {"barrier*", 80, false, 60},
    {"bar.warp.sync", 70, false, 60},
    {"cluster.*", 90, false, 78},
    {"elect.sync", 90, false, 80},
    {"fence.proxy.alias", 70, false, 75},
    {"fence.proxy.TENSORMAP", 90, false, 83},
    {"fence.proxy.acquire", 90, false, 83},
    {"fence.proxy.release", 90, false, 83},
    {"fence.proxy.sync_restrict", 90, false, 86},
    {"fence.proxy.*", 90, false, 80},
    {"fence.mbarrier.init", 90, false, 80},
    {"fence.sc.cluster", 90, false, 78},
    {"fence.sync_restrict", 90, false, 86},
    {"memory.barrier.cluster", 90, false, 78},
    {"memory.barrier", 70, false, 60},
    {"mapa", 90, false, 78},
    {"griddepcontrol", 90, false, 78},
    // Warps.
    {"shfl.sync", 70, false, 60},
    {"vote.sync", 70, false, 60},
    {"match.sync", 70, false, 60},
    {"redux.sync.i32", 80, false, 70},
    {"redux.sync.f32", 100, true, 86},
    // Conversions.
    {"convert.float.to.tf32.rna", 80, false, 70},
    {"convert.float.to.tf32.*", 90, false, 78},
    {"convert.f32x2.to.f16x2.rs", 100, true, 87},
    {"convert.f32x2.to.bf16x2.rs", 100, true, 87},
    {"convert.f32x2.to.f16x2.*", 80, false, 70},
    {"convert.f32x2.to.bf16x2.*", 80, false, 70},
    {"convert.f32x2.to.f8x2.f8E4M3FN", 89, false, 81},
    {"convert.f32x2.to.f8x2.f8E5M2", 89, false, 81},
    {"convert.f16x2.to.f8x2.f8E4M3FN", 89, false, 81},
    {"convert.f16x2.to.f8x2.f8E5M2", 89, false, 81},
    {"convert.f8x2.to.f16x2", 89, false, 81},
    {"convert.*", 100, true, 86},
    // Other operations of the dialect that these architectures support.
    {"read.ptx.sreg.clusterid.*", 90, false, 78},
    {"read.ptx.sreg.nclusterid.*", 90, false, 78},
    {"read.ptx.sreg.cluster.*", 90, false, 78},
    {"read.ptx.sreg.aggr.smem.size", 90, false, 81},
    {"read.ptx.sreg.*", 80, false, 60},
    {"rcp.approx.ftz.f", 80, false, 60},
    {"dot.accumulate.*", 80, false, 60},
    {"prmt", 80, false, 60},
    {"nanosleep", 70, false, 63},
    {"pmevent", 80, false, 60},
    {"exit", 80, false, 60},
    {"breakpoint", 80, false, 60},
    // Inline PTX, which ptxas checks.
    {"inline_ptx", 80, false, 60},
    // Instructions of later architectures.
    {"st.bulk", 100, true, 86},
    {"tcgen05.*", 100, true, 86},
    {"clusterlaunchcontrol.*", 100, true, 86},
    // Intrinsics called by name, except for those of mma.sync, for which the
    // names above are used.
    {"llvm.nvvm.wgmma.*", 90, true, 80},
    {"llvm.nvvm.setmaxnreg.*", 90, true, 80},
    {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.*", 75, false, 65},
    {"llvm.nvvm.stmatrix.sync.aligned.m8n8.*", 90, false, 78},
    {"llvm.nvvm.cp.async.bulk.*bytemask*", 100, false, 86},
    {"llvm.nvvm.cp.async.bulk.*im2col.w*", 100, true, 86},
    {"llvm.nvvm.cp.async.bulk.*gather4*", 100, true, 86},
    {"llvm.nvvm.cp.async.bulk.*scatter4*", 100, true, 86},
    {"llvm.nvvm.cp.async.bulk.global.to.shared.cta*", 90, false, 86},
    {"llvm.nvvm.cp.async.bulk.tensor.g2s.cta.*", 90, false, 86},
    {"llvm.nvvm.cp.async.bulk.*", 90, false, 80},
    {"llvm.nvvm.cp.async.*", 80, false, 70},
    {"llvm.nvvm.mbarrier.try.wait.*", 90, false, 80},
    {"llvm.nvvm.mbarrier.expect.*", 90, false, 80},
    {"llvm.nvvm.mbarrier.complete.*", 90, false, 80},
    {"llvm.nvvm.mbarrier.*.scope.*", 90, false, 80},
    {"llvm.nvvm.mbarrier.*", 80, false, 70},
    {"llvm.nvvm.barrier.cluster.*", 90, false, 78},
    {"llvm.nvvm.barrier*", 80, false, 60},
    {"llvm.nvvm.bar.warp.sync", 70, false, 60},
    {"llvm.nvvm.elect.sync", 90, false, 80},
    {"llvm.nvvm.mapa*", 90, false, 78},
    {"llvm.nvvm.fence.proxy.alias", 70, false, 75},
    {"llvm.nvvm.fence.sc.cluster", 90, false, 78},
    {"llvm.nvvm.fence.*sync_restrict*", 90, false, 86},
    {"llvm.nvvm.fence.*", 90, false, 83},
    {"llvm.nvvm.membar.*", 70, false, 60},
    {"llvm.nvvm.griddepcontrol.*", 90, false, 78},
    {"llvm.nvvm.prefetch.tensormap*", 90, false, 80},
    {"llvm.nvvm.prefetch*", 80, false, 74},
    {"llvm.nvvm.redux.sync.f*", 100, true, 86},
    {"llvm.nvvm.redux.sync.*", 80, false, 70},
    {"llvm.nvvm.shfl.sync.*", 70, false, 60},
    {"llvm.nvvm.vote.*", 70, false, 60},
    {"llvm.nvvm.match.*", 70, false, 60},
    {"llvm.nvvm.activemask", 70, false, 62},
    {"llvm.nvvm.ff.to.e4m3x2.*", 89, false, 81},
    {"llvm.nvvm.ff.to.e5m2x2.*", 89, false, 81},
    {"llvm.nvvm.f16x2.to.e4m3x2.*", 89, false, 81},
    {"llvm.nvvm.f16x2.to.e5m2x2.*", 89, false, 81},
    {"llvm.nvvm.e4m3x2.to.f16x2.*", 89, false, 81},
    {"llvm.nvvm.e5m2x2.to.f16x2.*", 89, false, 81},
    {"llvm.nvvm.f2tf32.rna*", 80, false, 81},
    {"llvm.nvvm.f2tf32.*", 90, false, 78},
    {"llvm.nvvm.ff2f16x2.rs*", 100, true, 87},
    {"llvm.nvvm.ff2bf16x2.rs*", 100, true, 87},
    {"llvm.nvvm.ff2*", 80, false, 70},
    {"llvm.nvvm.f2*", 80, false, 70},
    {"llvm.nvvm.fma.*oob*", 90, false, 81},
    {"llvm.nvvm.fma.*", 80, false, 70},
    {"llvm.nvvm.add.*", 80, false, 60},
    {"llvm.nvvm.mul*", 80, false, 60},
    {"llvm.nvvm.div.*", 80, false, 60},
    {"llvm.nvvm.sqrt.*", 80, false, 60},
    {"llvm.nvvm.rsqrt.*", 80, false, 60},
    {"llvm.nvvm.rcp.*", 80, false, 60},
    {"llvm.nvvm.sin.*", 80, false, 60},
    {"llvm.nvvm.cos.*", 80, false, 60},
    {"llvm.nvvm.lg2.*", 80, false, 60},
    {"llvm.nvvm.ex2.*", 80, false, 70},
    {"llvm.nvvm.fmin.*xorsign*", 86, false, 72},
    {"llvm.nvvm.fmax.*xorsign*", 86, false, 72},
    {"llvm.nvvm.fmin.*", 80, false, 70},
    {"llvm.nvvm.fmax.*", 80, false, 70},
    {"llvm.nvvm.neg.bf16*", 80, false, 70},
    {"llvm.nvvm.fabs*", 80, false, 60},
    {"llvm.nvvm.ceil.*", 80, false, 60},
    {"llvm.nvvm.floor.*", 80, false, 60},
    {"llvm.nvvm.round.*", 80, false, 60},
    {"llvm.nvvm.trunc.*", 80, false, 60},
    {"llvm.nvvm.saturate.*", 80, false, 60},
    {"llvm.nvvm.d2*", 80, false, 60},
    {"llvm.nvvm.i2*", 80, false, 60},
    {"llvm.nvvm.ui2*", 80, false, 60},
    {"llvm.nvvm.ll2*", 80, false, 60},
    {"llvm.nvvm.ull2*", 80, false, 60},
    {"llvm.nvvm.lohi.*", 80, false, 60},
    {"llvm.nvvm.flo.*", 80, false, 60},
    {"llvm.nvvm.fns", 80, false, 60},
    {"llvm.nvvm.fsh*", 80, false, 60},
    {"llvm.nvvm.bmsk.*", 80, false, 76},
    {"llvm.nvvm.sext.*", 80, false, 76},
    {"llvm.nvvm.zext.*", 80, false, 76},
    {"llvm.nvvm.prmt*", 80, false, 60},
    {"llvm.nvvm.idp*", 80, false, 60},
    {"llvm.nvvm.sad.*", 80, false, 60},
    {"llvm.nvvm.isspacep.shared.cluster", 90, false, 78},
    {"llvm.nvvm.isspacep.*", 80, false, 60},
    {"llvm.nvvm.ldu.*", 80, false, 60},
    {"llvm.nvvm.nanosleep", 70, false, 63},
    {"llvm.nvvm.exit", 80, false, 60},
    {"llvm.nvvm.read.ptx.sreg.cluster*", 90, false, 78},
    {"llvm.nvvm.read.ptx.sreg.ncluster*", 90, false, 78},
    {"llvm.nvvm.read.ptx.sreg.*", 80, false, 60},
};

/// Whether a name matches the pattern, in which each '*' matches any text.
static bool matches(llvm::StringRef pattern, llvm::StringRef name) {
  auto [before, after] = pattern.split('*');
  if (!name.consume_front(before))
    return false;
  if (before.size() == pattern.size())
    return name.empty();
  if (after.empty())
    return true;
  for (; !name.empty(); name = name.drop_front())
    if (matches(after, name))
      return true;
  return false;
}

const TargetRow *tile::findTargetRow(llvm::StringRef name) {
  for (const TargetRow &row : kRows)
    if (matches(row.name, name))
      return &row;
  return nullptr;
}

std::string TargetRow::describeArchitecture() const {
  std::string name = "sm_" + std::to_string(architecture);
  return accelerated ? name + "a" : name + " or later";
}
