// Fiber.cpp - coroutines that are switched explicitly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define TILE_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define TILE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILE_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define TILE_THREAD_SANITIZER 1
#endif
#endif
#if defined(TILE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(TILE_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

using namespace tile::emulator;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

StackPool::StackPool(size_t count, size_t bytes) : count(count) {
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  this->bytes = (bytes + page - 1) / page * page;
  stride = this->bytes + page;
  void *mapped = mmap(nullptr, stride * count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return;
  memory = static_cast<char *>(mapped);
  // If the system allows no more mappings, a stack has no guard page.
  for (size_t i = 0; i < count; ++i)
    (void)mprotect(memory + i * stride, page, PROT_NONE);
}

StackPool::~StackPool() {
  if (memory)
    munmap(memory, stride * count);
}

char *StackPool::getBottom(size_t index) const {
  return memory + (index + 1) * stride - bytes;
}

char *StackPool::getTop(size_t index) const {
  // If the tops of stacks are a multiple of the page size apart, they share the
  // same few sets of every cache. Steps of 17 lines of 64 bytes spread 32 lanes
  // over all sets of the L1 cache.
  size_t colour = (index % 32) * 17 * 64 % 4096;
  return memory + (index + 1) * stride - (bytes > 8192 ? colour : 0);
}

//===----------------------------------------------------------------------===//
// Switching
//===----------------------------------------------------------------------===//

#ifdef TILE_ADDRESS_SANITIZER
static void beginSwitch(void **fakeStack, const void *bottom, size_t size) {
  __sanitizer_start_switch_fiber(fakeStack, bottom, size);
}
static void endSwitch(void *fakeStack, const void **bottom, size_t *size) {
  __sanitizer_finish_switch_fiber(fakeStack, bottom, size);
}
static void forgetStack(char *bottom, char *top) {
  __asan_unpoison_memory_region(bottom, size_t(top - bottom));
}
#else
static void beginSwitch(void **, const void *, size_t) {}
static void endSwitch(void *, const void **, size_t *) {}
static void forgetStack(char *, char *) {}
#endif

#ifdef TILE_THREAD_SANITIZER
static FiberShadow makeShadow() {
  return {__tsan_create_fiber(0), __tsan_destroy_fiber};
}
/// Returns the state of the host thread itself, which owns it.
static FiberShadow getHostShadow() {
  return {__tsan_get_current_fiber(), [](void *) {}};
}
/// Informs ThreadSanitizer of a switch. Inlined, since ThreadSanitizer must see
/// each function be entered and left on the same fiber.
[[gnu::always_inline]] static inline void switchShadow(const FiberShadow &to) {
  __tsan_switch_to_fiber(to.get(), 0);
}
#else
static FiberShadow makeShadow() { return {nullptr, nullptr}; }
static FiberShadow getHostShadow() { return {nullptr, nullptr}; }
static void switchShadow(const FiberShadow &) {}
#endif

void Fiber::start(char *stackBottom, char *stackTop, void (*run)(void *),
                  void *runArgument) {
  forgetStack(stackBottom, stackTop);
  function = run;
  argument = runArgument;
  bottom = stackBottom;
  size = size_t(stackTop - stackBottom);
  fakeStack = nullptr;
  shadow = makeShadow();
  context = make_fcontext(stackTop, size, enter);
}

void Fiber::enter(transfer_t transfer) {
  auto *from = static_cast<Fiber *>(transfer.data);
  from->context = transfer.fctx;
  // Determines the stack of the host thread, which is not known before.
  endSwitch(nullptr, &from->bottom, &from->size);
  from->next->function(from->next->argument);
  __builtin_unreachable();
}

void Fiber::switchTo(Fiber &to) {
  next = &to;
  if (!function)
    shadow = getHostShadow();
  beginSwitch(&fakeStack, to.bottom, to.size);
  switchShadow(to.shadow);
  transfer_t transfer = jump_fcontext(to.context, this);
  auto *from = static_cast<Fiber *>(transfer.data);
  from->context = transfer.fctx;
  endSwitch(fakeStack, &from->bottom, &from->size);
}

void Fiber::leaveFor(Fiber &to) {
  next = &to;
  beginSwitch(nullptr, to.bottom, to.size); // frees its fake stack
  switchShadow(to.shadow);
  jump_fcontext(to.context, this);
  __builtin_unreachable();
}
