// Fiber.h - flows of control that are switched by hand
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost.Context's fcontext, and not its fiber class: that unwinds a fiber which
// is given up, by an exception through its frames. Frames of generated code
// have nothing to destroy and no tables to unwind by, so a fiber here is simply
// never continued, and its stack used again.

#ifndef TILE_EMULATOR_FIBER_H
#define TILE_EMULATOR_FIBER_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <memory>

namespace tile::emulator {

/// Stacks of one size with an inaccessible page below each, so that an overflow
/// stops the process instead of changing a neighbour.
class StackPool {
public:
  /// Bytes are rounded up to pages. Reserves addresses; pages come when used.
  StackPool(size_t count, size_t bytes);
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// False if the system gave no memory.
  explicit operator bool() const { return memory != nullptr; }
  /// The lowest byte of a stack, and the address from which it grows down.
  char *getBottom(size_t index) const;
  char *getTop(size_t index) const;

private:
  char *memory = nullptr;
  size_t stride, bytes, count;
};

/// Knowledge of ThreadSanitizer about a fiber: its actions and the order it may
/// count on. Null in other builds.
using FiberShadow = std::unique_ptr<void, void (*)(void *)>;

/// Flow of control: of a GPU thread, or of the host thread that runs them.
class Fiber {
public:
  /// Makes this fiber start with `function(argument)`, which never returns,
  /// when it is next switched to. Its earlier execution is given up.
  void start(char *stackBottom, char *stackTop, void (*function)(void *),
             void *argument);

  /// Continues `to`; returns when some fiber switches to this one, which is
  /// the running one.
  void switchTo(Fiber &to);
  /// Switches to `to`; nobody will switch to this one before it is started
  /// again.
  [[noreturn]] void leaveFor(Fiber &to);

private:
  static void enter(boost::context::detail::transfer_t transfer);

  boost::context::detail::fcontext_t context = nullptr;
  /// Fiber that goes on after this one. A member, since the stack of a fiber
  /// that leaves may be gone when the other looks.
  Fiber *next = nullptr;
  /// Null for the fiber of a host thread.
  void (*function)(void *) = nullptr;
  void *argument = nullptr;
  // For AddressSanitizer: the stack, and its frames kept aside.
  const void *bottom = nullptr;
  size_t size = 0;
  void *fakeStack = nullptr;
  FiberShadow shadow = {nullptr, nullptr};
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_FIBER_H
