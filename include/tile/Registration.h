// Registration.h - registration of all dialects, passes and pipelines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions are for tools, and for compilers that build programs in the
// dialect. Dialects are registered for a context; passes and pipelines for the
// process, by the names that command lines and mlir::parsePassPipeline use. A
// client that adds passes by their functions (Passes.h of Transforms,
// Conversion and Target) registers only dialects.

#ifndef TILE_REGISTRATION_H
#define TILE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace tile {

/// Registers the dialects that a tile program may have before or after any
/// phase, with the external interfaces (inlining, translation to LLVM IR) that
/// they need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers every pass of the project, and the upstream passes that its users
/// combine with these (canonicalize, cse, inline, ...). May be called again.
void registerAllPasses();

/// Registers every pipeline of the project: -tile-phases, -tile-lowering,
/// -tile-to-nvvm, -tile-to-cpu. May be called again.
void registerAllPipelines();

} // namespace tile

#endif // TILE_REGISTRATION_H
