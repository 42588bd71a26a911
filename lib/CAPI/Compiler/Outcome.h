// Outcome.h - results of a run on the emulator, as records of C
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

/// The profiles of the launches of a call.
class ProfileList {
public:
  void add(const std::string &kernel, EmulatorProfile profile);
  /// Joins the profiles. The profile of a function is a list of the profiles of
  /// its launches, with the names of the kernels. The profile of a kernel is
  /// that of its launch; empty if it was not launched.
  EmulatorProfile join(bool isFunction) const;

private:
  std::vector<std::pair<std::string, EmulatorProfile>> profiles;
};

/// A tile_outcome.
class Outcome {
public:
  static constexpr HandleKind kKind = HandleKind::Outcome;

  /// Adds findings as records. `sites` are the instructions to which they
  /// refer.
  void addFindings(EmulatorFindings findings,
                   const std::vector<emulator::Site> &sites);

  const std::vector<const tile_finding *> &getFindings() const {
    return records;
  }

  /// The profile, if it was requested.
  std::optional<EmulatorProfile> profile;

private:
  const tile_party *addParty(const emulator::Party &party,
                             const std::vector<emulator::Site> &sites);
  const char *keep(std::string text);

  /// These are deques, since the addresses of their elements do not change.
  std::deque<std::string> texts;
  std::deque<tile_party> parties;
  std::deque<tile_finding> findings;
  std::vector<const tile_finding *> records;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_OUTCOME_H
