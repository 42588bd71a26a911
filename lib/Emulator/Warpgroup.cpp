// Warpgroup.cpp - wgmma: MMAs by warpgroups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp w of a group computes the 16 rows of the accumulator from row 16 (w mod
// 4) on. In each part of eight columns, a lane holds the same elements as in
// mma.m16n8 (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16"). A
// warp's part is therefore computed by MMAs of this shape, whose fragments are
// loaded by the descriptors or are in the lanes' registers.
//
// Operands are read when the MMA is started. The reads belong to the agent of
// the warp's MMAs, and their time is the index of the MMA's group. Like the
// reads of cp.async, they come before all actions of threads that know that the
// group is done (PTX ISA, "Asynchronous warpgroup level matrix instructions").
// They are made by the asynchronous proxy, and lane 0 of each warp counts as
// the reader.

#include "Block.h"
#include "Mma.h"

#include <algorithm>
#include <cstring>

using namespace tile::emulator;

constexpr uint32_t kGroupWarps = 4;
constexpr uint32_t kSwizzledRows = 8;
/// Bytes along K of every MMA.
constexpr uint32_t kStepBytes = 32;

namespace {

/// An operand in shared memory that a descriptor describes (PTX ISA, "Matrix
/// Descriptor Format", "Strides"), as a matrix with rows along K. It is stored
/// in swizzled panels with rows of 32, 64 or 128 bytes. If it is transposed, a
/// row of a panel holds elements of different matrix rows at one k, each of 16
/// bits.
class DescribedMatrix {
public:
  DescribedMatrix(uint64_t descriptor, bool isTransposed, uint64_t sharedBase)
      : start(findStart((descriptor & 0x3fff) << 4, sharedBase)),
        panelStride((descriptor >> 16 & 0x3fff) << 4),
        groupStride((descriptor >> 32 & 0x3fff) << 4),
        offset(uint32_t(descriptor >> 49 & 7)),
        mode(uint32_t(descriptor >> 62)), isTransposed(isTransposed) {}

  /// Whether rows are swizzled and the matrix starts at the start of a swizzle
  /// pattern.
  bool isSupported() const { return mode != 0 && offset == 0; }

  /// Returns four bytes of the matrix row `row`, from byte `byte` on.
  uint32_t getWord(uint32_t row, uint32_t byte) const {
    if (!isTransposed)
      return read<uint32_t>(getAddress(row, byte));
    uint32_t k = byte / 2;
    return read<uint16_t>(getAddress(k, 2 * row)) |
           uint32_t(read<uint16_t>(getAddress(k + 1, 2 * row))) << 16;
  }

  /// Calls `function(address)` for each unit of 16 bytes of `rows` matrix rows
  /// in one step along K.
  template <typename Function>
  void forEachUnit(uint32_t rows, Function function) const {
    uint32_t lines = isTransposed ? kStepBytes / 2 : rows;
    uint32_t bytes = isTransposed ? 2 * rows : kStepBytes;
    for (uint32_t line = 0; line < lines; ++line)
      for (uint32_t byte = 0; byte < bytes; byte += kGranuleBytes)
        function(getAddress(line, byte));
  }

private:
  /// Returns the address of byte `byte` of row `line` of the panels. A row
  /// continues in the next panel.
  uint64_t getAddress(uint32_t line, uint32_t byte) const {
    uint64_t rowBytes = 256u >> mode;
    uint64_t address = start + byte / rowBytes * panelStride +
                       line / kSwizzledRows * groupStride +
                       line % kSwizzledRows * rowBytes + byte % rowBytes;
    uint64_t units = rowBytes / 16 - 1;
    return address ^ (address >> 7 & units) << 4;
  }

  template <typename Value>
  static Value read(uint64_t address) {
    Value value;
    std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof value);
    return value;
  }

  /// Returns the start address, of which the descriptor contains only the low
  /// 18 bits.
  static uint64_t findStart(uint64_t low, uint64_t sharedBase) {
    constexpr uint64_t kSpan = uint64_t(1) << 18;
    uint64_t address = (sharedBase & ~(kSpan - 1)) | low;
    return address < sharedBase ? address + kSpan : address;
  }

  uint64_t start, panelStride, groupStride;
  uint32_t offset, mode;
  bool isTransposed;
};

