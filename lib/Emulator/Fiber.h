// Fiber.h - coroutines that are switched explicitly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This uses the fcontext of Boost.Context instead of its class fiber, which
// unwinds an abandoned fiber by an exception. Frames of generated code have
// nothing to destroy and no unwind tables. An abandoned fiber is therefore just
// never continued, and its stack is reused.

#ifndef TILE_EMULATOR_FIBER_H
#define TILE_EMULATOR_FIBER_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <memory>

namespace tile::emulator {

/// Stacks of one size with an inaccessible page below each, so that an overflow
/// ends the process instead of changing the adjacent stack.
class StackPool {
public:
  /// Reserves the addresses of `count` stacks of `bytes` bytes each, rounded up
  /// to pages. The system provides the pages when they are first used.
  StackPool(size_t count, size_t bytes);
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// False if the system gave no memory.
  explicit operator bool() const { return memory != nullptr; }
  /// Returns the lowest byte of a stack, and the address from which it grows
  /// down.
  char *getBottom(size_t index) const;
  char *getTop(size_t index) const;

private:
  char *memory = nullptr;
  size_t stride, bytes, count;
};

/// The state that ThreadSanitizer has for a fiber. Null in builds without
/// ThreadSanitizer.
using FiberShadow = std::unique_ptr<void, void (*)(void *)>;

/// A coroutine: a GPU thread, or the host thread that runs the GPU threads.
class Fiber {
public:
  /// Makes this fiber start with `function(argument)`, which never returns,
  /// when it is next switched to. An earlier execution of this fiber is
  /// abandoned.
  void start(char *stackBottom, char *stackTop, void (*function)(void *),
             void *argument);

  /// Suspends this fiber, which must be the running one, and continues `to`.
  /// Returns when some fiber switches back to this one.
  void switchTo(Fiber &to);
  /// Switches to `to` for good: no fiber may switch to this one before it is
  /// started again.
  [[noreturn]] void leaveFor(Fiber &to);

private:
  static void enter(boost::context::detail::transfer_t transfer);

  boost::context::detail::fcontext_t context = nullptr;
  /// The fiber that this one switches to. It is a member, since the stack of a
  /// fiber that leaves may be gone when the other fiber reads it.
  Fiber *next = nullptr;
  /// Null for the fiber of a host thread.
  void (*function)(void *) = nullptr;
  void *argument = nullptr;
  // For AddressSanitizer: the stack, and the fake stack of its frames.
  const void *bottom = nullptr;
  size_t size = 0;
  void *fakeStack = nullptr;
  FiberShadow shadow = {nullptr, nullptr};
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_FIBER_H
