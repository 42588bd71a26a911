// Outcome.h - what a run on the emulator told, as records of C
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_OUTCOME_H
#define TILE_LIB_CAPI_COMPILER_OUTCOME_H

#include "../Common/Handles.h"

#include "tile-c/Compiler.h"
#include "tile/Execution/EmulatorJit.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tile::capi {

/// The counters of launches.
class ProfileList {
public:
  void add(const std::string &kernel, EmulatorProfile profile);
  /// Of a function as a list, by kernel; of a kernel its own, or empty ones
  /// where it was not launched.
  EmulatorProfile join(bool isFunction) const;

private:
  std::vector<std::pair<std::string, EmulatorProfile>> profiles;
};

/// A tile_outcome.
class Outcome {
public:
  static constexpr HandleKind kKind = HandleKind::Outcome;

  /// Takes what was found, by the instructions of the program.
  void addFindings(EmulatorFindings findings,
                   const std::vector<emulator::Site> &sites);

  const std::vector<const tile_finding *> &getFindings() const {
    return records;
  }

  /// The counters, if they were asked for.
  std::optional<EmulatorProfile> profile;

private:
  const tile_party *addParty(const emulator::Party &party,
                             const std::vector<emulator::Site> &sites);
  const char *keep(std::string text);

  /// Deques: the addresses of their elements do not change.
  std::deque<std::string> texts;
  std::deque<tile_party> parties;
  std::deque<tile_finding> findings;
  std::vector<const tile_finding *> records;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_OUTCOME_H
