// Clock.cpp - vector clocks: the events that a thread knows to have happened
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clock.h"

#include <algorithm>

using namespace tile::emulator;

static void raise(Ticks &ticks, const Ticks &by) {
  for (size_t i = 0; i < ticks.size(); ++i)
    ticks[i] = std::max(ticks[i], by[i]);
}

SnapshotPtr tile::emulator::join(const SnapshotPtr &a, const SnapshotPtr &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto joined = std::make_shared<Snapshot>(*a);
  for (const auto &[block, ticks] : *b) {
    std::shared_ptr<const Ticks> &entry = (*joined)[block];
    if (!entry) {
      entry = ticks;
    } else if (entry != ticks) {
      auto both = std::make_shared<Ticks>(*entry);
      raise(*both, *ticks);
      entry = both;
    }
  }
  return joined;
}

void Clock::start(uint32_t ofBlock, uint32_t ofThread, uint32_t threads,
                  KnownPtr nothing) {
  block = ofBlock;
  thread = ofThread;
  numThreads = threads;
  time = 1;
  landed = multiplied = 0;
  known = std::move(nothing);
  fence.known = nullptr;
}

bool Clock::isFenced(uint32_t agent, Tick tick) const {
  if (known->fenced && tick <= (*known->fenced)[agent])
    return true;
  if (!fence.known)
    return false;
  Tick fenced = agent == thread           ? fence.time
                : agent == getCopyAgent() ? fence.landed
                                          : fence.known->ticks[agent];
  return tick <= fenced;
}

bool Clock::knowsOther(uint32_t other, uint32_t agent, Tick tick) const {
  if (!known->others)
    return false;
  auto entry = known->others->find(other);
  return entry != known->others->end() && tick <= (*entry->second)[agent];
}

Ticks Clock::getTicks() const {
  Ticks ticks = known->ticks;
  ticks[thread] = time;
  ticks[getCopyAgent()] = landed;
  ticks[getMmaAgent()] = std::max(ticks[getMmaAgent()], multiplied);
  return ticks;
}

SnapshotPtr Clock::release() {
  auto snapshot = known->others ? std::make_shared<Snapshot>(*known->others)
                                : std::make_shared<Snapshot>();
  (*snapshot)[block] = std::make_shared<const Ticks>(getTicks());
  ++time;
  return snapshot;
}

void Clock::acquire(const SnapshotPtr &snapshot, bool isBlockScope) {
  if (!snapshot)
    return;
  auto learned = std::make_shared<Known>(*known);
  auto own = snapshot->find(block);
  if (own != snapshot->end()) {
    raise(learned->ticks, *own->second);
    landed = std::max(landed, learned->ticks[getCopyAgent()]);
    multiplied = std::max(multiplied, learned->ticks[getMmaAgent()]);
  }
  if (!isBlockScope)
    learned->others = join(learned->others, snapshot);
  known = std::move(learned);
}

/// Returns the union of the events that any of `clocks` knows to be before a
/// proxy fence.
std::shared_ptr<const Ticks>
Clock::joinFenced(const std::vector<Clock *> &clocks) {
  std::shared_ptr<const Ticks> shared = clocks.front()->known->fenced;
  bool isSame = std::all_of(clocks.begin(), clocks.end(), [&](Clock *clock) {
    return !clock->fence.known && clock->known->fenced == shared;
  });
  if (isSame)
    return shared;
  Ticks all(clocks.front()->known->ticks.size());
  const Ticks *last = nullptr;
  auto learn = [&](const Ticks &ticks) {
    if (&ticks != last)
      raise(all, ticks);
    last = &ticks;
  };
  for (Clock *clock : clocks)
    if (clock->known->fenced)
      learn(*clock->known->fenced);
  for (Clock *clock : clocks)
    if (clock->fence.known)
      learn(clock->fence.known->ticks);
  for (Clock *clock : clocks) {
    if (!clock->fence.known)
      continue;
    Tick &own = all[clock->thread], &copies = all[clock->getCopyAgent()];
    own = std::max(own, clock->fence.time);
    copies = std::max(copies, clock->fence.landed);
    clock->fence.known = nullptr;
  }
  return std::make_shared<const Ticks>(std::move(all));
}

void Clock::meet(const std::vector<Clock *> &clocks,
                 const SnapshotPtr &arrived) {
  if (clocks.empty())
    return;
  // Threads that met before share one Known object, so only the distinct
  // objects are joined.
  auto all = std::make_shared<Known>(*clocks.front()->known);
  all->fenced = joinFenced(clocks);
  const Known *last = clocks.front()->known.get();
  for (Clock *clock : clocks) {
    if (clock->known.get() == last)
      continue;
    last = clock->known.get();
    raise(all->ticks, last->ticks);
    all->others = join(all->others, last->others);
  }
  for (Clock *clock : clocks) {
    all->ticks[clock->thread] = clock->time++;
    all->ticks[clock->getCopyAgent()] = clock->landed;
    Tick &mmaTick = all->ticks[clock->getMmaAgent()];
    mmaTick = std::max(mmaTick, clock->multiplied);
  }
  KnownPtr shared = std::move(all);
  for (Clock *clock : clocks) {
    clock->known = shared;
    clock->acquire(arrived, /*isBlockScope=*/false);
  }
}
