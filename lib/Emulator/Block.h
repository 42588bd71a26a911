// Block.h - one block of a grid while it runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host thread runs one block after the other in the same Block object, so
// that stacks, shared memory and its shadow are created once. Within a block
// one GPU thread runs at a time. It runs until it waits (at a barrier, or for
// the lanes of a meeting) or returns, and then switches to the next thread
// itself. Therefore only memory that blocks share needs locks.

#ifndef TILE_EMULATOR_BLOCK_H
#define TILE_EMULATOR_BLOCK_H

#include "Clock.h"
#include "Fiber.h"
#include "Findings.h"
#include "GlobalMemory.h"
#include "Random.h"
#include "Requests.h"
#include "Shadow.h"
#include "SharedMemory.h"
#include "tile/Emulator/Machine.h"
#include "tile/Emulator/RunControl.h"

#include <optional>

namespace tile::emulator {

/// Barriers of a block (PTX ISA, "bar, barrier").
constexpr uint32_t kNumBarriers = 16;
/// Warps of the largest block.
constexpr uint32_t kMaxWarps = 32;

class Block;
struct Warp;

/// State that all host threads share in a run.
struct Grid {
  const Kernel &kernel;
  const Launch &launch;
  const Options &options;
  GlobalMemory memory;
  Handovers handovers;
  std::mutex printMutex;
  /// Whether a block has spun up to the limit. No more blocks are started then.
  std::atomic<bool> isAborted{false};
  RunControl control;
  std::atomic<uint32_t> lastWriter{kNoSite};

  Grid(const Kernel &kernel, const Launch &launch, const Options &options)
      : kernel(kernel), launch(launch), options(options), memory(launch.arrays),
        control(options.mustStop) {}
};

/// Operands of a lane for an MMA of its warpgroup.
struct GroupOperands {
  float *d; ///< the lane's n / 2 accumulators
  const uint32_t
      *registers; ///< the lane's four registers of a; null if `a` is used
  uint64_t a, b;  ///< descriptors
};

/// A cp.async that has not been waited for.
struct PendingCopy {
  void *target;
  const void *source;
  uint32_t bytes, sourceBytes;
  uint32_t before = 0; ///< number of leading bytes before an array's row
  uint32_t site = kNoSite;
  Tick group = 0;
  bool hasLanded = false;
};

/// An MMA of a warpgroup that has not been waited for, with the descriptors of
/// its operands; without that of a if a is in registers.
struct PendingMma {
  uint32_t site = kNoSite;
  Tick group = 0;
  uint64_t a = 0, b = 0;
  uint32_t warp = 0;
  bool hasRegisters = false;
};

/// The MMAs of a warpgroup that some but not all of its warps have started. All
/// four warps have started `done` MMAs, and warp i has started `begun[i]`.
struct Warpgroup {
  std::vector<PendingMma> pendingMmas;
  uint64_t done = 0;
  std::array<uint64_t, 4> begun = {};
};

/// Lanes of a warp that wait for each other at one site.
struct Meeting {
  uint32_t site, mask, arrived;
};

struct Warp {
  uint32_t index = 0;
  /// Masks of the lanes that exist, that can go on, and that have returned.
  uint32_t lanes = 0, ready = 0, returned = 0;
  std::vector<Meeting> meetings;
  /// Operands of the lanes that wait in a meeting.
  std::array<void *, kWarpLanes> operands = {};
  Requests requests;
};

struct Barrier {
  /// Number of threads that must arrive; 0 while no thread has arrived.
  uint32_t expected = 0;
  uint32_t arrived = 0;
  /// The threads that wait, in the order of arrival.
  std::vector<tile_emulator_thread *> waiting;
  /// Knowledge of the threads that arrived without waiting.
  SnapshotPtr passed;
  /// The site at which each warp arrived.
  std::array<uint32_t, kMaxWarps> sites;
};

enum class ThreadState : uint8_t { Ready, AtBarrier, InMeeting, Returned };

} // namespace tile::emulator

/// A GPU thread.
struct tile_emulator_thread {
  tile::emulator::Block *block = nullptr;
  tile::emulator::Warp *warp = nullptr;
  uint32_t index = 0, lane = 0;
  tile::emulator::Dimensions position = {0, 0, 0};
  tile::emulator::Fiber fiber;

  tile::emulator::ThreadState state = tile::emulator::ThreadState::Ready;
  /// The site and the barrier at which the thread waits.
  uint32_t site = tile::emulator::kNoSite, barrier = 0;

  tile::emulator::Clock clock;
  /// `releasedByFence` is knowledge that the thread's last fence released, and
  /// that its later atomics hand over. `readByAtomics` is knowledge that its
  /// atomics have read, and that its next fence acquires.
  tile::emulator::SnapshotPtr releasedByFence, readByAtomics;
  bool isFenceOfBlock = false;
  /// Addresses of the thread's last two atomics. A thread that executes atomics
  /// on further addresses is not spinning.
  std::array<uint64_t, 2> lastAtomics = {};

