// FatalErrors.h - an error that LLVM calls fatal ends a call, not the process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM is built without exceptions, so a fatal error returns to the call by
// longjmp. The objects on the stack are not destroyed: their memory is leaked,
// and a lock may stay locked. Objects that were in use are not used afterwards.

#ifndef TILE_LIB_CAPI_COMPILER_FATALERRORS_H
#define TILE_LIB_CAPI_COMPILER_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>
#include <string>

namespace tile::capi {

/// A call of the library, with its thread and the threads that work for it.
class GuardedCall {
public:
  /// Runs `body`. Returns false if LLVM had a fatal error, here or in a task of
  /// a GuardedThreadPool that `body` waited for; getMessage() returns the
  /// reason.
  bool run(llvm::function_ref<void()> body);

  const std::string &getMessage() const { return message; }

private:
  friend class GuardedThreadPool;
  friend void endCall(void *, const char *reason, bool);

  /// Returns the call of the calling thread; null if the thread is in no call.
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
  /// `count` is the number of threads; 0 for as many as the host has.
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
