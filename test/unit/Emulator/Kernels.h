// Kernels.h - hand-written kernels in the form that the compiler generates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_UNIT_EMULATOR_KERNELS_H
#define TILE_TEST_UNIT_EMULATOR_KERNELS_H

#include "tile/Emulator/Machine.h"

#include <cstring>
#include <gtest/gtest.h>

namespace tile::emulator {

using Thread = tile_emulator_thread;

/// The instructions of the tests' kernels; each kernel has a site for each of
/// them. A second instruction of a kind is called k...2; for release and
/// acquire, it has block scope.
enum TestSite : uint32_t {
  kLoad,
  kLoad2,
  kStore,
  kStore2,
  kWideLoad,
  kWideStore,
  kByteStore,
  kGlobalLoad,
  kGlobalStore,
  kAtomicAdd,
  kReleaseStore,
  kAcquireLoad,
  kRelaxedStore,
  kRelaxedLoad,
  kBlockFence,
  kDeviceFence,
  kBarrier,
  kBarrier2,
  kArrive,
  kWarpSync,
  kShuffle,
  kVote,
  kCopy,
  kCopy2,
  kCommit,
  kWait,
  kLoadMatrix,
  kStoreMatrix,
  kMma,
  kAssert,
  kPrint,
  kRelease2,
  kAcquire2,
  kExchange,
  kNumSites
};

/// Returns a kernel with these sites. Site i is at "kernel.mlir:<i + 1>:1".
inline Kernel makeKernel(KernelEntry entry, uint32_t threads,
                         uint32_t sharedBytes) {
  Kernel kernel;
  kernel.name = "kernel";
  kernel.entry = entry;
  kernel.block = {threads, 1, 1};
  kernel.sharedBytes = sharedBytes;
  kernel.sites.resize(kNumSites);
  auto set = [&](TestSite site, SiteKind kind, const char *instruction) {
    kernel.sites[site].kind = kind;
    kernel.sites[site].instruction = instruction;
  };
  auto setAccess = [&](TestSite site, const char *instruction,
                       AddressSpace space, AccessMode mode, uint32_t bytes,
                       MemoryOrder order = MemoryOrder::Plain) {
    set(site, SiteKind::Access, instruction);
    MemoryFacts &memory = kernel.sites[site].memory;
    memory.space = space;
    memory.mode = mode;
    memory.bytes = memory.alignment = bytes;
    memory.order = order;
  };
  for (uint32_t i = 0; i < kNumSites; ++i) {
    kernel.sites[i].operation = "tile.test";
    kernel.sites[i].location = "kernel.mlir:" + std::to_string(i + 1) + ":1";
  }
  using S = AddressSpace;
  using M = AccessMode;
  setAccess(kLoad, "ld.shared.b32", S::Shared, M::Read, 4);
  setAccess(kLoad2, "ld.shared.b32", S::Shared, M::Read, 4);
  setAccess(kStore, "st.shared.b32", S::Shared, M::Write, 4);
  setAccess(kStore2, "st.shared.b32", S::Shared, M::Write, 4);
  setAccess(kWideLoad, "ld.shared.v4.b32", S::Shared, M::Read, 16);
  setAccess(kWideStore, "st.shared.v4.b32", S::Shared, M::Write, 16);
  setAccess(kByteStore, "st.shared.b8", S::Shared, M::Write, 1);
  setAccess(kGlobalLoad, "ld.global.b32", S::Global, M::Read, 4);
  setAccess(kGlobalStore, "st.global.b32", S::Global, M::Write, 4);
  setAccess(kAtomicAdd, "atom.add", S::Global, M::ReadWrite, 4,
            MemoryOrder::Relaxed);
  setAccess(kReleaseStore, "st.release", S::Generic, M::Write, 4,
            MemoryOrder::Release);
  setAccess(kRelease2, "st.release", S::Generic, M::Write, 4,
            MemoryOrder::Release);
  kernel.sites[kRelease2].memory.scope = MemoryScope::Block;
  setAccess(kAcquire2, "ld.acquire", S::Generic, M::Read, 4,
            MemoryOrder::Acquire);
  kernel.sites[kAcquire2].memory.scope = MemoryScope::Block;
  setAccess(kExchange, "atom.exch", S::Generic, M::ReadWrite, 4,
            MemoryOrder::Relaxed);
  setAccess(kAcquireLoad, "ld.acquire", S::Generic, M::Read, 4,
            MemoryOrder::Acquire);
  setAccess(kRelaxedStore, "st.relaxed", S::Generic, M::Write, 4,
            MemoryOrder::Relaxed);
  setAccess(kRelaxedLoad, "ld.relaxed", S::Generic, M::Read, 4,
            MemoryOrder::Relaxed);
  set(kBlockFence, SiteKind::Fence, "fence.acq_rel.cta");
  kernel.sites[kBlockFence].memory.scope = MemoryScope::Block;
  set(kDeviceFence, SiteKind::Fence, "fence.acq_rel.gpu");
  set(kBarrier, SiteKind::Barrier, "barrier.sync");
  set(kBarrier2, SiteKind::Barrier, "barrier.sync");
  set(kArrive, SiteKind::Barrier, "barrier.arrive");
  set(kWarpSync, SiteKind::WarpSync, "bar.warp.sync");
  set(kShuffle, SiteKind::Shuffle, "shfl.sync");
  kernel.sites[kShuffle].shuffle = ShuffleMode::Butterfly;
  set(kVote, SiteKind::Vote, "vote.sync.ballot");
  set(kCopy, SiteKind::CopyAsync, "cp.async");
  set(kCopy2, SiteKind::CopyAsync, "cp.async");
  set(kCommit, SiteKind::CopyCommit, "cp.async.commit_group");
  set(kWait, SiteKind::CopyWait, "cp.async.wait_group");
  setAccess(kLoadMatrix, "ldmatrix", S::Shared, M::Read, 16);
  kernel.sites[kLoadMatrix].kind = SiteKind::LoadMatrix;
  setAccess(kStoreMatrix, "stmatrix", S::Shared, M::Write, 16);
  kernel.sites[kStoreMatrix].kind = SiteKind::StoreMatrix;
  set(kMma, SiteKind::Mma, "mma.sync");
  kernel.sites[kMma].mma = {16, 8, 16};
  set(kAssert, SiteKind::Assert, "__assertfail");
  set(kPrint, SiteKind::Print, "vprintf");
  return kernel;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

inline uint32_t getThread(Thread *t) {
  return tile_emulator_thread_index(t, 0);
}
inline uint32_t getBlock(Thread *t) { return tile_emulator_block_index(t, 0); }

/// Returns the address of a byte of shared memory.
inline char *getShared(Thread *t, uint32_t offset) {
  return reinterpret_cast<char *>(uintptr_t(tile_emulator_shared_base(t))) +
         offset;
}

inline uint32_t load(Thread *t, uint32_t site, const void *address) {
  tile_emulator_access(t, site, address);
  uint32_t value;
  std::memcpy(&value, address, sizeof value);
  return value;
}
inline void store(Thread *t, uint32_t site, void *address, uint32_t value) {
  tile_emulator_access(t, site, address);
  std::memcpy(address, &value, sizeof value);
}
inline uint32_t loadAtomic(Thread *t, uint32_t site, uint32_t *address) {
  tile_emulator_access(t, site, address);
  uint32_t value = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  tile_emulator_access_done(t, site, address);
  return value;
}
inline void storeAtomic(Thread *t, uint32_t site, uint32_t *address,
                        uint32_t value) {
  tile_emulator_access(t, site, address);
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
  tile_emulator_access_done(t, site, address);
}
inline uint32_t addAtomic(Thread *t, uint32_t site, uint32_t *address,
                          uint32_t value) {
  tile_emulator_access(t, site, address);
  uint32_t old = __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
  tile_emulator_access_done(t, site, address);
  return old;
}
inline void barrier(Thread *t, uint32_t site = kBarrier) {
  tile_emulator_barrier(t, site, 0, 0);
}
inline void copy16(Thread *t, uint32_t site, void *target, const void *source,
                   uint32_t sourceBytes = 16) {
  tile_emulator_copy_async(t, site, target, source, 16, sourceBytes);
}

/// Returns the array that parameter `i` points to.
template <typename Value = uint32_t>
Value *getParam(void **params, int i) {
  return *static_cast<Value **>(params[i]);
}

/// A launch of one-dimensional arrays; keeps the pointers that params point to.
struct TestLaunch : Launch {
  explicit TestLaunch(uint32_t blocks) { grid = {blocks, 1, 1}; }
  TestLaunch(const TestLaunch &) = delete;

  template <typename Values>
  void add(Values &values, bool isWritable) {
    using Value = typename Values::value_type;
    Array array;
    array.name = "argument " + std::to_string(arrays.size());
    array.base = values.data();
    array.bytes = values.size() * sizeof(Value);
    array.elementBytes = sizeof(Value);
    array.isWritable = isWritable;
    arrays.push_back(array);
    pointers.push_back(values.data());
    params.clear();
    for (void *&pointer : pointers)
      params.push_back(&pointer);
  }

private:
  std::vector<void *> pointers;
};

/// Number of schedules under which a test runs a kernel.
constexpr uint64_t kNumSeeds = 20;

/// Returns a text such as "race 3 4": the kind of a finding, the site of its
/// access, and, if there is another access, the site of that earlier access.
inline std::string summarize(const Finding &finding) {
  std::string text(getName(finding.kind));
  text += " " + std::to_string(finding.party.site);
  if (finding.hasOther)
    text += finding.other.site == kNoSite
                ? " returned"
                : " " + std::to_string(finding.other.site);
  return text;
}

inline std::string summarize(const Outcome &outcome) {
  std::string text = outcome.refusal;
  for (const Finding &finding : outcome.findings)
    text += (text.empty() ? "" : "; ") + summarize(finding);
  return text;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Runs `entry` with one block of `threads` threads and 1 KiB of shared memory.
inline Outcome runShared(KernelEntry entry, uint64_t seed = 0,
                         uint32_t threads = 64) {
  Options options;
  options.seed = seed;
  return run(makeKernel(entry, threads, 1024), Launch(), options);
}

/// Expects `findings` for one block of `entry` under every schedule.
inline void expectShared(KernelEntry entry, const char *findings) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runShared(entry, seed)), findings) << "seed " << seed;
}

/// Runs with two arrays, "argument 0" of 64 words to read and "argument 1" of
/// 64 words to write.
inline Outcome runGlobal(KernelEntry entry, uint32_t blocks = 1,
                         uint64_t seed = 0, uint32_t threads = 64) {
  std::vector<uint32_t> in(64, 7), out(64, 0);
  TestLaunch launch(blocks);
  launch.add(in, /*isWritable=*/false);
  launch.add(out, /*isWritable=*/true);
  Options options;
  options.seed = seed;
  return run(makeKernel(entry, threads, 1024), launch, options);
}

/// Expects the findings of one block under every schedule.
inline void expectGlobal(KernelEntry entry, const char *findings) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runGlobal(entry, 1, seed)), findings)
        << "seed " << seed;
}

} // namespace tile::emulator

#endif // TILE_TEST_UNIT_EMULATOR_KERNELS_H
