// BankConflictsTest.cpp - tests wavefronts of a warp's access to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/BankConflicts.h"

#include "AllLayouts.h"
#include "tile/Layout/Swizzle.h"

#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

using namespace tile;
using namespace tile::test;

constexpr AccessDirection kWrite = AccessDirection::kWrite;

/// Returns the addresses of 32 lanes.
static LaneAddresses lanes(const std::function<uint32_t(uint32_t)> &address) {
  LaneAddresses result;
  for (uint32_t lane = 0; lane < 32; ++lane)
    result.push_back(address(lane));
  return result;
}

TEST(BankConflicts, ConsecutiveWordsAreFree) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
    LaneAddresses access = lanes([&](uint32_t l) { return l * bytes; });
    int phases = bytes <= 4 ? 1 : bytes == 8 ? 2 : 4;
    EXPECT_EQ(countWavefronts(access, bytes, kWrite), phases) << bytes;
    EXPECT_EQ(minimalWavefronts(access, bytes, kWrite), phases) << bytes;
    EXPECT_EQ(countBankConflicts(access, bytes, kWrite), 0) << bytes;
  }
}

TEST(BankConflicts, OneWordIsServedToAll) {
  for (unsigned bytes : {1u, 2u, 4u})
    EXPECT_EQ(
        countWavefronts(lanes([](uint32_t) { return 64; }), bytes, kWrite), 1);
  EXPECT_EQ(countWavefronts(lanes([](uint32_t) { return 64; }), 8, kWrite), 2);
  EXPECT_EQ(countWavefronts(lanes([](uint32_t) { return 64; }), 16, kWrite), 4);
}

// Accesses to bytes and halves of one word are one access to the word.
TEST(BankConflicts, PartsOfAWordAreMerged) {
  EXPECT_EQ(countWavefronts(lanes([](uint32_t l) { return l % 4; }), 1, kWrite),
            1);
  EXPECT_EQ(
      countWavefronts(lanes([](uint32_t l) { return l / 2 * 128 + l % 2 * 2; }),
                      2, kWrite),
      16);
}

// With a stride of s words, gcd(s, 32) lanes access the same bank.
TEST(BankConflicts, StridedWords) {
  for (uint32_t stride = 1; stride <= 64; ++stride)
    EXPECT_EQ(countWavefronts(lanes([&](uint32_t l) { return 4 * stride * l; }),
                              4, kWrite),
              int(std::gcd(stride, 32u)))
        << stride;
}

// Reads a column of float[32][32], and of an array with rows padded to 33.
TEST(BankConflicts, ColumnOfAMatrix) {
  EXPECT_EQ(
      countWavefronts(lanes([](uint32_t l) { return l * 128; }), 4, kWrite),
      32);
  EXPECT_EQ(
      countBankConflicts(lanes([](uint32_t l) { return l * 128; }), 4, kWrite),
      31);
  EXPECT_EQ(
      countWavefronts(lanes([](uint32_t l) { return l * 132; }), 4, kWrite), 1);
}

// Lanes of different phases do not conflict: a phase has 16 lanes with 8 bytes
// each, or 8 lanes with 16 bytes each.
TEST(BankConflicts, PhasesAreApart) {
  EXPECT_EQ(countWavefronts(
                lanes([](uint32_t l) { return l % 16 * 8 + l / 16 * 1024; }), 8,
                kWrite),
            2);
  EXPECT_EQ(countWavefronts(
                lanes([](uint32_t l) { return l % 8 * 16 + l / 8 * 1024; }), 16,
                kWrite),
            4);
  // Lanes 0 and 15 of one phase access the same banks.
  EXPECT_EQ(countWavefronts(
                lanes([](uint32_t l) { return l % 16 == 15 ? 1024 : l * 8; }),
                8, kWrite),
            4);
}

// Eight lanes of a phase read one 16-byte unit of each row of 128 bytes, from
// the same four banks. The 128-byte swizzle spreads them over all banks.
TEST(BankConflicts, SwizzleRemovesTheConflictsOfAColumn) {
  Swizzle swizzle{3, 4, 3};
  for (uint32_t unit = 0; unit < 8; ++unit) {
    auto plain = [&](uint32_t l) { return l * 128 + unit * 16; };
    EXPECT_EQ(countWavefronts(lanes(plain), 16, kWrite), 32);
    EXPECT_EQ(countBankConflicts(lanes(plain), 16, kWrite), 28);
    auto swizzled = [&](uint32_t l) {
      return static_cast<uint32_t>(swizzle.apply(plain(l)));
    };
    EXPECT_EQ(countWavefronts(lanes(swizzled), 16, kWrite), 4);
  }
}

