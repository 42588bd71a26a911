// FatalErrors.h - an error that LLVM calls fatal ends a call, not the process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM is built without exceptions: what it gives up at returns to the call by
// longjmp. Nothing on the way is taken apart, so that memory is lost and a lock
// may stay taken; what was in use is not used any more.

#ifndef TILE_LIB_CAPI_COMPILER_FATALERRORS_H
#define TILE_LIB_CAPI_COMPILER_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>
#include <string>

namespace tile::capi {

/// One call of the library, on its thread and those that work for it.
class GuardedCall {
public:
  /// Runs `body`. False where LLVM gave up, here or in a task of a
  /// GuardedThreadPool that `body` waited for; getMessage() says why.
  bool run(llvm::function_ref<void()> body);

  const std::string &getMessage() const { return message; }

private:
  friend class GuardedThreadPool;
  friend void endCall(void *, const char *reason, bool);

  /// That of the calling thread; null outside of one.
  static GuardedCall *getCurrent();
  /// Leaves the innermost `run` of this thread if the call has failed.
  static void leaveIfFailed();

  std::mutex mutex;
  bool hasFailed = false;
  std::string message;
};

/// Threads whose tasks belong to the call that begins them.
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
