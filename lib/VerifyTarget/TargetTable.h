// TargetTable.h - architecture and PTX version of instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_TARGETTABLE_H
#define TILE_LIB_TARGET_TARGETTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile {

/// Requirements of an instruction.
struct TargetRow {
  /// Name of the instruction as `getInstructionName` returns it; each '*'
  /// matches any text.
  llvm::StringRef name;
  /// First architecture, in the units of Architecture::number.
  int architecture;
  /// Whether the instruction exists only in the 'a' variant of this
  /// architecture.
  bool accelerated;
  /// First PTX version, times ten.
  int ptxVersion;

  /// Returns text such as "sm_89 or later" or "sm_90a".
  std::string describeArchitecture() const;
};

/// Returns the first row that matches the name; null if there is none.
const TargetRow *findTargetRow(llvm::StringRef name);

} // namespace tile

#endif // TILE_LIB_TARGET_TARGETTABLE_H
