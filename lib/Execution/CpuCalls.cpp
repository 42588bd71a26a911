// CpuCalls.cpp - functions that code of the CPU path calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuCalls.h"

#include "llvm/ADT/ArrayRef.h"

#include <csetjmp>
#include <cstdio>

using namespace tile;

namespace {
/// The block that a thread runs.
struct RunningBlock {
  const CpuBlock &block;
  size_t numUpdates = 0; ///< number of ordered updates that it has made
  std::string printed;   ///< text of the tile.print that is being executed
  std::string failure;
  std::jmp_buf end;
};
} // namespace

static thread_local RunningBlock *running = nullptr;

/// Returns an index as text, such as "(0, 2, 0)".
static std::string toText(const std::array<int64_t, 3> &index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) +
         ", " + std::to_string(index[2]) + ")";
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string toText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

static void printBegin(const char *text) {
  running->printed = text + (" " + toText(running->block.index));
}

static void printText(const char *text) { running->printed += text; }

static void printInteger(int64_t value) {
  running->printed += std::to_string(value);
}

static void printFloat(double value) { running->printed += toText(value); }

static void printComplex(double real, double imaginary) {
  running->printed += "(" + toText(real) + ", " + toText(imaginary) + ")";
}

/// Prints the collected text in one call, since other threads may print texts
/// of other blocks at the same time.
static void printEnd() {
  std::fwrite(running->printed.data(), 1, running->printed.size(), stdout);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Ends the running block by longjmp. This leaves frames of compiled code, in
/// which nothing has to be destroyed.
[[noreturn]] static void endBlock() { std::longjmp(running->end, 1); }

static void fail(const char *location, const std::string &message) {
  running->failure = std::string(location) + ": error: " + message +
                     "\n  in block " + toText(running->block.index);
  endBlock();
}

static void failAssertion(const char *location, const char *message) {
  fail(location, std::string("assertion failed: ") + message);
}

/// Called by loops of compiled code every few iterations; ends the block if the
/// run is to end.
static void poll(const char *location) {
  RunControl &control = running->block.control;
  if (!control.poll())
    return;
  if (control.claimReport())
    fail(location,
         "stopped: the kernel was still running, in this loop, when it "
         "was to end");
  endBlock();
}

/// Runs a block until it returns or ends early. The state that changes while
/// the block runs is in the caller's frame, since longjmp may lose changes of
/// local variables here.
static void runToEnd(RunningBlock &block, void (*function)(void **),
                     void **parameters) {
  if (setjmp(block.end) == 0)
    function(parameters);
}

std::string tile::runCpuBlock(void (*function)(void **), void **parameters,
                              const CpuBlock &block) {
  RunningBlock runningBlock = {block, 0, {}, {}, {}};
  running = &runningBlock;
  runToEnd(runningBlock, function, parameters);
  running = nullptr;
  return std::move(runningBlock.failure);
}

//===----------------------------------------------------------------------===//
// Ordered updates
//===----------------------------------------------------------------------===//

bool CpuTurns::wait(size_t update, int64_t count, RunControl &control) {
  std::unique_lock<std::mutex> lock(mutex);
  auto isReady = [&] {
    if (counts.size() <= update)
      counts.resize(update + 1);
    return isEnded || counts[update] == count;
  };
  while (!changed.wait_for(lock, RunControl::kInterval, isReady))
    if (control.poll())
      return false;
  return !isEnded;
}

void CpuTurns::finish(size_t update) {
  std::lock_guard<std::mutex> lock(mutex);
  ++counts[update];
  changed.notify_all();
}

void CpuTurns::end() {
  std::lock_guard<std::mutex> lock(mutex);
  isEnded = true;
  changed.notify_all();
}

static void beginTurn() {
  const CpuBlock &block = running->block;
  if (!block.turns.wait(running->numUpdates, block.position, block.control))
    endBlock();
}

static void endTurn() {
  running->block.turns.finish(running->numUpdates);
  ++running->numUpdates;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

llvm::ArrayRef<HostFunction> tile::getCpuCalls() {
  static const HostFunction calls[] = {
      {"tile_cpu_print_begin", reinterpret_cast<void *>(printBegin)},
      {"tile_cpu_print_text", reinterpret_cast<void *>(printText)},
      {"tile_cpu_print_integer", reinterpret_cast<void *>(printInteger)},
      {"tile_cpu_print_float", reinterpret_cast<void *>(printFloat)},
      {"tile_cpu_print_complex", reinterpret_cast<void *>(printComplex)},
      {"tile_cpu_print_end", reinterpret_cast<void *>(printEnd)},
      {"tile_cpu_assert_fail", reinterpret_cast<void *>(failAssertion)},
      {"tile_cpu_poll", reinterpret_cast<void *>(poll)},
      {"tile_cpu_begin_turn", reinterpret_cast<void *>(beginTurn)},
      {"tile_cpu_end_turn", reinterpret_cast<void *>(endTurn)},
  };
  return calls;
}
