// Memory.cpp - checks of an access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Block.h"

using namespace tile::emulator;

static bool writes(AccessMode mode) { return mode != AccessMode::Read; }
static bool reads(AccessMode mode) { return mode != AccessMode::Write; }

static bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release ||
         order == MemoryOrder::AcquireRelease ||
         order == MemoryOrder::Sequential;
}
static bool acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire ||
         order == MemoryOrder::AcquireRelease ||
         order == MemoryOrder::Sequential;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

Block::Access Block::makeAccess(const Thread &thread, uint32_t site) const {
  const MemoryFacts &facts = getSite(site).memory;
  Record record = {};
  record.tick = thread.clock.getTime();
  record.block = uint32_t(linearIndex);
  record.agent = uint16_t(thread.index);
  record.site = site;
  record.isWrite = writes(facts.mode);
  record.isAtomic = facts.order != MemoryOrder::Plain;
  record.isBlockScope = facts.scope == MemoryScope::Block;
  if (facts.scatter)
    record.scatter = thread.getExecution(facts.scatter);
  return {thread, site, facts.mode, record, /*isDropped=*/false};
}

void Block::access(Thread &thread, uint32_t site, uint64_t address,
                   uint64_t bytes, bool isDropped) {
  const MemoryFacts &facts = getSite(site).memory;
  count(site);
  if (!bytes)
    return;
  bool isAtomic = facts.order != MemoryOrder::Plain;
  if (isAtomic)
    spin(thread, site, address);
  Access access = makeAccess(thread, site);
  access.isDropped = isDropped;
  checkAlignment(access, address, bytes, facts.alignment);
  bool isShared =
      facts.space == AddressSpace::Shared ||
      (facts.space == AddressSpace::Generic && shared.isNear(address));
  if (isShared)
    touchShared(access, address, bytes);
  else
    touchGlobal(access, address, bytes);
  countRequest(thread, site,
               !isShared            ? RequestKind::Global
               : writes(facts.mode) ? RequestKind::SharedWrite
                                    : RequestKind::SharedRead,
               {address, bytes});
  if (!isAtomic || !writes(facts.mode))
    return;
  // The knowledge is handed over before the value is written, so that every
  // thread that reads the value gets the knowledge.
  bool isBlock = facts.scope == MemoryScope::Block;
  SnapshotPtr snapshot = thread.releasedByFence;
  if (releases(facts.order))
    snapshot = thread.clock.release();
  else
    isBlock |= thread.isFenceOfBlock;
  getHandovers(address).give(address, uint32_t(linearIndex), isBlock, snapshot,
                             facts.mode == AccessMode::ReadWrite);
}

Handovers &Block::getHandovers(uint64_t address) {
  return shared.isNear(address) ? sharedHandovers : grid.handovers;
}

void Block::finishAccess(Thread &thread, uint32_t site, uint64_t address) {
  const MemoryFacts &facts = getSite(site).memory;
  if (facts.order == MemoryOrder::Plain || !reads(facts.mode))
    return;
  SnapshotPtr snapshot =
      getHandovers(address).take(address, uint32_t(linearIndex));
  if (acquires(facts.order))
    thread.clock.acquire(snapshot, facts.scope == MemoryScope::Block);
  else
    thread.readByAtomics = join(thread.readByAtomics, snapshot);
}

void Block::fence(Thread &thread, uint32_t site) {
  const MemoryFacts &facts = getSite(site).memory;
  countAlone(thread, site);
  bool isBlock = facts.scope == MemoryScope::Block;
  thread.clock.acquire(thread.readByAtomics, isBlock);
  thread.releasedByFence = thread.clock.release();
  thread.isFenceOfBlock = isBlock;
}

//===----------------------------------------------------------------------===//
// Bounds, alignment, races
//===----------------------------------------------------------------------===//

void Block::checkAlignment(const Access &access, uint64_t address,
                           uint64_t bytes, uint32_t alignment) {
  if (!grid.options.checkAlignment || address % alignment == 0)
    return;
  report(FindingKind::Misaligned, access, address, bytes,
         "expected an address that is a multiple of " +
             std::to_string(alignment) + ", got remainder " +
             std::to_string(address % alignment));
  stop();
}

/// Returns a mask of the bytes of the granule at `address` that an access of
/// `bytes` bytes from `address` on touches.
static uint16_t getBytesOfGranule(uint64_t address, uint64_t bytes) {
  uint64_t first = address % kGranuleBytes;
  uint64_t count = std::min(bytes, kGranuleBytes - first);
  return uint16_t(((1u << count) - 1) << first);
}

/// Calls `function(address, bits)` for each granule of a range. `address` is
/// the first byte of the granule in the range, and `bits` the mask of the
/// granule's bytes in the range.
template <typename Function>
static void forEachGranule(uint64_t address, uint64_t bytes,
                           Function function) {
  for (uint64_t end = address + bytes; address < end;
       address = (address / kGranuleBytes + 1) * kGranuleBytes)
    function(address, getBytesOfGranule(address, end - address));
}

void Block::touchShared(const Access &access, uint64_t address,
                        uint64_t bytes) {
  if (!shared.contains(address, bytes)) {
    report(FindingKind::OutOfBounds, access, address, bytes,
           "expected an address in the " + std::to_string(shared.getBytes()) +
               " bytes of shared memory");
    stop();
  }
  const Options &options = grid.options;
  if (access.isDropped || (!options.checkRaces && !options.checkUninitialized))
    return;
  forEachGranule(address, bytes, [&](uint64_t at, uint16_t bits) {
    touchGranule(access, shared.getGranule(at), at, bits,
                 options.checkUninitialized);
  });
}

