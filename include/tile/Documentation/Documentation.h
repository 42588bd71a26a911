// Documentation.h - descriptions of the dialect's entities from the reference
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_DOCUMENTATION_DOCUMENTATION_H
#define TILE_DOCUMENTATION_DOCUMENTATION_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

/// The reference of the dialect (docs/reference/Dialect.md), which is part of
/// the program, split by entity.
class Documentation {
public:
  Documentation();

  /// Returns summary, syntax, description with constraints, and examples, in
  /// Markdown without a heading. `name` is the spelling in programs:
  /// "tile.load", "#tile.tiling", "!tile.tile". Empty if the dialect has no
  /// such entity.
  llvm::StringRef find(llvm::StringRef name) const {
    return texts.lookup(name);
  }

  /// Returns only the summary: one line, without a period. Empty if `name` has
  /// none.
  llvm::StringRef findSummary(llvm::StringRef name) const;

private:
  llvm::StringMap<llvm::StringRef> texts;
};

} // namespace tile

#endif // TILE_DOCUMENTATION_DOCUMENTATION_H
