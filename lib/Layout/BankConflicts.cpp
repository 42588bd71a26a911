// BankConflicts.cpp - wavefronts of a warp's access to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/BankConflicts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

using namespace tile;

/// Lanes of one phase: as many as make 128 bytes, the width of all banks.
static size_t getLanesPerPhase(unsigned accessBytes) {
  assert((accessBytes == 1 || accessBytes == 2 || accessBytes == 4 ||
          accessBytes == 8 || accessBytes == 16) &&
         "expected an access of 1, 2, 4, 8 or 16 bytes");
  return accessBytes <= kBankBytes ? 32 : kNumBanks * kBankBytes / accessBytes;
}

/// Wavefronts of the lanes first ... last-1, served together.
static int countPhase(const LaneAddresses &addresses, size_t first, size_t last,
                      unsigned accessBytes) {
  std::vector<uint64_t> words;
  for (size_t lane = first; lane < last; ++lane) {
    if (!addresses[lane])
      continue;
    uint64_t address = *addresses[lane];
    for (uint64_t word = address / kBankBytes;
         word <= (address + accessBytes - 1) / kBankBytes; ++word)
      words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<int, kNumBanks> load = {};
  for (uint64_t word : words)
    ++load[word % kNumBanks];
  return *std::max_element(load.begin(), load.end());
}

int tile::countWavefronts(const LaneAddresses &laneByteAddresses,
                          unsigned accessBytes) {
  size_t lanes = laneByteAddresses.size();
  assert(lanes <= 32 && "expected the lanes of one warp");
  size_t step = getLanesPerPhase(accessBytes);
  int total = 0;
  for (size_t first = 0; first < lanes; first += step)
    total += countPhase(laneByteAddresses, first, std::min(first + step, lanes),
                        accessBytes);
  return total;
}

int tile::minimalWavefronts(const LaneAddresses &laneByteAddresses,
                            unsigned accessBytes) {
  size_t lanes = laneByteAddresses.size();
  assert(lanes <= 32 && "expected the lanes of one warp");
  size_t step = getLanesPerPhase(accessBytes);
  int total = 0;
  for (size_t first = 0; first < lanes; first += step)
    total += std::any_of(
        laneByteAddresses.begin() + first,
        laneByteAddresses.begin() + std::min(first + step, lanes),
        [](const std::optional<uint32_t> &address) { return address; });
  return total;
}

int tile::countBankConflicts(const LaneAddresses &laneByteAddresses,
                             unsigned accessBytes) {
  return countWavefronts(laneByteAddresses, accessBytes) -
         minimalWavefronts(laneByteAddresses, accessBytes);
}
