// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Occupancy.h"

#include <gtest/gtest.h>

using namespace tile;

namespace {
struct Row {
  const char *architecture;
  int64_t threads, registers, sharedBytes;
  int64_t blocks, warps;
  const char *limiter;
};
} // namespace

// The expected values are computed by hand from the limits of each
// architecture.
static const Row kRows[] = {
    {"sm_80", 32, 16, 0, 32, 32, "blocks"},
    {"sm_86", 32, 16, 0, 16, 16, "blocks"},
    {"sm_80", 256, 32, 0, 8, 64, "threads"},
    {"sm_80", 96, 16, 0, 21, 63, "threads"},
    {"sm_86", 1024, 40, 0, 1, 32, "threads"},
    // 65536 / (64 * 32) is 32 warps.
    {"sm_80", 128, 64, 0, 8, 32, "registers"},
    // 33 registers are rounded up to 40. Each of the four parts of a
    // multiprocessor has room for 12 such warps.
    {"sm_80", 512, 33, 0, 3, 48, "registers"},
    // With 168 registers per thread, there is room for 12.2 warps.
    {"sm_90a", 128, 168, 1024, 3, 12, "registers"},
    // With 255 registers per thread, 8 warps fit. Two blocks of three warps
    // leave room for two of them.
    {"sm_80", 96, 255, 0, 2, 6, "registers"},
    {"sm_90a", 384, 168, 0, 1, 12, "registers"},
    // A block reserves 1 KiB in addition to its own memory, in units of 128
    // bytes.
    {"sm_90a", 128, 32, 100 * 1024, 2, 8, "shared memory"},
    {"sm_90a", 128, 32, 227 * 1024, 1, 4, "shared memory"},
    {"sm_90a", 128, 32, 113 * 1024, 2, 8, "shared memory"},
    {"sm_90a", 128, 32, 113 * 1024 + 1, 1, 4, "shared memory"},
    // No multiprocessor has room for this block.
    {"sm_80", 1024, 128, 0, 0, 0, "registers"},
};

TEST(Occupancy, CountsBlocks) {
  for (const Row &row : kRows) {
    Occupancy occupancy =
        getOccupancy(*findArchitecture(row.architecture), row.threads,
                     row.registers, row.sharedBytes);
    std::string what = std::string(row.architecture) + ", " +
                       std::to_string(row.threads) + " threads of " +
                       std::to_string(row.registers) + " registers, " +
                       std::to_string(row.sharedBytes) + " bytes";
    EXPECT_EQ(occupancy.blocks, row.blocks) << what;
    EXPECT_EQ(occupancy.warps, row.warps) << what;
    EXPECT_EQ(occupancy.limiter.str(), row.limiter) << what;
  }
}
