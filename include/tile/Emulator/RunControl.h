// RunControl.h - whether a run on the host is to go on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may have a loop without an end. The caller of a run decides when it
// must stop, by a function that is called now and then on the thread that
// started the run and on no other: Python handles signals only on one thread.

#ifndef TILE_EMULATOR_RUNCONTROL_H
#define TILE_EMULATOR_RUNCONTROL_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace tile {

/// State that the host threads of a run share.
class RunControl {
public:
  /// Time between two calls of `mustStop`.
  static constexpr std::chrono::milliseconds kInterval{20};

  /// `mustStop` is called only on the thread that constructs this; it may be
  /// empty.
  explicit RunControl(std::function<bool()> mustStop);

  /// Whether the run must end. May be called by any thread, at any time.
  bool isStopped() const { return stopped.load(std::memory_order_relaxed); }
  /// Whether this is the thread that calls `mustStop`, and the call is due.
  bool isToAsk() const;
  /// Calls `mustStop`. @pre isToAsk().
  void ask();
  /// Calls `ask` if it is due, and returns isStopped(). For threads that can
  /// call `mustStop` on their current stack.
  bool poll() {
    if (isToAsk())
      ask();
    return isStopped();
  }
  /// Returns true to the first caller only, which then reports where the run
  /// was ended.
  bool claimReport() { return !reported.exchange(true); }

  /// Runs `work` on `numThreads` host threads, including the calling one, and
  /// returns when all have returned; calls `mustStop` until then.
  void run(uint64_t numThreads, const std::function<void()> &work);

private:
  std::function<bool()> mustStop;
  std::thread::id asking;
  std::chrono::steady_clock::time_point next;
  std::atomic<bool> stopped{false}, reported{false};
};

} // namespace tile

#endif // TILE_EMULATOR_RUNCONTROL_H
