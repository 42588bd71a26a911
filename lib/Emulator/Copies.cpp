// Copies.cpp - cp.async and its groups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is checked when it is issued. Its accesses belong to the agent of the
// thread's copies, and their time is the index of the copy's group. Everything
// that the thread knows at that moment comes before the copy, and the copy
// comes before all actions of threads that know that the group is done (PTX
// ISA, "cp.async": it is weak, and performed as if by another thread).

#include "Block.h"

#include <cstring>

using namespace tile::emulator;

Block::Access Block::makeCopy(const Thread &thread, uint32_t site,
                              AccessMode mode) const {
  Access access = makeAccess(thread, site);
  access.mode = mode;
  access.record.tick = thread.committedGroups + 1;
  access.record.agent = uint16_t(thread.clock.getCopyAgent());
  access.record.isWrite = mode == AccessMode::Write;
  access.record.isAtomic = 0;
  return access;
}

/// Performs a copy. The copied bytes before the array's row have no defined
/// value, and are poisoned like memory that was never written.
void Block::land(const PendingCopy &copy) {
  auto *target = static_cast<char *>(copy.target);
  std::memset(target, kPoison, copy.before);
  std::memcpy(target + copy.before,
              static_cast<const char *>(copy.source) + copy.before,
              copy.sourceBytes - copy.before);
  std::memset(target + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
}

/// Performs the thread's copies of the groups up to `group`, if this has not
/// happened yet, and removes them from the list.
void Block::landUpTo(Thread &thread, Tick group) {
  size_t kept = 0;
  for (size_t i = 0; i < thread.copies.size(); ++i) {
    if (thread.copies[i].group > group)
      thread.copies[kept++] = thread.copies[i];
    else if (!thread.copies[i].hasLanded)
      land(thread.copies[i]);
  }
  thread.copies.resize(kept);
}

void Block::copyAsync(Thread &thread, uint32_t site, const PendingCopy &given) {
  count(site);
  progress();
  PendingCopy copy = given;
  if ((copy.bytes != 4 && copy.bytes != 8 && copy.bytes != 16) ||
      copy.sourceBytes > copy.bytes)
    fail(FindingKind::Unsupported, thread, site,
         "expected a copy of 4, 8 or 16 bytes of which no more come from the "
         "source, got " +
             std::to_string(copy.bytes) + " and " +
             std::to_string(copy.sourceBytes));
  auto target = reinterpret_cast<uint64_t>(copy.target);
  auto source = reinterpret_cast<uint64_t>(copy.source);
  if (copy.sourceBytes) {
    Access read = makeCopy(thread, site, AccessMode::Read);
    checkAlignment(read, source, copy.sourceBytes, copy.bytes);
    if (copy.bytes == kGranuleBytes)
      copy.before = grid.memory.countBefore(source, copy.sourceBytes);
    touchGlobal(read, source + copy.before, copy.sourceBytes - copy.before);
  }
  Access write = makeCopy(thread, site, AccessMode::Write);
  checkAlignment(write, target, copy.bytes, copy.bytes);
  touchShared(write, target, copy.bytes);
  countRequest(thread, site, RequestKind::Copy,
               {target, copy.bytes, source, copy.sourceBytes});

  copy.site = site;
  copy.group = thread.committedGroups + 1;
  bool isLate = grid.options.seed == 0 || random.next() % 2;
  copy.hasLanded = !isLate;
  if (copy.hasLanded)
    land(copy);
  thread.copies.push_back(copy);
}

void Block::commitCopies(Thread &thread, uint32_t site) {
  countAlone(thread, site);
  ++thread.committedGroups;
}

void Block::waitForCopies(Thread &thread, uint32_t site, uint32_t pending) {
  countAlone(thread, site);
  if (pending >= thread.committedGroups)
    return;
  Tick done = thread.committedGroups - pending;
  landUpTo(thread, done);
  thread.clock.waitFor(done);
}

void Block::waitForAllCopies(Thread &thread, uint32_t site) {
  ++thread.committedGroups;
  waitForCopies(thread, site, 0);
}

/// Reports copies of a thread that are in flight when it ends. It is not
/// guaranteed that the end of a block waits for them, and another block may use
/// the shared memory then.
void Block::reportCopiesInFlight(const Thread &thread) {
  if (!grid.options.checkRaces)
    return;
  for (const PendingCopy &copy : thread.copies)
    report(FindingKind::CopyInFlight,
           makeCopy(thread, copy.site, AccessMode::Write),
           reinterpret_cast<uint64_t>(copy.target), copy.bytes,
           "expected the thread that issued the copy to wait for it before it "
           "returns (cp.async.wait_group)");
}
