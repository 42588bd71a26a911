// Barriers.cpp - barriers, collective instructions, and deadlocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Block.h"

#include <algorithm>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// Barriers of the block
//===----------------------------------------------------------------------===//

/// Records that the thread arrives at a barrier, whether it waits there or not.
Barrier &Block::comeToBarrier(Thread &thread, uint32_t site, uint32_t id,
                              uint32_t count) {
  this->count(site);
  if (id >= kNumBarriers)
    fail(FindingKind::Unsupported, thread, site,
         "expected a barrier from 0 to 15, got " + std::to_string(id));
  if (count % kWarpLanes)
    fail(FindingKind::Unsupported, thread, site,
         "expected a number of threads that is a multiple of 32, got " +
             std::to_string(count));
  Barrier &barrier = barriers[id];
  uint32_t expected = count ? count : numThreads;
  if (!barrier.arrived) {
    barrier.expected = expected;
    barrier.sites.fill(kNoSite);
  }
  if (barrier.expected != expected)
    fail(FindingKind::DivergentBarrier, thread, site,
         "expected " + std::to_string(barrier.expected) +
             " threads at barrier " + std::to_string(id) +
             ", as another thread there, got " + std::to_string(expected));
  // The instruction is `.aligned`: all lanes of a warp must execute the same
  // one.
  uint32_t &ofWarp = barrier.sites[thread.warp->index];
  if (ofWarp != kNoSite && ofWarp != site) {
    Finding finding;
    finding.kind = FindingKind::DivergentBarrier;
    finding.party = makeParty(thread, site);
    for (const Thread *waiting : barrier.waiting) {
      if (waiting->warp != thread.warp)
        continue;
      finding.other = makeParty(*waiting, waiting->site);
      finding.hasOther = true;
    }
    finding.message =
        "expected all lanes of a warp at the same barrier instruction";
    findings.add(linearIndex, std::move(finding));
  }
  counters[site].warps += ofWarp != site;
  ofWarp = site;
  ++barrier.arrived;
  return barrier;
}

/// Releases the threads that wait at a barrier if all expected threads have
/// arrived. Returns whether all had arrived.
bool Block::completeBarrier(Barrier &barrier) {
  if (barrier.arrived < barrier.expected)
    return false;
  std::vector<Clock *> clocks;
  for (Thread *thread : barrier.waiting)
    clocks.push_back(&thread->clock);
  Clock::meet(clocks, barrier.passed);
  for (Thread *thread : barrier.waiting) {
    thread->state = ThreadState::Ready;
    makeReady(*thread->warp, 1u << thread->lane);
  }
  barrier.arrived = barrier.expected = 0;
  barrier.waiting.clear();
  barrier.passed = nullptr;
  ++completedBarriers;
  progress();
  if (grid.options.profile)
    for (Warp &warp : warps)
      warp.requests.flush(counters);
  return true;
}

void Block::waitAtBarrier(Thread &thread, uint32_t site, uint32_t id,
                          uint32_t count) {
  Barrier &barrier = comeToBarrier(thread, site, id, count);
  barrier.waiting.push_back(&thread);
  thread.barrier = id;
  block(thread, ThreadState::AtBarrier, site);
  completeBarrier(barrier);
  suspend(thread);
}

void Block::arriveAtBarrier(Thread &thread, uint32_t site, uint32_t id,
                            uint32_t count) {
  Barrier &barrier = comeToBarrier(thread, site, id, count);
  barrier.passed = join(barrier.passed, thread.clock.release());
  completeBarrier(barrier);
}

//===----------------------------------------------------------------------===//
// Lanes of a warp
//===----------------------------------------------------------------------===//

static Meeting &findMeeting(Warp &warp, uint32_t site, uint32_t mask) {
  for (Meeting &meeting : warp.meetings)
    if (meeting.site == site && meeting.mask == mask)
      return meeting;
  warp.meetings.push_back({site, mask, 0});
  return warp.meetings.back();
}

/// Records that a lane arrives at a meeting. The call of the last lane returns
/// true at once. The calls of the other lanes return false after the last lane
/// has called endMeeting.
bool Block::joinMeeting(Thread &thread, uint32_t site, uint32_t mask,
                        void *operands) {
  Warp &warp = *thread.warp;
  uint32_t self = 1u << thread.lane;
  if (!(mask & self))
    fail(FindingKind::LyingMask, thread, site,
         "expected a mask that names the lane itself");
  warp.operands[thread.lane] = operands;
  Meeting &meeting = findMeeting(warp, site, mask);
  meeting.arrived |= self;
  if (meeting.arrived == mask) {
    std::swap(meeting, warp.meetings.back());
    warp.meetings.pop_back();
    return true;
  }
  block(thread, ThreadState::InMeeting, site);
  suspend(thread);
  return false;
}

