// Block.cpp - starts, schedules and ends the threads of a block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Block.h"

#include <thread>

using namespace tile::emulator;

static uint32_t countThreads(const Dimensions &block) {
  return block[0] * block[1] * block[2];
}

Block::Block(Grid &grid)
    : counters(grid.kernel.sites.size()), grid(grid),
      numThreads(countThreads(grid.kernel.block)),
      stacks(numThreads, grid.options.stackBytes),
      shared(grid.kernel.sharedBytes), threads(numThreads),
      warps((numThreads + kWarpLanes - 1) / kWarpLanes) {
  auto nothing = std::make_shared<Known>();
  nothing->ticks.resize(countAgents(numThreads));
  nothingKnown = std::move(nothing);
}

std::string Block::getRefusal() const {
  if (!stacks)
    return "expected memory for the stacks of " + std::to_string(numThreads) +
           " threads, got none";
  if (!shared)
    return "expected addresses below 4 GiB for shared memory, got none";
  return "";
}

//===----------------------------------------------------------------------===//
// Life of a block
//===----------------------------------------------------------------------===//

bool Block::execute(uint64_t blockIndex) {
  begin(blockIndex);
  if (Thread *first = pickNext())
    host.switchTo(first->fiber);
  while (isAsking) {
    isAsking = false;
    grid.control.ask();
    host.switchTo(running->fiber);
  }
  for (Warp &warp : warps)
    warp.requests.flush(counters);
  return !isStopped;
}

void Block::begin(uint64_t blockIndex) {
  const Dimensions &size = grid.launch.grid;
  linearIndex = blockIndex;
  index = {uint32_t(linearIndex % size[0]),
           uint32_t(linearIndex / size[0] % size[1]),
           uint32_t(linearIndex / size[0] / size[1])};
  bool isOrdered = grid.options.seed == 0;
  random = Random(grid.options.seed, linearIndex);
  stickiness = isOrdered ? 8 : random.below(9);
  clockCalls = spins = atomics = 0;
  isStopped = mustRotate = false;
  numReturned = 0;
  shared.clear();
  sharedHandovers.clear();
  for (Barrier &barrier : barriers)
    barrier = Barrier();

  warpgroups.assign(warps.size() / 4, Warpgroup());
  readyWarps = 0;
  for (Warp &warp : warps) {
    warp.index = uint32_t(&warp - warps.data());
    uint32_t lanes = std::min(kWarpLanes, numThreads - warp.index * kWarpLanes);
    warp.lanes = lanes == kWarpLanes ? ~0u : (1u << lanes) - 1;
    warp.ready = warp.returned = 0;
    warp.meetings.clear();
    makeReady(warp, warp.lanes);
  }
  for (Thread &thread : threads)
    beginThread(thread);
  current = &warps[isOrdered ? 0 : random.below(uint32_t(warps.size()))];
  laneOrder = isOrdered ? 0 : random.below(kWarpLanes);
  lanesSeen = 0;
}

void Block::beginThread(Thread &thread) {
  const Dimensions &size = grid.kernel.block;
  uint32_t i = uint32_t(&thread - threads.data());
  thread.block = this;
  thread.index = i;
  thread.lane = i % kWarpLanes;
  thread.warp = &warps[i / kWarpLanes];
  thread.position = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
  thread.state = ThreadState::Ready;
  thread.site = kNoSite;
  thread.clock.start(uint32_t(linearIndex), i, numThreads, nothingKnown);
  thread.lastAtomics = {};
  thread.releasedByFence = thread.readByAtomics = nullptr;
  thread.copies.clear();
  thread.committedGroups = 0;
  thread.scatterIterations.clear();
  thread.pendingMmas.clear();
  thread.committedMmas = 0;
  thread.isMmaFenced = false;
  thread.fiber.start(stacks.getBottom(i), stacks.getTop(i), runThread, &thread);
}

void Block::runThread(void *argument) {
  auto &thread = *static_cast<Thread *>(argument);
  const Grid &grid = thread.block->grid;
  grid.kernel.entry(&thread, const_cast<void **>(grid.launch.params.data()));
  thread.block->finishThread(thread);
}

void Block::finishThread(Thread &thread) {
  progress();
  reportCopiesInFlight(thread);
  reportMmasInFlight(thread);
  landUpTo(thread, ~Tick(0));
  thread.warp->returned |= 1u << thread.lane;
  block(thread, ThreadState::Returned, kNoSite);
  if (++numReturned == numThreads) {
    reportMissingWarps();
    thread.fiber.leaveFor(host);
  }
  thread.fiber.leaveFor(getNext(thread).fiber);
}