/// The fragments of a and b that a lane holds for eight columns.
struct LaneFragments {
  uint32_t a[4], b[2];
};

} // namespace

/// Computes d += a b for the 16 rows of the warp.
static void multiplyRows(const MmaFacts &mma, uint32_t firstRow,
                         const DescribedMatrix &a, const DescribedMatrix &b,
                         const Warp &warp) {
  std::array<LaneFragments, kWarpLanes> fragments;
  std::array<MmaOperands, kWarpLanes> lanes;
  for (uint32_t column = 0; column < uint32_t(mma.n); column += kWarpColumns) {
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      LaneFragments &own = fragments[lane];
      uint32_t g = lane / 4, byte = 4 * (lane % 4);
      auto &operands = *static_cast<GroupOperands *>(warp.operands[lane]);
      for (uint32_t r = 0; r < 4; ++r)
        own.a[r] = operands.registers ? operands.registers[r]
                                      : a.getWord(firstRow + g + 8 * (r % 2),
                                                  byte + 16 * (r / 2));
      for (uint32_t r = 0; r < 2; ++r)
        own.b[r] = b.getWord(column + g, byte + 16 * r);
      float *d = operands.d + column / 2;
      lanes[lane] = {d, own.a, own.b, d};
    }
    multiply(getWarpPart(mma), lanes);
  }
}

/// Checks the reads of an MMA's operands in shared memory.
void Block::touchMma(const Thread &thread, const PendingMma &pendingMma) {
  const MmaFacts &mma = getSite(pendingMma.site).mma;
  Access access = makeAccess(thread, pendingMma.site);
  access.record.tick = pendingMma.group;
  access.record.agent = uint16_t(thread.clock.getMmaAgent());
  access.record.isAsyncProxy = 1;
  auto touch = [&](uint64_t descriptor, bool isTransposed, uint32_t rows) {
    DescribedMatrix(descriptor, isTransposed, shared.getBase())
        .forEachUnit(rows, [&](uint64_t address) {
          touchShared(access, address, kGranuleBytes);
        });
  };
  if (!pendingMma.hasRegisters)
    touch(pendingMma.a, mma.isTransposedA, kGroupRows);
  touch(pendingMma.b, mma.isTransposedB, uint32_t(mma.n));
}

void Block::multiplyWarpgroup(Thread &thread, uint32_t site,
                              GroupOperands operands) {
  if (numThreads % (kGroupWarps * kWarpLanes))
    fail(FindingKind::Unsupported, thread, site,
         "expected a block of whole groups of 128 threads, got " +
             std::to_string(numThreads));
  const MmaFacts &mma = getSite(site).mma;
  DescribedMatrix lhs(operands.a, mma.isTransposedA, shared.getBase()),
      rhs(operands.b, mma.isTransposedB, shared.getBase());
  bool hasRegisters = operands.registers != nullptr;
  if ((!hasRegisters && !lhs.isSupported()) || !rhs.isSupported())
    fail(FindingKind::Unsupported, thread, site,
         "expected descriptors of swizzled rows of 32, 64 or 128 bytes with no "
         "base offset");
  if (!thread.isMmaFenced)
    fail(FindingKind::UnorderedMma, thread, site,
         "expected wgmma.fence before the first product and after each wait");
  PendingMma pendingMma = {site,       thread.committedMmas + 1, operands.a,
                           operands.b, thread.warp->index,       hasRegisters};
  if (thread.lane == 0) {
    joinWarpgroup(thread, pendingMma);
    touchMma(thread, pendingMma);
  }
  thread.pendingMmas.push_back(pendingMma);
  meet(thread, site, ~0u, &operands, [&](Warp &warp) {
    for (void *other : warp.operands)
      if (auto *lane = static_cast<GroupOperands *>(other);
          lane->a != operands.a || lane->b != operands.b)
        fail(FindingKind::Unsupported, thread, site,
             "expected the same descriptors in all lanes of the warp");
    multiplyRows(mma, kWarpRows * (warp.index % kGroupWarps), lhs, rhs, warp);
  });
}

