// PhaseHelp.h - lists the compiler's phases in their order, for --help
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM lists passes alphabetically, which does not show the order in which they
// run.

#ifndef TILE_TOOLS_TILE_OPT_PHASEHELP_H
#define TILE_TOOLS_TILE_OPT_PHASEHELP_H

#include <string>

namespace tile {

/// Describes the phases of docs/Pipeline.md with their passes, one per line.
/// @pre the passes are registered.
std::string describePhases();

} // namespace tile

#endif // TILE_TOOLS_TILE_OPT_PHASEHELP_H