void Block::touchGlobal(const Access &access, uint64_t address,
                        uint64_t bytes) {
  GlobalArray *array = grid.memory.find(address, bytes);
  if (!array) {
    report(FindingKind::OutOfBounds, access, address, bytes,
           "expected an address in an array");
    stop();
  }
  if (writes(access.mode) && !array->getArray().isWritable) {
    report(FindingKind::ReadOnly, access, address, bytes,
           "expected no write to " + array->getArray().name);
    stop();
  }
  const Options &options = grid.options;
  uint64_t watched = reinterpret_cast<uintptr_t>(options.watched);
  if (writes(access.mode) && watched >= address && watched - address < bytes)
    grid.lastWriter = access.site;
  bool mustBeWritten =
      options.checkUninitialized && !array->getArray().isInitialized;
  if (access.isDropped || !array->hasShadow() ||
      (!options.checkRaces && !mustBeWritten))
    return;
  forEachGranule(address, bytes, [&](uint64_t at, uint16_t bits) {
    Granule &granule = array->getGranule(at);
    std::lock_guard<Granule> guard(granule);
    touchGranule(access, granule, at, bits, mustBeWritten);
  });
}

void Block::touchGranule(const Access &access, Granule &granule,
                         uint64_t address, uint16_t bytes, bool mustBeWritten) {
  uint16_t unwritten = bytes & ~granule.getWritten();
  if (mustBeWritten && unwritten && reads(access.mode)) {
    uint64_t first = address / kGranuleBytes * kGranuleBytes +
                     uint64_t(__builtin_ctz(unwritten));
    report(FindingKind::Uninitialized, access, first,
           uint64_t(__builtin_popcount(unwritten)),
           "expected bytes that somebody wrote before");
  }
  Record record = access.record;
  record.bytes = bytes;
  checked = &access;
  checkedAddress = address / kGranuleBytes * kGranuleBytes;
  granule.touch(record, access.thread.clock, *this);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Party Block::makeParty(const Record &record) const {
  const Dimensions &size = grid.launch.grid;
  uint64_t block = record.block;
  uint32_t agent = record.agent;
  const Thread &like =
      threads[agent < 2 * numThreads ? agent % numThreads
                                     : (agent - 2 * numThreads) * kWarpLanes];
  Party party = makeParty(like, record.site);
  party.thread.block = getReported({uint32_t(block % size[0]),
                                    uint32_t(block / size[0] % size[1]),
                                    uint32_t(block / size[0] / size[1])});
  party.isAsync = agent >= numThreads;
  party.mode = record.isWrite ? AccessMode::Write : AccessMode::Read;
  if (record.isAtomic)
    party.mode = getSite(record.site).memory.mode;
  return party;
}

void Block::locate(Finding &finding, uint64_t address, uint64_t bytes) const {
  finding.address = address;
  finding.bytes = uint32_t(bytes);
  if (shared.isNear(address)) {
    finding.array = "shared memory";
    finding.offset = int64_t(address - shared.getBase());
  } else if (const GlobalArray *array = grid.memory.findNearest(address)) {
    finding.array = array->getArray().name;
    finding.offset = int64_t(address - array->getBegin());
  }
}

void Block::report(FindingKind kind, const Access &access, uint64_t address,
                   uint64_t bytes, std::string message) {
  if (findings.countKnown(kind, access.site, kNoSite, linearIndex))
    return;
  Finding finding;
  finding.kind = kind;
  finding.party = makeParty(access.thread, access.site);
  finding.party.mode = access.mode;
  finding.party.isAsync = access.record.agent >= numThreads;
  locate(finding, address, bytes);
  finding.message = std::move(message);
  findings.add(linearIndex, std::move(finding));
}

/// Describes which order between two accesses is missing. `isMma` specifies
/// that an MMA made the earlier access.
static std::string describeMissingOrder(const Party &now, const Party &before,
                                        bool isMma) {
  const ThreadId &a = now.thread, &b = before.thread;
  if (a.block != b.block)
    return "nothing orders two blocks but atomics and fences of gpu scope";
  if (isMma && a.warp == b.warp)
    return "the product is not waited for (wgmma.wait_group)";
  if (isMma)
    return "no wait for the product and barrier after it are between them";
  if (before.isAsync && a.thread == b.thread)
    return "the copy is not waited for (cp.async.wait_group)";
  if (before.isAsync)
    return "no wait for the copy and barrier after it are between them";
  if (a.warp == b.warp)
    return "no barrier is between them (nothing else orders the lanes of a "
           "warp)";
  return "no barrier is between them";
}

void Block::onRace(const Record &earlier, const Record &access) {
  reportPair(FindingKind::Race, earlier, access);
}

void Block::onUnfenced(const Record &earlier, const Record &access) {
  reportPair(FindingKind::UnfencedProxy, earlier, access);
}

void Block::reportPair(FindingKind kind, const Record &earlier,
                       const Record &access) {
  if (!grid.options.checkRaces ||
      findings.countKnown(kind, access.site, earlier.site, linearIndex))
    return;
  Finding finding;
  finding.kind = kind;
  finding.party = makeParty(access);
  finding.other = makeParty(earlier);
  finding.hasOther = true;
  uint32_t common = uint32_t(earlier.bytes & access.bytes);
  locate(finding, checkedAddress + uint64_t(__builtin_ctz(common)),
         uint64_t(__builtin_popcount(common)));
  finding.message =
      kind == FindingKind::UnfencedProxy
          ? "expected fence.proxy.async between the write and the product that "
            "reads it"
          : describeMissingOrder(finding.party, finding.other,
                                 earlier.agent >= 2 * numThreads);
  findings.add(linearIndex, std::move(finding));
}
