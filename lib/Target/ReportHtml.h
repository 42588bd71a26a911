// ReportHtml.h - the report as a page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file of HTML without scripts and without anything from elsewhere: the
// tables of the report, the program and its PTX side by side, the IR after each
// phase, shared memory over time, and layouts as pictures.

#ifndef TILE_LIB_TARGET_REPORTHTML_H
#define TILE_LIB_TARGET_REPORTHTML_H

#include "tile/Target/PassText.h"
#include "tile/Target/Report.h"

#include <optional>

namespace tile {

/// What a page shows. Files that places of the report name are read; of one
/// that cannot be, lines have numbers and no text.
struct Page {
  /// The program's name.
  std::string title;
  const ModuleReport &report;
  llvm::StringRef ptx;
  llvm::ArrayRef<PassText> phases;
  /// What an emulated launch counted, as `tile-run --profile-json` writes it.
  std::optional<llvm::json::Value> profile;
};

std::string toHtml(const Page &page);

/// Reads what `tile-run --profile-json` writes; an error says what is wrong
/// with another text.
llvm::Expected<llvm::json::Value> parseProfile(llvm::StringRef text);

} // namespace tile

#endif // TILE_LIB_TARGET_REPORTHTML_H
