// Registration.h - registration of all dialects, passes and pipelines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tools, and for compilers that build programs in the dialect: dialects are
// those of a context, passes and pipelines those of the process, by the names
// that command lines and mlir::parsePassPipeline know them by. A client that
// adds passes by their functions (Passes.h of Transforms, Conversion and
// Target) registers only dialects.

#ifndef TILE_REGISTRATION_H
#define TILE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace tile {

/// The dialects that a tile program, or any phase on its way down, may hold,
/// with the external interfaces (inlining, translation to LLVM IR) they need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass of the project, and the upstream ones that its users combine them
/// with (canonicalize, cse, inline, ...). May be called again.
void registerAllPasses();

/// Every pipeline of the project: -tile-phases, -tile-lowering, -tile-to-nvvm,
/// -tile-to-cpu. May be called again.
void registerAllPipelines();

} // namespace tile

#endif // TILE_REGISTRATION_H
