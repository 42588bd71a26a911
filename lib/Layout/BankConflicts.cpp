// BankConflicts.cpp - wavefronts of a warp's access to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/BankConflicts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <map>

using namespace tile;

/// Returns the number of lanes of one phase, which access 128 bytes together,
/// the width of all banks.
static size_t getLanesPerPhase(unsigned accessBytes) {
  assert((accessBytes == 1 || accessBytes == 2 || accessBytes == 4 ||
          accessBytes == 8 || accessBytes == 16) &&
         "expected an access of 1, 2, 4, 8 or 16 bytes");
  return accessBytes <= kBankBytes ? 32 : kNumBanks * kBankBytes / accessBytes;
}

/// Counts the wavefronts of the lanes first ... last-1, served together.
static int countPhase(const LaneAddresses &addresses, size_t first, size_t last,
                      unsigned accessBytes) {
  // The distinct words of each bank; a lane has one word in a bank at most.
  std::array<std::array<uint64_t, 32>, kNumBanks> words;
  std::array<int, kNumBanks> load = {};
  for (size_t lane = first; lane < last; ++lane) {
    if (!addresses[lane])
      continue;
    uint64_t address = *addresses[lane];
    for (uint64_t word = address / kBankBytes;
         word <= (address + accessBytes - 1) / kBankBytes; ++word) {
      auto &known = words[word % kNumBanks];
      int &count = load[word % kNumBanks];
      if (std::find(known.begin(), known.begin() + count, word) ==
          known.begin() + count)
        known[count++] = word;
    }
  }
  return *std::max_element(load.begin(), load.end());
}

/// Whether each lane requests the same data as the lane whose index differs by
/// `mask`.
static bool areShared(const LaneAddresses &addresses, size_t first, size_t last,
                      size_t mask) {
  for (size_t lane = first; lane < last; ++lane)
    if ((lane ^ mask) >= addresses.size() ||
        addresses[lane] != addresses[lane ^ mask])
      return false;
  return true;
}

static bool isActive(const LaneAddresses &addresses, size_t first,
                     size_t last) {
  return std::any_of(addresses.begin() + first, addresses.begin() + last,
                     [](const std::optional<uint32_t> &address) {
                       return address.has_value();
                     });
}

/// Calls `visit(first, middle, last, canMerge)` for each pair of neighbouring
/// phases, lanes first ... middle-1 and middle ... last-1.
template <typename Visit>
static void forEachPair(const LaneAddresses &addresses, unsigned accessBytes,
                        AccessDirection direction, Visit visit) {
  size_t lanes = addresses.size();
  assert(lanes <= 32 && "expected the lanes of one warp");
  size_t step = getLanesPerPhase(accessBytes);
  for (size_t first = 0; first < lanes; first += 2 * step) {
    size_t middle = std::min(first + step, lanes);
    size_t last = std::min(first + 2 * step, lanes);
    bool canMerge = direction == AccessDirection::kRead && middle < last &&
                    (areShared(addresses, first, last, 1) ||
                     areShared(addresses, first, last, 2));
    visit(first, middle, last, canMerge);
  }
}

int tile::countWavefronts(const LaneAddresses &laneByteAddresses,
                          unsigned accessBytes, AccessDirection direction) {
  int total = 0;
  forEachPair(laneByteAddresses, accessBytes, direction,
              [&](size_t first, size_t middle, size_t last, bool canMerge) {
                if (canMerge && countPhase(laneByteAddresses, first, last,
                                           accessBytes) == 1) {
                  ++total;
                  return;
                }
                total +=
                    countPhase(laneByteAddresses, first, middle, accessBytes) +
                    countPhase(laneByteAddresses, middle, last, accessBytes);
              });
  return total;
}

int tile::minimalWavefronts(const LaneAddresses &laneByteAddresses,
                            unsigned accessBytes, AccessDirection direction) {
  int total = 0;
  forEachPair(laneByteAddresses, accessBytes, direction,
              [&](size_t first, size_t middle, size_t last, bool canMerge) {
                int phases = isActive(laneByteAddresses, first, middle) +
                             isActive(laneByteAddresses, middle, last);
                total += canMerge ? std::min(phases, 1) : phases;
              });
  return total;
}

int tile::countBankConflicts(const LaneAddresses &laneByteAddresses,
                             unsigned accessBytes, AccessDirection direction) {
  return countWavefronts(laneByteAddresses, accessBytes, direction) -
         minimalWavefronts(laneByteAddresses, accessBytes, direction);
}

std::vector<LaneAddresses>
tile::splitByLine(const LaneAddresses &laneByteAddresses,
                  const LaneLines &lines) {
  size_t lanes = laneByteAddresses.size();
  std::map<std::optional<uint64_t>, LaneAddresses> parts;
  for (size_t lane = 0; lane < lanes; ++lane)
    if (laneByteAddresses[lane])
      parts.try_emplace(lines[lane], lanes).first->second[lane] =
          laneByteAddresses[lane];
  std::vector<LaneAddresses> result;
  for (auto &[line, addresses] : parts)
    result.push_back(std::move(addresses));
  return result;
}
