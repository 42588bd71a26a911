// RunControl.h - whether a run on the host is to go on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may have a loop without an end. Who runs it says when it is to stop,
// by a function that is asked now and then on the thread that has begun the run
// and on no other: what handles signals in Python is bound to a thread.

#ifndef TILE_EMULATOR_RUNCONTROL_H
#define TILE_EMULATOR_RUNCONTROL_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace tile {

/// What the host threads of a run share.
class RunControl {
public:
  /// How long a run goes on before `mustStop` is asked again.
  static constexpr std::chrono::milliseconds kInterval{20};

  /// By the thread that `mustStop` is asked on; it may be empty.
  explicit RunControl(std::function<bool()> mustStop);

  /// Whether the run is to end. By any thread, at any time.
  bool isStopped() const { return stopped.load(std::memory_order_relaxed); }
  /// Whether this is the thread that has to ask, and it is time.
  bool isToAsk() const;
  /// Asks. By the thread that has to.
  void ask();
  /// The three of them, for a thread that can ask where it is.
  bool poll() {
    if (isToAsk())
      ask();
    return isStopped();
  }
  /// True once: for the thread that is to say where the run was ended.
  bool claimReport() { return !reported.exchange(true); }

  /// Runs `work` on so many host threads, this one among them, and returns when
  /// all have come back; until then the caller is asked.
  void run(uint64_t numThreads, const std::function<void()> &work);

private:
  std::function<bool()> mustStop;
  std::thread::id asking;
  std::chrono::steady_clock::time_point next;
  std::atomic<bool> stopped{false}, reported{false};
};

} // namespace tile

#endif // TILE_EMULATOR_RUNCONTROL_H