void Block::stop() {
  isStopped = true;
  running->fiber.leaveFor(host);
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

void Block::makeReady(Warp &warp, uint32_t lanes) {
  warp.ready |= lanes;
  readyWarps |= 1u << warp.index;
}

void Block::block(Thread &thread, ThreadState state, uint32_t site) {
  thread.state = state;
  thread.site = site;
  thread.warp->ready &= ~(1u << thread.lane);
  if (!thread.warp->ready)
    readyWarps &= ~(1u << thread.warp->index);
}

/// Returns the warp that runs next.
/// @pre readyWarps is not 0.
Warp &Block::pickWarp() {
  bool isOrdered = grid.options.seed == 0;
  bool canStay = (readyWarps >> current->index & 1) && !mustRotate;
  mustRotate = false;
  if (canStay && (isOrdered || random.below(8) < stickiness))
    return *current;
  uint32_t after = isOrdered ? current->index + 1 : random.below(kMaxWarps);
  uint32_t later = after < kMaxWarps ? readyWarps >> after << after : 0;
  return warps[uint32_t(__builtin_ctz(later ? later : readyWarps))];
}

/// Returns the thread that runs next; null if all threads wait or have
/// returned.
Thread *Block::pickNext() {
  while (true) {
    while (lanesSeen < kWarpLanes) {
      uint32_t lane = lanesSeen++ ^ laneOrder;
      if (current->ready >> lane & 1)
        return running = &threads[current->index * kWarpLanes + lane];
    }
    if (!readyWarps)
      return nullptr;
    current = &pickWarp();
    lanesSeen = 0;
    if (grid.options.seed)
      laneOrder = random.below(kWarpLanes);
  }
}

/// Returns the thread that runs after `thread`, which may be `thread` itself.
/// Ends the block if no thread can go on.
Thread &Block::getNext(Thread &thread) {
  if (Thread *next = pickNext())
    return *next;
  running = &thread;
  reportStuck();
  stop();
}

/// Lets other threads run until the scheduler selects `thread` again, which may
/// be at once.
void Block::suspend(Thread &thread) {
  Thread &next = getNext(thread);
  if (&next != &thread)
    thread.fiber.switchTo(next.fiber);
}

void Block::yield(Thread &thread) {
  mustRotate = true;
  suspend(thread);
}

/// Queries, in every 256th call, whether the run is to end. The query runs on
/// the stack of the host thread, since the stack of a GPU thread is small.
void Block::poll(Thread &thread, uint32_t site) {
  if (++polls % 256 != 0)
    return;
  if (grid.control.isToAsk()) {
    isAsking = true;
    thread.fiber.switchTo(host);
  }
  if (!grid.control.isStopped())
    return;
  if (!grid.control.claimReport())
    stop();
  fail(FindingKind::Stopped, thread, site,
       "the kernel was still running, in this loop, when it was to end");
}

/// Lets other threads run before an atomic, since it may wait for a value that
/// they write.
void Block::spin(Thread &thread, uint32_t site, uint64_t address) {
  if (address != thread.lastAtomics[0] && address != thread.lastAtomics[1]) {
    thread.lastAtomics = {address, thread.lastAtomics[0]};
    progress();
  }
  if (++spins > grid.options.spinLimit) {
    grid.isAborted = true;
    fail(FindingKind::Deadlock, thread, site,
         "expected another thread to go on, got " +
             std::to_string(grid.options.spinLimit) +
             " atomics of the same places in a row (a block that is not begun, "
             "or that another host thread runs, may be waited for)");
  }
  if (spins % 4096 == 0)
    std::this_thread::yield();
  ++atomics;
  bool isOrdered = grid.options.seed == 0;
  if (isOrdered ? atomics % 32 == 0 : random.below(4) == 0)
    yield(thread);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Dimensions Block::getReported(const Dimensions &block) const {
  Dimensions reported = block;
  if (grid.kernel.countsFromEnd)
    for (size_t axis = 0; axis < reported.size(); ++axis)
      reported[axis] = grid.launch.grid[axis] - 1 - block[axis];
  return reported;
}

Party Block::makeParty(const Thread &thread, uint32_t site) const {
  Party party;
  party.thread = {getReported(index), thread.position, thread.warp->index,
                  thread.lane};
  party.site = site;
  return party;
}

void Block::fail(FindingKind kind, const Thread &thread, uint32_t site,
                 std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.party = makeParty(thread, site);
  finding.message = std::move(message);
  findings.add(linearIndex, std::move(finding));
  stop();
}

void Block::useQuotient(Thread &thread, uint32_t site, uint32_t division) {
  bool counts =
      !getSite(site).division.isUniform || getSite(division).division.isUniform;
  if (!counts || findings.countKnown(FindingKind::ZeroDivisor, division, site,
                                     linearIndex))
    return;
  Finding finding;
  finding.kind = FindingKind::ZeroDivisor;
  finding.party = makeParty(thread, division);
  finding.other = makeParty(thread, site);
  finding.hasOther = true;
  finding.message = "the result, which is zero, is used";
  findings.add(linearIndex, std::move(finding));
}

void Block::print(std::string_view text) {
  std::lock_guard<std::mutex> guard(grid.printMutex);
  if (grid.options.print) {
    grid.options.print(text);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}
