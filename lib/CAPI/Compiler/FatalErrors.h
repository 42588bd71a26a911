// FatalErrors.h - an error that LLVM calls fatal ends a call, not the process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM is built without exceptions: where it gives up, it returns to the call
// by longjmp. Nothing on the way is destroyed, so that memory is lost and a
// lock may stay taken; objects that were in use are not used any more.

#ifndef TILE_LIB_CAPI_COMPILER_FATALERRORS_H
#define TILE_LIB_CAPI_COMPILER_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>
#include <string>

namespace tile::capi {

/// Call of the library, on its thread and those that work for it.
class GuardedCall {
public:
  /// Runs `body`. False if LLVM gave up, here or in a task of a
  /// GuardedThreadPool that `body` waited for; getMessage() returns the reason.
  bool run(llvm::function_ref<void()> body);

  const std::string &getMessage() const { return message; }

private:
  friend class GuardedThreadPool;
  friend void endCall(void *, const char *reason, bool);

  /// The call of the calling thread; null outside of one.
  static GuardedCall *getCurrent();
  /// Leaves the innermost `run` of this thread if the call has failed.
  static void leaveIfFailed();

  std::mutex mutex;
  bool hasFailed = false;
  std::string message;
};

/// A thread pool whose tasks belong to the GuardedCall that enqueues them.
class GuardedThreadPool : public llvm::ThreadPoolInterface {
public:
  /// 0: as many threads as the host has.
  explicit GuardedThreadPool(unsigned count)
      : threads(llvm::hardware_concurrency(count)) {}

  void wait() override;
  void wait(llvm::ThreadPoolTaskGroup &group) override;
  unsigned getMaxConcurrency() const override {
    return threads.getMaxConcurrency();
  }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *group) override;

  llvm::DefaultThreadPool threads;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_FATALERRORS_H