  std::vector<tile::emulator::PendingCopy> copies;
  tile::emulator::Tick committedGroups = 0;

  /// Iterations of the loop around each scatter, by the scatter's id.
  std::vector<uint32_t> scatterIterations;
  void countScatterIteration(uint32_t scatter) {
    if (scatter >= scatterIterations.size())
      scatterIterations.resize(scatter + 1);
    ++scatterIterations[scatter];
  }
  /// Returns the id of the scatter's execution that the thread is in
  /// (Record::scatter).
  uint32_t getExecution(uint32_t scatter) const {
    uint32_t iteration =
        scatter < scatterIterations.size() ? scatterIterations[scatter] : 0;
    return scatter * tile::emulator::kScatterExecutions +
           iteration % tile::emulator::kScatterExecutions;
  }

  /// MMAs of the warpgroup that the thread has not waited for.
  std::vector<tile::emulator::PendingMma> pendingMmas;
  tile::emulator::Tick committedMmas = 0;
  /// Whether wgmma.fence came since the last wait.
  bool isMmaFenced = false;
};

namespace tile::emulator {

using Thread = tile_emulator_thread;

class Block : RaceHandler {
public:
  explicit Block(Grid &grid);

  /// Returns the reason why the grid cannot run; empty if it can.
  std::string getRefusal() const;

  /// Runs the block with index `blockIndex`. Returns false if it was ended
  /// early.
  bool execute(uint64_t blockIndex);

  const Grid &getGrid() const { return grid; }
  const Dimensions &getIndex() const { return index; }
  const SharedMemory &getShared() const { return shared; }
  uint64_t nextClock() { return ++clockCalls; }

  // Actions of threads, which Calls.h describes.

  void access(Thread &thread, uint32_t site, uint64_t address, uint64_t bytes,
              bool isDropped = false);
  void finishAccess(Thread &thread, uint32_t site, uint64_t address);
  void fence(Thread &thread, uint32_t site);

  void copyAsync(Thread &thread, uint32_t site, const PendingCopy &copy);
  void commitCopies(Thread &thread, uint32_t site);
  void waitForCopies(Thread &thread, uint32_t site, uint32_t pending);
  void waitForAllCopies(Thread &thread, uint32_t site);

  void multiplyWarpgroup(Thread &thread, uint32_t site, GroupOperands operands);
  /// Reads accumulators of the MMA that was started at the site `mmaSite`.
  void readAccumulators(Thread &thread, uint32_t site, uint32_t mmaSite);
  void fenceProxy(Thread &thread, uint32_t site);
  void fenceMmas(Thread &thread, uint32_t site);
  void commitMmas(Thread &thread, uint32_t site);
  void waitForMmas(Thread &thread, uint32_t site, uint32_t pending);

  /// Handles a use, at `site`, of the quotient of the division at the site
  /// `division`, whose divisor was zero.
  void useQuotient(Thread &thread, uint32_t site, uint32_t division);

  void waitAtBarrier(Thread &thread, uint32_t site, uint32_t id,
                     uint32_t count);
  void arriveAtBarrier(Thread &thread, uint32_t site, uint32_t id,
                       uint32_t count);
  /// Lets other threads run.
  void yield(Thread &thread);
  /// Ends the block if the run is to end.
  void poll(Thread &thread, uint32_t site);

  /// Waits for the lanes of `mask` at `site`. The last lane to arrive calls
  /// `perform(warp)`, for which Warp::operands holds the lanes' `operands`;
  /// then all lanes go on.
  template <typename Perform>
  void meet(Thread &thread, uint32_t site, uint32_t mask, void *operands,
            Perform perform);

  /// Checks the access to the row whose address this lane provides, if it
  /// provides one. Each lane checks its own row, so that a finding names the
  /// lane.
  void touchMatrixRow(Thread &thread, uint32_t site, uint64_t row);
  void loadMatrix(Thread &thread, uint32_t site, uint64_t row,
                  uint32_t *registers);
  void storeMatrix(Thread &thread, uint32_t site, uint64_t row,
                   const uint32_t *registers);
  void syncWarp(Thread &thread, uint32_t site, uint32_t mask);

  const Site &getSite(uint32_t site) const { return grid.kernel.sites[site]; }
  void count(uint32_t site) { ++counters[site].threads; }
  /// Counts an instruction that does not access memory.
  void countAlone(Thread &thread, uint32_t site) {
    count(site);
    countRequest(thread, site, RequestKind::Alone, {});
  }

  /// Reports a finding about the running thread and ends the block. Does not
  /// return.
  [[noreturn]] void fail(FindingKind kind, const Thread &thread, uint32_t site,
                         std::string message);
  void print(std::string_view text);

  Findings findings;
  std::vector<Counters> counters;
  uint64_t completedBarriers = 0;

private:
  /// An access or a copy that is being checked.
  struct Access {
    const Thread &thread;
    uint32_t site;
    AccessMode mode;
    Record record;
    /// Whether the access is a read whose value is not used, so that the value
    /// may be undefined.
    bool isDropped = false;
  };

