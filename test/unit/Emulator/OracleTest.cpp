// OracleTest.cpp - compares races of random programs with all paths of a graph
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random program has 64 threads and consists of accesses of 1 to 16 bytes,
// asynchronous copies, commits and waits, between barriers of the block, of
// half of it, of warps and of parts of warps. The oracle makes a graph of all
// its events, with an edge from each to the thread's next one and through each
// barrier, and checks for every two accesses that conflict whether a path
// connects them.
//
// A race that the emulator reports must be one of the oracle's, and for each
// race of the oracle the emulator must report one in the same 16 bytes.

#include "Kernels.h"

#include <bitset>
#include <map>
#include <random>
#include <set>

using namespace tile::emulator;

constexpr uint32_t kThreads = 64, kGranules = 12;
constexpr size_t kMaxEvents = 4096;

namespace {
enum class EventKind { Access, Copy, Commit, Wait, Barrier, Arrive, WarpSync };

/// An operation of a thread; events of all threads have different sites.
struct Event {
  EventKind kind;
  uint32_t thread;
  uint32_t offset = 0, bytes = 0;
  bool isWrite = false;
  /// The pending groups of a wait, the id of a barrier, or the lane mask of a
  /// WarpSync.
  uint32_t operand = 0, count = 0;
};

/// Events in an order in which they may happen, and the meetings among them.
struct Program {
  std::vector<Event> events;
  std::vector<std::vector<size_t>> meetings;
  std::vector<std::vector<size_t>> ofThread;
};
using Reached = std::bitset<kMaxEvents>;
} // namespace

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

namespace {
class ProgramMaker {
public:
  explicit ProgramMaker(uint32_t seed)
      : random(seed), mostWork(seed % 2 ? 24 : 4) {
    program.ofThread.resize(kThreads);
  }

  Program make() {
    uint32_t phases = 2 + below(5);
    for (uint32_t phase = 0; phase < phases; ++phase) {
      for (uint32_t i = 0, count = 1 + below(mostWork); i < count; ++i)
        addWork(below(kThreads));
      addSync();
    }
    for (uint32_t i = 0, count = below(mostWork); i < count; ++i)
      addWork(below(kThreads));
    return std::move(program);
  }

private:
  uint32_t below(uint32_t bound) { return uint32_t(random() % bound); }

  size_t add(Event event) {
    program.events.push_back(event);
    program.ofThread[event.thread].push_back(program.events.size() - 1);
    return program.events.size() - 1;
  }

  void addWork(uint32_t thread) {
    Event event = {EventKind::Access, thread};
    uint32_t what = below(10);
    if (what < 6) {
      event.bytes = 1u << below(5);
      event.isWrite = below(3) == 0;
    } else if (what < 8) {
      event.kind = EventKind::Copy;
      event.bytes = 4u << below(3);
      event.isWrite = true;
    } else if (what == 8) {
      event.kind = EventKind::Commit;
    } else {
      event.kind = EventKind::Wait;
      event.operand = below(2);
    }
    if (event.bytes)
      event.offset = below(16 * kGranules / event.bytes) * event.bytes;
    add(event);
  }

  void meet(EventKind kind, uint32_t first, uint32_t last, uint32_t operand,
            uint32_t count) {
    std::vector<size_t> meeting;
    for (uint32_t thread = first; thread < last; ++thread) {
      Event event = {kind, thread};
      event.operand = operand;
      event.count = count;
      meeting.push_back(add(event));
    }
    program.meetings.push_back(meeting);
  }

