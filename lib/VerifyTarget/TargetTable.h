// TargetTable.h - architecture and PTX version of instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_TARGETTABLE_H
#define TILE_LIB_TARGET_TARGETTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile {

/// Requirements of an instruction.
struct TargetRow {
  /// The instruction's name as `getInstructionName` makes it; each '*' stands
  /// for any rest.
  llvm::StringRef name;
  /// The first architecture, as Architecture::number.
  int architecture;
  /// True for an instruction of that one architecture's 'a' variant only.
  bool accelerated;
  /// The first PTX version, times ten.
  int ptxVersion;

  /// "sm_89 or later", "sm_90a".
  std::string describeArchitecture() const;
};

/// The first row for the name; null if there is none.
const TargetRow *findTargetRow(llvm::StringRef name);

} // namespace tile

#endif // TILE_LIB_TARGET_TARGETTABLE_H