void Block::endMeeting(Thread &thread, uint32_t mask) {
  Warp &warp = *thread.warp;
  uint32_t others = mask & ~(1u << thread.lane);
  Thread *lanes = &threads[warp.index * kWarpLanes];
  for (uint32_t left = others; left; left &= left - 1)
    lanes[__builtin_ctz(left)].state = ThreadState::Ready;
  if (others)
    makeReady(warp, others);
  progress();
  if (grid.options.profile && mask == warp.lanes)
    warp.requests.flush(counters);
}

void Block::syncWarp(Thread &thread, uint32_t site, uint32_t mask) {
  meet(thread, site, mask, nullptr, [&](Warp &warp) {
    std::vector<Clock *> clocks;
    for (uint32_t left = mask; left; left &= left - 1)
      clocks.push_back(
          &threads[warp.index * kWarpLanes + uint32_t(__builtin_ctz(left))]
               .clock);
    Clock::meet(clocks, nullptr);
  });
}

//===----------------------------------------------------------------------===//
// Threads that wait for ever
//===----------------------------------------------------------------------===//

/// Reports why threads cannot go on: missing lanes, or barriers at which
/// threads are missing.
void Block::reportStuck() {
  bool isTold = reportMissingLanes();
  isTold |= reportBarriers();
  if (isTold)
    return;
  Finding finding;
  finding.kind = FindingKind::Deadlock;
  finding.party = makeParty(*running, running->site);
  finding.message = "expected a thread that can go on, got none";
  findings.add(linearIndex, std::move(finding));
}

static std::string describeState(const Thread &thread) {
  switch (thread.state) {
  case ThreadState::Returned:
    return "has returned";
  case ThreadState::AtBarrier:
    return "waits at barrier " + std::to_string(thread.barrier);
  case ThreadState::InMeeting:
    return "waits for lanes of its warp elsewhere";
  case ThreadState::Ready:
    break;
  }
  return "goes on";
}

bool Block::reportMissingLanes() {
  bool isTold = false;
  for (const Warp &warp : warps) {
    if (warp.meetings.empty())
      continue;
    const Meeting &meeting = warp.meetings.front();
    const Thread *lanes = &threads[warp.index * kWarpLanes];
    uint32_t lane = uint32_t(__builtin_ctz(meeting.arrived));
    uint32_t absent = uint32_t(__builtin_ctz(meeting.mask & ~meeting.arrived));
    Finding finding;
    finding.kind = FindingKind::LyingMask;
    finding.party = makeParty(lanes[lane], meeting.site);
    finding.message = "expected lane " + std::to_string(absent);
    if (warp.lanes >> absent & 1) {
      finding.hasOther = true;
      finding.other = makeParty(lanes[absent], lanes[absent].site);
      finding.message += ", which " + describeState(lanes[absent]);
    } else {
      finding.message += ", which the block does not have";
    }
    findings.add(linearIndex, std::move(finding));
    isTold = true;
  }
  return isTold;
}

/// Returns a thread that is not at the barrier: a thread that has returned or,
/// if there is none, a thread that waits at another barrier. Null if there is
/// neither.
const Thread *Block::findMissing(uint32_t barrier) const {
  const Thread *missing = nullptr;
  for (const Thread &thread : threads) {
    if (thread.state == ThreadState::Returned)
      return &thread;
    if (thread.state == ThreadState::AtBarrier && thread.barrier != barrier &&
        !missing)
      missing = &thread;
  }
  return missing;
}

bool Block::reportBarriers() {
  bool isTold = false;
  for (uint32_t id = 0; id < kNumBarriers; ++id) {
    const Barrier &barrier = barriers[id];
    if (barrier.waiting.empty())
      continue;
    const Thread *missing = findMissing(id);
    bool isOfBlock = barrier.expected == numThreads;
    if (isOfBlock && !missing)
      continue; // the missing lanes wait elsewhere
    Finding finding;
    finding.kind =
        isOfBlock ? FindingKind::DivergentBarrier : FindingKind::Deadlock;
    const Thread &first = *barrier.waiting.front();
    finding.party = makeParty(first, first.site);
    finding.message = "expected " + std::to_string(barrier.expected) +
                      " threads at barrier " + std::to_string(id) + ", got " +
                      std::to_string(barrier.arrived);
    if (missing) {
      finding.hasOther = true;
      finding.other = makeParty(*missing, missing->site);
      finding.message += "; one that is missing " + describeState(*missing);
    }
    findings.add(linearIndex, std::move(finding));
    isTold = true;
  }
  return isTold;
}