TEST(BankConflicts, InactiveLanesCostNothing) {
  EXPECT_EQ(countWavefronts(LaneAddresses(32), 4, kWrite), 0);
  EXPECT_EQ(minimalWavefronts(LaneAddresses(32), 16, kWrite), 0);
  EXPECT_EQ(countWavefronts({}, 4, kWrite), 0);
  LaneAddresses one(32);
  one[9] = 48;
  for (unsigned bytes : {4u, 8u, 16u}) {
    EXPECT_EQ(countWavefronts(one, bytes, kWrite), 1);
    EXPECT_EQ(minimalWavefronts(one, bytes, kWrite), 1);
  }
  LaneAddresses quarter = lanes([](uint32_t l) { return l * 128; });
  std::fill(quarter.begin() + 8, quarter.end(), std::nullopt);
  EXPECT_EQ(countWavefronts(quarter, 16, kWrite), 8);
  EXPECT_EQ(minimalWavefronts(quarter, 16, kWrite), 1);
  // If there are fewer than 32 addresses, the other lanes are inactive.
  quarter.resize(8);
  EXPECT_EQ(countWavefronts(quarter, 16, kWrite), 8);
}

TEST(BankConflicts, AddressesNearTheTopDoNotWrap) {
  EXPECT_EQ(countWavefronts({uint32_t(0xfffffff0)}, 16, kWrite), 1);
  EXPECT_EQ(countWavefronts({uint32_t(0xfffffffc), uint32_t(0x7c)}, 4, kWrite),
            2);
}

// Bytes that a copy reads from different lines are written line by line; zeros
// count as one more line.
TEST(BankConflicts, CopiesAreSplitByLine) {
  LaneAddresses access = lanes([](uint32_t l) { return l * 16; });
  access[31] = std::nullopt;
  LaneLines lines(32);
  for (size_t lane = 0; lane < 24; ++lane)
    lines[lane] = 7 - lane / 12;
  std::vector<LaneAddresses> parts = splitByLine(access, lines);
  ASSERT_EQ(parts.size(), 3u);
  for (size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(parts[0][lane].has_value(), lane >= 24 && lane < 31);
    EXPECT_EQ(parts[1][lane].has_value(), lane >= 12 && lane < 24);
    EXPECT_EQ(parts[2][lane].has_value(), lane < 12);
  }
  EXPECT_EQ(parts[1][12], access[12]);
  EXPECT_TRUE(splitByLine({std::nullopt}, {3}).empty());
}

// An independent statement of the model: sets of words, bank by bank.
TEST(BankConflicts, MatchesTheModelOnRandomAccesses) {
  Sequence sequence(3);
  for (int trial = 0; trial < 3000; ++trial) {
    unsigned bytes = 1u << sequence.next(5);
    uint32_t range = 1u << (1 + sequence.next(8));
    LaneAddresses access(32);
    for (auto &lane : access)
      if (sequence.next(5) != 0)
        lane = uint32_t(sequence.next(range)) * bytes;
    unsigned width = bytes <= 4 ? 32 : 128 / bytes;
    size_t expected = 0, minimum = 0;
    for (unsigned phase = 0; phase < 32 / width; ++phase) {
      std::map<unsigned, std::set<unsigned>> words;
      for (unsigned lane = phase * width; lane < (phase + 1) * width; ++lane)
        for (unsigned byte = 0; access[lane] && byte < bytes; ++byte)
          words[(*access[lane] + byte) / 4 % 32].insert((*access[lane] + byte) /
                                                        4);
      size_t most = 0;
      for (const auto &bank : words)
        most = std::max(most, bank.second.size());
      expected += most;
      minimum += !words.empty();
    }
    ASSERT_EQ(countWavefronts(access, bytes, kWrite), int(expected));
    ASSERT_EQ(minimalWavefronts(access, bytes, kWrite), int(minimum));
    ASSERT_EQ(countBankConflicts(access, bytes, kWrite),
              int(expected - minimum));
  }
}

// Compares with measurements on an H200, pattern by pattern.
TEST(BankConflicts, MatchesTheHardware) {
  std::ifstream file(TILE_TEST_INPUTS "/wavefronts-h200.txt");
  int patterns = 0, merged = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    unsigned bytes;
    std::string direction;
    int counted;
    words >> bytes >> direction >> counted;
    LaneAddresses access;
    for (uint32_t address; words >> address;)
      access.push_back(address * bytes);
    ASSERT_EQ(access.size(), 32u) << line;
    auto kind =
        direction == "read" ? AccessDirection::kRead : AccessDirection::kWrite;
    EXPECT_EQ(countWavefronts(access, bytes, kind), counted) << line;
    EXPECT_LE(minimalWavefronts(access, bytes, kind), counted) << line;
    ++patterns;
    merged += counted < countWavefronts(access, bytes, kWrite);
  }
  EXPECT_GT(patterns, 500);
  EXPECT_GT(merged, 40);
}
