// RunControl.cpp - whether a run on the host is to continue
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/RunControl.h"

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

using namespace tile;
using Clock = std::chrono::steady_clock;

RunControl::RunControl(std::function<bool()> mustStop)
    : mustStop(std::move(mustStop)), asking(std::this_thread::get_id()),
      next(Clock::now() + kInterval) {}

bool RunControl::isToAsk() const {
  return mustStop && std::this_thread::get_id() == asking && !isStopped() &&
         Clock::now() >= next;
}

void RunControl::ask() {
  if (mustStop())
    stopped = true;
  next = Clock::now() + kInterval;
}

void RunControl::run(uint64_t numThreads, const std::function<void()> &work) {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t numRunning = numThreads - 1;
  std::vector<std::thread> others;
  for (uint64_t i = 1; i < numThreads; ++i)
    others.emplace_back([&] {
      work();
      std::lock_guard<std::mutex> lock(mutex);
      --numRunning;
      changed.notify_one();
    });
  work();
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, kInterval, [&] { return numRunning == 0; }))
    poll();
  lock.unlock();
  for (std::thread &other : others)
    other.join();
}