/// Records that a warp starts an MMA of its warpgroup. All warps of a group
/// must start the same MMAs in the same order (PTX ISA, "wgmma.mma_async":
/// descriptors are the same in all warps of the group).
void Block::joinWarpgroup(Thread &thread, const PendingMma &pendingMma) {
  Warpgroup &group = warpgroups[pendingMma.warp / kGroupWarps];
  uint64_t position = group.begun[pendingMma.warp % kGroupWarps]++ - group.done;
  if (position == group.pendingMmas.size())
    group.pendingMmas.push_back(pendingMma);
  const PendingMma &first = group.pendingMmas[position];
  bool isSame = first.site == pendingMma.site && first.a == pendingMma.a &&
                first.b == pendingMma.b;
  if (!isSame &&
      !findings.countKnown(FindingKind::DivergentMma, pendingMma.site,
                           first.site, linearIndex)) {
    Finding finding;
    finding.kind = FindingKind::DivergentMma;
    finding.party = makeParty(thread, pendingMma.site);
    finding.hasOther = true;
    finding.other = makeParty(threads[first.warp * kWarpLanes], first.site);
    finding.message = "expected the same product with the same descriptors in "
                      "all warps of the warpgroup";
    findings.add(linearIndex, std::move(finding));
  }
  uint64_t done = *std::min_element(group.begun.begin(), group.begun.end());
  group.pendingMmas.erase(group.pendingMmas.begin(),
                          group.pendingMmas.begin() +
                              ptrdiff_t(done - group.done));
  group.done = done;
}

/// Reports, at the end of the block, MMAs that only some warps of a warpgroup
/// have started.
void Block::reportMissingWarps() {
  for (const Warpgroup &group : warpgroups) {
    if (group.pendingMmas.empty())
      continue;
    const PendingMma &pendingMma = group.pendingMmas.front();
    Finding finding;
    finding.kind = FindingKind::DivergentMma;
    finding.party =
        makeParty(threads[pendingMma.warp * kWarpLanes], pendingMma.site);
    finding.message = "expected all four warps of the warpgroup at the product";
    findings.add(linearIndex, std::move(finding));
  }
}

void Block::readAccumulators(Thread &thread, uint32_t site, uint32_t mmaSite) {
  count(site);
  bool isInFlight = std::any_of(
      thread.pendingMmas.begin(), thread.pendingMmas.end(),
      [&](const PendingMma &begun) { return begun.site == mmaSite; });
  if (!isInFlight || !grid.options.checkRaces ||
      findings.countKnown(FindingKind::UnorderedMma, site, kNoSite,
                          linearIndex))
    return;
  Finding finding;
  finding.kind = FindingKind::UnorderedMma;
  finding.party = makeParty(thread, site);
  finding.message = "expected wgmma.wait_group between the product and what "
                    "reads its accumulators";
  findings.add(linearIndex, std::move(finding));
}

void Block::fenceProxy(Thread &thread, uint32_t site) {
  countAlone(thread, site);
  thread.clock.fenceProxy();
}

void Block::fenceMmas(Thread &thread, uint32_t site) {
  countAlone(thread, site);
  thread.isMmaFenced = true;
}

void Block::commitMmas(Thread &thread, uint32_t site) {
  countAlone(thread, site);
  ++thread.committedMmas;
}

void Block::waitForMmas(Thread &thread, uint32_t site, uint32_t pending) {
  countAlone(thread, site);
  thread.isMmaFenced = false;
  if (pending >= thread.committedMmas)
    return;
  Tick done = thread.committedMmas - pending;
  thread.clock.waitForMmas(done);
  size_t kept = 0;
  for (const PendingMma &pendingMma : thread.pendingMmas)
    if (pendingMma.group > done)
      thread.pendingMmas[kept++] = pendingMma;
  thread.pendingMmas.resize(kept);
}

void Block::reportMmasInFlight(const Thread &thread) {
  if (thread.lane != 0 || thread.pendingMmas.empty() ||
      findings.countKnown(FindingKind::UnorderedMma,
                          thread.pendingMmas.front().site, kNoSite,
                          linearIndex))
    return;
  Finding finding;
  finding.kind = FindingKind::UnorderedMma;
  finding.party = makeParty(thread, thread.pendingMmas.front().site);
  finding.message = "expected the warpgroup to wait for its product before it "
                    "returns (wgmma.wait_group)";
  findings.add(linearIndex, std::move(finding));
}
