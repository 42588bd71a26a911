// Clock.h - what a thread knows to have happened
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses race if neither happens before the other. Happens-before is kept
// exactly, by vector clocks with epochs (Flanagan and Freund, "FastTrack:
// efficient and precise dynamic race detection", PLDI 2009).
//
// A block of N threads has these *agents*: agent t < N is thread t, agent
// N + t does thread t's asynchronous copies, and agent 2 N + w the products
// that warp w has a part in; what they do is not ordered with what the thread
// does itself. Each agent has its own time: that of a thread moves on when
// others may learn of what it did, that of copies and of products is the number
// of their group. An access is stamped with its agent and the agent's time; who
// knows of a later or the same time of that agent comes after the access.
//
// Example, two threads (agents 0, 1; copies 2, 3) and a barrier between a write
// of thread 0 and a read of thread 1:
//
//   thread 0 writes          stamped (agent 0, time 1)
//   both meet at a barrier   each knows (1, 1, 0, 0); their times become 2
//   thread 1 reads           it knows time 1 of agent 0: ordered
//
// Where all threads have met they know the same but for themselves, so what
// they know is one shared array plus two numbers a thread, and a barrier costs
// a few operations a thread, not a few times the number of threads.
//
// The asynchronous proxy, by which products read, sees what is before a proxy
// fence that is before the product (PTX ISA, "Async proxy"). So a thread also
// keeps what it knows to be before such a fence, its own or one that it learned
// of at a barrier. What atomics hand over does not tell of fences.
//
// Other blocks' threads are known only through atomics and fences: by block, as
// the whole array of a thread of that block that released.

#ifndef TILE_EMULATOR_CLOCK_H
#define TILE_EMULATOR_CLOCK_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tile::emulator {

constexpr uint32_t kWarpLanes = 32;

/// The agents of a block of so many threads.
constexpr uint32_t countAgents(uint32_t threads) {
  return 2 * threads + (threads + kWarpLanes - 1) / kWarpLanes;
}

/// A time of an agent; 0 is before everything.
using Tick = uint32_t;

/// By block, the times of its agents. Immutable, and shared between host
/// threads.
using Ticks = std::vector<Tick>;
using Snapshot = std::map<uint32_t, std::shared_ptr<const Ticks>>;
/// Null knows nothing.
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// What either of the two knows.
SnapshotPtr join(const SnapshotPtr &a, const SnapshotPtr &b);

/// What the threads of a block that met know of all its agents, and of other
/// blocks.
struct Known {
  Ticks ticks;
  SnapshotPtr others;
  /// What is before proxy fences that they know of; null for nothing.
  std::shared_ptr<const Ticks> fenced;
};
using KnownPtr = std::shared_ptr<const Known>;

/// The clock of one thread and its copies.
class Clock {
public:
  /// A thread that begins: it knows nothing.
  /// @pre `nothing` has countAgents(`numThreads`) zeros.
  void start(uint32_t block, uint32_t thread, uint32_t numThreads,
             KnownPtr nothing);

  /// Whether what `agent` of `block` did at `tick` is before what this thread
  /// does now.
  bool knows(uint32_t block, uint32_t agent, Tick tick) const {
    if (block != this->block)
      return knowsOther(block, agent, tick);
    if (agent == thread)
      return true;
    if (agent == numThreads + thread)
      return tick <= landed;
    if (agent == getProductAgent())
      return tick <= multiplied;
    return tick <= known->ticks[agent];
  }
  /// Whether what `agent` of the own block did at `tick` is before a proxy
  /// fence that is before what this thread does now.
  bool isFenced(uint32_t agent, Tick tick) const;

  Tick getTime() const { return time; }
  uint32_t getThread() const { return thread; }
  /// The agent of the thread's asynchronous copies.
  uint32_t getCopyAgent() const { return numThreads + thread; }

  /// The agent of the products of the thread's warp.
  uint32_t getProductAgent() const {
    return 2 * numThreads + thread / kWarpLanes;
  }

  /// The thread waited for its groups of copies up to `group`.
  void waitFor(Tick group) { landed = group > landed ? group : landed; }
  /// The same of products.
  void waitForProducts(Tick group) {
    multiplied = group > multiplied ? group : multiplied;
  }
  Tick getMultiplied() const { return multiplied; }
  /// A proxy fence of the thread.
  void fenceProxy() { fence = {known, time++, landed}; }

  /// What others will know who learn from this thread; its time moves on.
  SnapshotPtr release();
  /// Learns; of the own block alone if `isBlockScope`.
  void acquire(const SnapshotPtr &snapshot, bool isBlockScope);

  /// All of `clocks` meet: each learns what all of them know, and what those
  /// knew who had arrived and gone on; their times move on.
  static void meet(const std::vector<Clock *> &clocks,
                   const SnapshotPtr &arrived);

private:
  static std::shared_ptr<const Ticks>
  joinFenced(const std::vector<Clock *> &clocks);
  bool knowsOther(uint32_t block, uint32_t agent, Tick tick) const;
  /// All it knows of its block.
  Ticks getTicks() const;

  uint32_t block = 0, thread = 0, numThreads = 0;
  Tick time = 1;
  Tick landed = 0, multiplied = 0;
  /// Its entries of the thread itself are older than `time`, `landed` and
  /// `multiplied`.
  KnownPtr known;
  /// What the thread knew at its last proxy fence since it met others; null for
  /// none.
  struct {
    KnownPtr known;
    Tick time = 0, landed = 0;
  } fence;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_CLOCK_H
