// Documentation.h - what the reference says of the dialect's things
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_DOCUMENTATION_DOCUMENTATION_H
#define TILE_DOCUMENTATION_DOCUMENTATION_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

/// The reference of the dialect (docs/reference/Dialect.md), which is part of
/// the program, taken apart.
class Documentation {
public:
  Documentation();

  /// Summary, syntax, description with constraints, and examples, in Markdown
  /// without a heading. `name` is what programs say: "tile.load",
  /// "#tile.tiling", "!tile.tile". Empty for what the dialect does not have.
  llvm::StringRef find(llvm::StringRef name) const {
    return texts.lookup(name);
  }

  /// The summary alone: one line, without a period. Empty for what has none.
  llvm::StringRef findSummary(llvm::StringRef name) const;

private:
  llvm::StringMap<llvm::StringRef> texts;
};

} // namespace tile

#endif // TILE_DOCUMENTATION_DOCUMENTATION_H
