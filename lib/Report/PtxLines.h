// PtxLines.h - line of the program for each line of PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_PTXLINES_H
#define TILE_LIB_REPORT_PTXLINES_H

#include "tile/Report/Report.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// Visits the lines of code of each entry point in turn, with the entry's
/// symbol and the position of the last `.loc` directive. The position has no
/// file before the first directive, or if there are no line tables.
void forEachPtxLine(
    llvm::StringRef ptx,
    llvm::function_ref<void(llvm::StringRef entry, const Place &location,
                            llvm::StringRef line)>
        visit);

} // namespace tile

#endif // TILE_LIB_REPORT_PTXLINES_H
