// Settings.h - what an editor may choose
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_SETTINGS_H
#define TILE_TOOLS_TILELSPSERVER_SETTINGS_H

#include "llvm/Support/JSON.h"

#include <string>

namespace tile::lspserver {

struct Settings {
  /// The architecture to compile for where a module has no `tile.target`;
  /// empty for the compiler's default.
  std::string arch;
  /// Passes whose remarks are shown, as `tile-opt --remarks-filter` has them: a
  /// regular expression of their flags; empty for none.
  std::string remarks;
  /// Whether to run the phases.
  bool phases = true;
  /// Milliseconds without a change before the phases run.
  int64_t delay = 300;

  /// What is wrong with them; empty if nothing is.
  std::string verify() const;
};

/// Takes those that `options`, an editor's initializationOptions, has under
/// their names. Gives what is wrong with them, and then takes none; others are
/// the business of the editor.
std::string readSettings(const llvm::json::Value &options, Settings &settings);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_SETTINGS_H
