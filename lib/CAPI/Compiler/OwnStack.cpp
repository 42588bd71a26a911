// OwnStack.cpp - run a function on a stack that is large enough
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnStack.h"

#include "llvm/Support/Compiler.h"

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <ucontext.h>

using namespace tile::capi;

/// Size of a stack, and of the inaccessible pages at its lower end. The system
/// provides memory only when it is used.
static constexpr size_t kStackBytes = size_t(64) << 20;
static constexpr size_t kGuardBytes = size_t(64) << 10;

namespace {
struct Stack {
  Stack() {
    memory =
        mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (isThere())
      mprotect(memory, kGuardBytes, PROT_NONE);
  }
  ~Stack() {
    if (isThere())
      munmap(memory, kStackBytes);
  }
  bool isThere() const { return memory != MAP_FAILED; }

  void *memory;
};

/// The argument of runCall: the body that it runs.
struct Call {
  llvm::function_ref<void()> body;
};
} // namespace

/// Runs the Call at an address. makecontext passes only arguments of type int,
/// so the address is passed in two halves.
static void runCall(unsigned high, unsigned low) {
  auto address = uintptr_t(uint64_t(high) << 32 | low);
  reinterpret_cast<Call *>(address)->body();
}

void tile::capi::runOnOwnStack(llvm::function_ref<void()> body) {
  // Sanitizers support no other stacks than those of threads.
  constexpr bool isSanitized =
      LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD;
  Stack stack;
  ucontext_t caller, own;
  if (isSanitized || !stack.isThere() || getcontext(&own) != 0)
    return body();
  own.uc_stack.ss_sp = stack.memory;
  own.uc_stack.ss_size = kStackBytes;
  own.uc_link = &caller;
  Call call{body};
  auto address = uint64_t(reinterpret_cast<uintptr_t>(&call));
  makecontext(&own, reinterpret_cast<void (*)()>(runCall), 2,
              unsigned(address >> 32), unsigned(address));
  swapcontext(&caller, &own);
}
