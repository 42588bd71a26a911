// BankConflicts.h - wavefronts of a warp's access to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of sm_80 to sm_90 has 32 banks; successive words of four bytes
// lie in successive banks, and a bank serves one word a cycle. Lanes that touch
// the same word are served together, lanes that touch different words of one
// bank one after the other (CUDA C++ Programming Guide, the sections on shared
// memory of compute capability 5.x, to which those of 8.x and 9.0 refer).
//
// Accesses of 8 and 16 bytes a lane move 256 and 512 bytes a warp, more than
// the 128 bytes of a cycle; they are served in two phases of 16 lanes and four
// phases of 8 lanes. Loads may need fewer: two adjacent phases are served
// together if each of their lanes i requests the same data as lane i^1, or each
// the same as lane i^2, and no bank then has two words to deliver. The rule
// with i^2 is in no document. All rules hold for each of 906 patterns of
// addresses of 4, 8 and 16 bytes, loads and stores, whose wavefronts were
// counted on an H200 (docs/Performance.md, wavefronts of shared memory).
//
// Example: 32 lanes reading one column of float[32][32] touch 32 words of one
// bank: 32 wavefronts. With rows padded to 33 words it is one.

#ifndef TILE_LAYOUT_BANKCONFLICTS_H
#define TILE_LAYOUT_BANKCONFLICTS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tile {

/// Banks of shared memory (CUDA C++ Programming Guide, compute capability 5.x).
constexpr unsigned kNumBanks = 32;
/// Bytes of a bank's word (same section).
constexpr unsigned kBankBytes = 4;
/// Bytes of the lines in which cp.async reads global memory: the data that one
/// cp.async of a warp reads from two lines enters shared memory in two
/// wavefronts (measured on an H200: docs/Performance.md).
constexpr unsigned kLineBytes = 128;

/// The byte address each lane touches; nothing for an inactive lane.
using LaneAddresses = std::vector<std::optional<uint32_t>>;

/// Direction of an access. Only phases of a read may be served together.
enum class AccessDirection { kRead, kWrite };

/// The number of wavefronts (passes over the banks) of one warp-wide access of
/// `accessBytes` a lane. In each phase it is the greatest number of distinct
/// words in one bank; phases add up; a phase without an active lane costs
/// nothing. An address that is not aligned counts every word it touches.
/// @pre at most 32 lanes, accessBytes is 1, 2, 4, 8 or 16.
/// Example: 32 lanes with 4 bytes at 4*lane give 1, at 8*lane give 2, all at 0
/// give 1. 32 lanes with 16 bytes, all at 0, give 4 for a write and 2 for a
/// read.
int countWavefronts(const LaneAddresses &laneByteAddresses,
                    unsigned accessBytes, AccessDirection direction);

/// The least number of wavefronts for the active lanes: one for each phase with
/// an active lane. Two adjacent phases of a read count as one if their lanes
/// request the same data as the file's head describes. @pre as countWavefronts.
/// Example: 4 for 32 lanes of 16 bytes, 1 when only lanes 0 to 7 are active.
int minimalWavefronts(const LaneAddresses &laneByteAddresses,
                      unsigned accessBytes, AccessDirection direction);

/// The wavefronts above the minimum; 0 where no two lanes conflict.
/// @pre as countWavefronts.
int countBankConflicts(const LaneAddresses &laneByteAddresses,
                       unsigned accessBytes, AccessDirection direction);

/// The line of global memory that each lane of a cp.async reads; nothing for a
/// lane that reads none and writes zeros.
using LaneLines = std::vector<std::optional<uint64_t>>;

/// Returns the parts of a warp's cp.async that enter shared memory one after
/// the other: for each line the addresses that its lanes write. Lanes that only
/// write zeros form one part, like lanes of one line. @pre `lines` has an entry
/// for each active lane.
std::vector<LaneAddresses> splitByLine(const LaneAddresses &laneByteAddresses,
                                       const LaneLines &lines);

} // namespace tile

#endif // TILE_LAYOUT_BANKCONFLICTS_H
