// Progress.cpp - shows the progress of a long run on a terminal
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Progress.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <unistd.h>

using namespace tile::runtime;

/// The time before the first update and between updates.
static constexpr std::chrono::milliseconds kInterval(200);

/// Moves to the start of the line and clears it (ECMA-48, "EL").
static constexpr char kClearLine[] = "\r\033[K";

bool Progress::isPossible() {
  const char *terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && terminal &&
         std::string_view(terminal) != "dumb";
}

void Progress::show(int64_t ended, int64_t all) {
  auto now = std::chrono::steady_clock::now();
  if (now - last < kInterval)
    return;
  last = now;
  isShown = true;
  std::cerr << kClearLine << ended << " of " << all << " blocks" << std::flush;
}

Progress::~Progress() {
  if (isShown)
    std::cerr << kClearLine << std::flush;
}
