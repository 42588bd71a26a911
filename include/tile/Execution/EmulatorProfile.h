// EmulatorProfile.h - counters of a kernel on the emulator, by line
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EXECUTION_EMULATORPROFILE_H
#define TILE_EXECUTION_EMULATORPROFILE_H

#include "tile/Emulator/Machine.h"

#include <string>
#include <vector>

namespace tile {

/// Counters of one instruction in one line of the program, summed over its
/// sites.
struct ProfileRow {
  std::string location;
  std::string operation;
  std::string instruction;
  emulator::Counters counters;
};

/// Returns the rows ordered by file and line, then by instruction; rows that
/// never ran are left out.
std::vector<ProfileRow>
collectProfile(const std::vector<emulator::Site> &sites,
               const std::vector<emulator::Counters> &counters);

/// Returns the profile as a table. Each line of the tile program is printed
/// before its rows if its file can be read.
std::string printProfile(const std::vector<ProfileRow> &rows,
                         uint64_t barriers);

/// Returns the profile as JSON, `{"schema": 1, "barriers": N, "instructions":
/// [...]}`.
std::string printProfileJson(const std::vector<ProfileRow> &rows,
                             uint64_t barriers);

} // namespace tile

#endif // TILE_EXECUTION_EMULATORPROFILE_H
