// Settings.h - options that an editor may set
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_SETTINGS_H
#define TILE_TOOLS_TILELSPSERVER_SETTINGS_H

#include "llvm/Support/JSON.h"

#include <string>

namespace tile::lspserver {

struct Settings {
  /// The architecture for modules without a `tile.target`; empty for the
  /// compiler's default.
  std::string arch;
  /// A regular expression that matches the flags of the passes whose remarks
  /// are shown, as for `tile-opt --remarks-filter`; empty for no passes.
  std::string remarks;
  /// Whether to run the phases.
  bool phases = true;
  /// Milliseconds without a change before the phases run.
  int64_t delay = 300;

  /// Checks the settings; returns an error message, empty if they are valid.
  std::string verify() const;
};

/// Reads the settings from `options`, an editor's initializationOptions; other
/// entries are ignored. Returns an error message, and then changes no settings;
/// empty on success.
std::string readSettings(const llvm::json::Value &options, Settings &settings);

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_SETTINGS_H
