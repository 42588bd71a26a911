// Registration.h - what every tool registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_REGISTRATION_H
#define TILE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace tile {

/// The dialects that a tile program, or any phase on its way down, may hold,
/// with the external interfaces (inlining, translation to LLVM IR) they need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of the project, and the upstream ones that its
/// users combine them with (canonicalize, cse, inline, ...).
void registerAllPasses();

} // namespace tile

#endif // TILE_REGISTRATION_H
