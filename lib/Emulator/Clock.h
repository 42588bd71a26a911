// Clock.h - vector clocks: the events that a thread knows to have happened
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses race if neither happens before the other. Happens-before is kept
// exactly, by vector clocks with epochs (Flanagan and Freund, "FastTrack:
// efficient and precise dynamic race detection", PLDI 2009).
//
// A block of N threads has these *agents*: agent t < N is thread t, agent N + t
// performs the asynchronous copies of thread t, and agent 2 N + w the MMAs of
// warpgroups in which warp w takes part. Copies and MMAs are not ordered with
// the actions of the thread itself. Each agent has its own time. The time of a
// thread advances when others may learn of its actions; the time of copies and
// of MMAs is the index of their group. An access is stamped with its agent and
// the agent's time. It happens before an access of another thread if that
// thread knows this time of the agent, or a later one.
//
// Example, two threads (agents 0, 1; copies 2, 3) and a barrier between a write
// of thread 0 and a read of thread 1:
//
//   thread 0 writes          stamped (agent 0, time 1)
//   both meet at a barrier   each knows (1, 1, 0, 0); their times become 2
//   thread 1 reads           knows time 1 of agent 0: ordered
//
// After all threads have met, they have the same knowledge, except that each
// one knows more about itself. Their knowledge is therefore one shared array,
// and for each thread its own times. A barrier takes a few operations for each
// thread, regardless of the number of threads.
//
// The asynchronous proxy, by which MMAs read, sees an access only if it is
// before a proxy fence that is before the MMA (PTX ISA, "Async proxy"). So a
// thread also keeps which accesses it knows to be before such a fence: its own
// fence, or one that it learned of at a barrier. Knowledge that atomics hand
// over does not include fences.
//
// Threads learn about other blocks only through atomics and fences. This
// knowledge is an array of times for each such block: the array of the thread
// that released it.

#ifndef TILE_EMULATOR_CLOCK_H
#define TILE_EMULATOR_CLOCK_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tile::emulator {

constexpr uint32_t kWarpLanes = 32;

/// Returns the number of agents of a block.
constexpr uint32_t countAgents(uint32_t threads) {
  return 2 * threads + (threads + kWarpLanes - 1) / kWarpLanes;
}

/// A time of an agent; 0 is before all events.
using Tick = uint32_t;

/// `Ticks` are the times of the agents of one block, a `Snapshot` has those of
/// several blocks, by block index. Both are shared between host threads, and
/// therefore immutable.
using Ticks = std::vector<Tick>;
using Snapshot = std::map<uint32_t, std::shared_ptr<const Ticks>>;
/// Knowledge that one thread hands over to others; null if there is none.
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Returns the union of the knowledge in `a` and `b`.
SnapshotPtr join(const SnapshotPtr &a, const SnapshotPtr &b);

/// Knowledge that the threads of a block have in common after they met, about
/// all agents of the block and about other blocks.
struct Known {
  Ticks ticks;
  SnapshotPtr others;
  /// Times of the events that are known to be before a proxy fence; null if
  /// there are none.
  std::shared_ptr<const Ticks> fenced;
};
using KnownPtr = std::shared_ptr<const Known>;

/// The clock of one thread and its copies.
class Clock {
public:
  /// Starts a thread, which knows nothing.
  /// @pre `nothing` has countAgents(`numThreads`) zeros.
  void start(uint32_t block, uint32_t thread, uint32_t numThreads,
             KnownPtr nothing);

  /// Whether the action at time `tick` of agent `agent` of `block` is before
  /// the present action of this thread.
  bool knows(uint32_t block, uint32_t agent, Tick tick) const {
    if (block != this->block)
      return knowsOther(block, agent, tick);
    if (agent == thread)
      return true;
    if (agent == numThreads + thread)
      return tick <= landed;
    if (agent == getMmaAgent())
      return tick <= multiplied;
    return tick <= known->ticks[agent];
  }
  /// Whether the action at time `tick` of agent `agent` of the thread's own
  /// block is before a proxy fence that is before the present action of this
  /// thread.
  bool isFenced(uint32_t agent, Tick tick) const;

  Tick getTime() const { return time; }
  uint32_t getThread() const { return thread; }
  /// The agent of the thread's asynchronous copies.
  uint32_t getCopyAgent() const { return numThreads + thread; }

  /// The agent of the MMAs of the thread's warp.
  uint32_t getMmaAgent() const { return 2 * numThreads + thread / kWarpLanes; }

  /// Records that the thread waited for its groups of copies up to `group`.
  void waitFor(Tick group) { landed = group > landed ? group : landed; }
  /// Records that the thread waited for its groups of MMAs up to `group`.
  void waitForMmas(Tick group) {
    multiplied = group > multiplied ? group : multiplied;
  }
  Tick getMultiplied() const { return multiplied; }
  /// Records a proxy fence of the thread.
  void fenceProxy() { fence = {known, time++, landed}; }

  /// Returns this thread's knowledge, for threads that acquire it, and advances
  /// its time.
  SnapshotPtr release();
  /// Merges the knowledge in `snapshot` into that of this thread; only the
  /// knowledge about the thread's block if `isBlockScope`.
  void acquire(const SnapshotPtr &snapshot, bool isBlockScope);

  /// Merges the knowledge of `clocks` and of `arrived`, the threads that
  /// arrived without waiting, into each of `clocks`, and advances their times.
  static void meet(const std::vector<Clock *> &clocks,
                   const SnapshotPtr &arrived);

private:
  static std::shared_ptr<const Ticks>
  joinFenced(const std::vector<Clock *> &clocks);
  bool knowsOther(uint32_t block, uint32_t agent, Tick tick) const;
  /// Returns all that the thread knows about its block.
  Ticks getTicks() const;

  uint32_t block = 0, thread = 0, numThreads = 0;
  Tick time = 1;
  Tick landed = 0, multiplied = 0;
  /// Knowledge shared with other threads. `time`, `landed` and `multiplied` are
  /// more recent than its entries about this thread, its copies and its MMAs.
  KnownPtr known;
  /// Knowledge of the thread at its last proxy fence; null if the thread has
  /// met others since then.
  struct {
    KnownPtr known;
    Tick time = 0, landed = 0;
  } fence;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_CLOCK_H