  void addSync() {
    uint32_t warp = below(2);
    switch (below(5)) {
    case 0:
      return meet(EventKind::Barrier, 0, kThreads, 0, 0);
    case 1: // only one warp, at its own barrier
      return meet(EventKind::Barrier, 32 * warp, 32 * warp + 32, 1 + warp, 32);
    case 2:
      return meet(EventKind::WarpSync, 32 * warp, 32 * warp + 32, ~0u, 0);
    case 3: { // lanes of a part of a warp
      uint32_t first = below(31), last = first + 1 + below(32 - first);
      uint32_t mask = uint32_t((uint64_t(1) << last) - (uint64_t(1) << first));
      return meet(EventKind::WarpSync, 32 * warp + first, 32 * warp + last,
                  mask, 0);
    }
    default: { // one warp arrives, the other waits
      std::vector<size_t> meeting;
      for (EventKind kind : {EventKind::Arrive, EventKind::Barrier}) {
        for (uint32_t lane = 0; lane < 32; ++lane) {
          Event event = {kind, 32 * warp + lane};
          event.operand = nextBarrier;
          event.count = 64;
          meeting.push_back(add(event));
        }
        warp = 1 - warp;
      }
      ++nextBarrier;
      program.meetings.push_back(meeting);
    }
    }
  }

  std::mt19937 random;
  /// Maximum number of events in a phase. It is small in some programs, so that
  /// some have no race, and large in others.
  uint32_t mostWork;
  Program program;
  /// Id of the next barrier of two warps. Each has its own id, since the warp
  /// that arrives may reach the next barrier before the other warp waits at
  /// this one.
  uint32_t nextBarrier = 5;
};
} // namespace

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

/// Returns for each event the events from which a path leads to it. Events are
/// in an order in which they may happen, so each comes after all events that it
/// depends on, except for those of the same meeting.
static std::vector<Reached> findPaths(const Program &program) {
  size_t count = program.events.size();
  // `before` has the events ordered before each event; `after` has the events
  // ordered before a thread's next event: a meeting adds only to `after`, and
  // an asynchronous copy adds nothing until it is waited for.
  std::vector<Reached> before(count), after(kThreads);
  std::map<size_t, const std::vector<size_t> *> meetingOf;
  for (const auto &meeting : program.meetings)
    meetingOf[meeting.back()] = &meeting;
  std::vector<std::vector<std::vector<size_t>>> groups(
      kThreads, std::vector<std::vector<size_t>>(1));
  std::vector<Reached> arrived(count);
  for (size_t i = 0; i < count; ++i) {
    const Event &event = program.events[i];
    Reached &own = after[event.thread];
    auto &copies = groups[event.thread];
    before[i] = own;
    switch (event.kind) {
    case EventKind::Access:
      own[i] = true;
      break;
    case EventKind::Copy:
      copies.back().push_back(i);
      break;
    case EventKind::Commit:
      copies.emplace_back();
      break;
    case EventKind::Wait:
      for (size_t g = 0; g + 1 + event.operand < copies.size(); ++g)
        for (size_t copy : copies[g])
          own |= before[copy], own[copy] = true;
      break;
    case EventKind::Barrier:
    case EventKind::Arrive:
    case EventKind::WarpSync:
      arrived[i] = own;
      break;
    }
    auto meeting = meetingOf.find(i);
    if (meeting == meetingOf.end())
      continue;
    Reached all;
    for (size_t other : *meeting->second)
      all |= arrived[other];
    for (size_t other : *meeting->second)
      if (program.events[other].kind != EventKind::Arrive)
        after[program.events[other].thread] |= all;
  }
  return before;
}

