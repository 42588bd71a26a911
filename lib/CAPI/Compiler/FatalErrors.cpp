// FatalErrors.cpp - an error that LLVM calls fatal ends a call, not the process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>

#include <unistd.h>

using namespace tile::capi;

namespace {
/// The point at which a thread continues after a fatal error of LLVM.
struct Landing {
  std::jmp_buf environment;
  GuardedCall *call;
  pid_t process;
  Landing *outer;
};
} // namespace

static thread_local Landing *innermost = nullptr;

GuardedCall *GuardedCall::getCurrent() {
  return innermost ? innermost->call : nullptr;
}

namespace tile::capi {
/// Handler of LLVM's fatal errors, which continues at the thread's innermost
/// Landing. If the thread is in no call, which should not happen, it returns,
/// and LLVM ends the process.
void endCall(void *, const char *reason, bool) {
  Landing *landing = innermost;
  if (!landing)
    return;
  // The child process that reads bytecode must not continue in the code of its
  // parent's callers.
  if (getpid() != landing->process)
    _exit(1);
  {
    std::lock_guard<std::mutex> lock(landing->call->mutex);
    if (!landing->call->hasFailed)
      landing->call->message = reason;
    landing->call->hasFailed = true;
  }
  std::longjmp(landing->environment, 1);
}
} // namespace tile::capi

/// Installs the handlers in this library's own LLVM, which has no other
/// handlers.
static void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(endCall);
    llvm::install_bad_alloc_error_handler(endCall);
  });
}

bool GuardedCall::run(llvm::function_ref<void()> body) {
  installHandlers();
  Landing landing;
  landing.call = this;
  landing.process = getpid();
  landing.outer = innermost;
  innermost = &landing;
  if (setjmp(landing.environment) == 0)
    body();
  innermost = landing.outer;
  std::lock_guard<std::mutex> lock(mutex);
  return !hasFailed;
}

void GuardedCall::leaveIfFailed() {
  GuardedCall *call = getCurrent();
  if (!call)
    return;
  {
    std::lock_guard<std::mutex> lock(call->mutex);
    if (!call->hasFailed)
      return;
  }
  std::longjmp(innermost->environment, 1);
}

void GuardedThreadPool::asyncEnqueue(llvm::unique_function<void()> task,
                                     llvm::ThreadPoolTaskGroup *group) {
  auto guarded = [call = GuardedCall::getCurrent(),
                  task = std::move(task)]() mutable {
    if (call)
      call->run(task);
    else
      task();
  };
  if (group)
    threads.async(*group, std::move(guarded));
  else
    threads.async(std::move(guarded));
}

void GuardedThreadPool::wait() {
  threads.wait();
  GuardedCall::leaveIfFailed();
}

void GuardedThreadPool::wait(llvm::ThreadPoolTaskGroup &group) {
  threads.wait(group);
  GuardedCall::leaveIfFailed();
}
