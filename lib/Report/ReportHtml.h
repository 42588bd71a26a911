// ReportHtml.h - the report as a page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page is one HTML file without scripts and external resources. It has the
// tables of the report, the program and its PTX side by side, the IR after each
// phase, shared memory over time, and layouts as pictures.

#ifndef TILE_LIB_REPORT_REPORTHTML_H
#define TILE_LIB_REPORT_REPORTHTML_H

#include "tile/Report/PassText.h"
#include "tile/Report/Report.h"

#include <optional>

namespace tile {

/// Contents of a page. The program's files to which the report refers are read.
/// Lines of a file that cannot be read are shown as line numbers without text.
struct Page {
  /// The program's name.
  std::string title;
  const ModuleReport &report;
  llvm::StringRef ptx;
  llvm::ArrayRef<PassText> phases;
  /// Counts of an emulated launch, as `tile-run --profile-json` writes them.
  std::optional<llvm::json::Value> profile;
};

std::string toHtml(const Page &page);

/// Reads the output of `tile-run --profile-json`. Returns an error, with the
/// reason, for another text.
llvm::Expected<llvm::json::Value> parseProfile(llvm::StringRef text);

} // namespace tile

#endif // TILE_LIB_REPORT_REPORTHTML_H