/// Returns the granules in which two events race, by pair of events with the
/// lower index first.
static std::map<std::pair<size_t, size_t>, std::set<uint32_t>>
findRaces(const Program &program) {
  std::vector<Reached> before = findPaths(program);
  std::map<std::pair<size_t, size_t>, std::set<uint32_t>> races;
  for (size_t j = 0; j < program.events.size(); ++j) {
    const Event &b = program.events[j];
    for (size_t i = 0; i < j; ++i) {
      const Event &a = program.events[i];
      uint32_t first = std::max(a.offset, b.offset);
      uint32_t last = std::min(a.offset + a.bytes, b.offset + b.bytes);
      // An asynchronous copy is not ordered before a later event of its thread
      // just because it comes first.
      if (first < last && (a.isWrite || b.isWrite) && !before[j][i] &&
          !before[i][j])
        races[{i, j}].insert(first / 16);
    }
  }
  return races;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

static void runProgram(Thread *t, void **params) {
  const auto &program = *getParam<const Program>(params, 0);
  static const uint32_t source[4] = {};
  for (size_t i : program.ofThread[getThread(t)]) {
    const Event &event = program.events[i];
    auto site = uint32_t(i);
    switch (event.kind) {
    case EventKind::Access:
      tile_emulator_access(t, site, getShared(t, event.offset));
      break;
    case EventKind::Copy:
      tile_emulator_copy_async(t, site, getShared(t, event.offset), source,
                               event.bytes, 0);
      break;
    case EventKind::Commit:
      tile_emulator_copy_commit(t, site);
      break;
    case EventKind::Wait:
      tile_emulator_copy_wait(t, site, event.operand);
      break;
    case EventKind::Barrier:
      // Lanes that meet do so at one site: that of the first lane.
      tile_emulator_barrier(t, site - getThread(t) % 32, event.operand,
                            event.count);
      break;
    case EventKind::Arrive:
      tile_emulator_barrier_arrive(t, site - getThread(t) % 32, event.operand,
                                   event.count);
      break;
    case EventKind::WarpSync:
      tile_emulator_warp_sync(t, event.count, event.operand);
      break;
    }
  }
  tile_emulator_copy_wait_all(t, 0);
}

static Outcome runMachine(Program &program, uint64_t seed) {
  Kernel kernel = makeKernel(runProgram, kThreads, 16 * kGranules);
  kernel.sites.assign(program.events.size(), Site());
  for (size_t i = 0; i < program.events.size(); ++i) {
    const Event &event = program.events[i];
    MemoryFacts &memory = kernel.sites[i].memory;
    memory.space = AddressSpace::Shared;
    memory.mode = event.isWrite ? AccessMode::Write : AccessMode::Read;
    memory.bytes = event.bytes;
  }
  for (const auto &meeting : program.meetings)
    for (size_t i : meeting)
      if (program.events[i].kind == EventKind::WarpSync)
        program.events[i].count = uint32_t(meeting.front()); // the site
  Launch launch;
  void *pointer = &program;
  launch.params = {&pointer};
  Options options;
  options.seed = seed;
  options.maxFindings = ~0u;
  options.checkUninitialized = false;
  return run(kernel, launch, options);
}

TEST(Oracle, RacesOfRandomPrograms) {
  size_t numRaces = 0, numClean = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Program program = ProgramMaker(seed).make();
    ASSERT_LE(program.events.size(), kMaxEvents);
    auto races = findRaces(program);
    Outcome outcome = runMachine(program, seed % 5);
    ASSERT_TRUE(outcome.isComplete) << "seed " << seed;
    std::set<uint32_t> granules, told;
    for (const auto &[pair, where] : races)
      granules.insert(where.begin(), where.end());
    for (const Finding &finding : outcome.findings) {
      ASSERT_EQ(finding.kind, FindingKind::Race) << finding.text;
      auto pair = std::minmax<size_t>(finding.party.site, finding.other.site);
      auto race = races.find(pair);
      ASSERT_NE(race, races.end()) << "seed " << seed << "\n" << finding.text;
      EXPECT_TRUE(race->second.count(uint32_t(finding.offset / 16)));
      told.insert(uint32_t(finding.offset / 16));
    }
    EXPECT_EQ(told, granules) << "seed " << seed;
    numRaces += races.size();
    numClean += races.empty();
  }
  // Both kinds of program occur: with a race and without one.
  EXPECT_GT(numRaces, 1000u);
  EXPECT_GT(numClean, 10u);
}