  // Life of a block.
  void begin(uint64_t blockIndex);
  void beginThread(Thread &thread);
  [[noreturn]] void finishThread(Thread &thread);
  static void runThread(void *thread);
  [[noreturn]] void stop();

  // Scheduling.
  Thread *pickNext();
  Warp &pickWarp();
  Thread &getNext(Thread &thread);
  void suspend(Thread &thread);
  void makeReady(Warp &warp, uint32_t lanes);
  void block(Thread &thread, ThreadState state, uint32_t site);
  void progress() { spins = 0; }

  // Memory.
  Access makeAccess(const Thread &thread, uint32_t site) const;
  Access makeCopy(const Thread &thread, uint32_t site, AccessMode mode) const;
  /// Counts the running thread's part of a request, if a profile is requested.
  void countRequest(Thread &thread, uint32_t site, RequestKind kind,
                    const LaneRequest &request) {
    if (grid.options.profile)
      thread.warp->requests.add(counters, {site, kind}, thread.warp->lanes,
                                thread.lane, request);
  }
  void touchShared(const Access &access, uint64_t address, uint64_t bytes);
  void touchGlobal(const Access &access, uint64_t address, uint64_t bytes);
  void touchGranule(const Access &access, Granule &granule, uint64_t address,
                    uint16_t bytes, bool mustBeWritten);
  void checkAlignment(const Access &access, uint64_t address, uint64_t bytes,
                      uint32_t alignment);
  void onRace(const Record &earlier, const Record &access) override;
  void onUnfenced(const Record &earlier, const Record &access) override;
  void reportPair(FindingKind kind, const Record &earlier,
                  const Record &access);
  Handovers &getHandovers(uint64_t address);
  void spin(Thread &thread, uint32_t site, uint64_t address);
  void countMatrices(const Warp &warp, uint32_t site);
  void land(const PendingCopy &copy);
  void landUpTo(Thread &thread, Tick group);
  void reportCopiesInFlight(const Thread &thread);
  void touchMma(const Thread &thread, const PendingMma &pendingMma);
  void joinWarpgroup(Thread &thread, const PendingMma &pendingMma);
  void reportMmasInFlight(const Thread &thread);
  void reportMissingWarps();

  // Meeting and waiting.
  bool joinMeeting(Thread &thread, uint32_t site, uint32_t mask,
                   void *operands);
  void endMeeting(Thread &thread, uint32_t mask);
  Barrier &comeToBarrier(Thread &thread, uint32_t site, uint32_t id,
                         uint32_t count);
  bool completeBarrier(Barrier &barrier);
  void reportStuck();
  bool reportMissingLanes();
  bool reportBarriers();
  const Thread *findMissing(uint32_t barrier) const;

  // Reports.
  Party makeParty(const Thread &thread, uint32_t site) const;
  Party makeParty(const Record &record) const;
  /// Returns the index of `block` as findings show it.
  Dimensions getReported(const Dimensions &block) const;
  void locate(Finding &finding, uint64_t address, uint64_t bytes) const;
  void report(FindingKind kind, const Access &access, uint64_t address,
              uint64_t bytes, std::string message);

  Grid &grid;
  uint32_t numThreads;
  StackPool stacks;
  SharedMemory shared;
  Handovers sharedHandovers;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<Warpgroup> warpgroups;
  std::array<Barrier, kNumBarriers> barriers;
  Fiber host;

  // State of the block that runs.
  uint64_t linearIndex = 0;
  Dimensions index = {0, 0, 0};
  Random random;
  uint32_t numReturned = 0;
  Thread *running = nullptr;
  bool isStopped = false;
  /// Whether the running thread has switched to the host thread, which is to
  /// query whether the run goes on.
  bool isAsking = false;
  uint64_t clockCalls = 0, spins = 0, atomics = 0, polls = 0;
  KnownPtr nothingKnown;

  // The schedule: the warps with a ready lane, the running warp, the number of
  // its lanes that have had their turn, and the value that is xored to lane
  // indices to permute the lanes.
  uint32_t readyWarps = 0;
  Warp *current = nullptr;
  uint32_t lanesSeen = 0, laneOrder = 0;
  /// Probability, in eighths, that the scheduler stays with the same warp.
  uint32_t stickiness = 8;
  /// Whether the scheduler must select another warp next.
  bool mustRotate = false;

  // The access that is being checked, which onRace reports.
  const Access *checked = nullptr;
  uint64_t checkedAddress = 0;
};

template <typename Perform>
void Block::meet(Thread &thread, uint32_t site, uint32_t mask, void *operands,
                 Perform perform) {
  count(site);
  if (!joinMeeting(thread, site, mask, operands))
    return;
  ++counters[site].warps;
  perform(*thread.warp);
  endMeeting(thread, mask);
}

} // namespace tile::emulator

#endif // TILE_EMULATOR_BLOCK_H
