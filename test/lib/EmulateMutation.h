// EmulateMutation.h - a kernel after phase 8, run on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_LIB_EMULATEMUTATION_H
#define TILE_TEST_LIB_EMULATEMUTATION_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile::test {

/// What a kernel leaves in its arrays, one entry a launch. A launch that the
/// kernel as it should be does not take, or of which the emulator finds
/// something, has no entry's value.
using Results = std::vector<std::optional<std::vector<char>>>;

/// Runs the kernel `name` of `module`, which has been through phase 8, in every
/// launch there is. An error if it does not compile, or runs in no launch; then
/// `problem` says why.
Results emulateRight(mlir::ModuleOp module, llvm::StringRef name,
                     std::string &problem);

/// Runs a mutated kernel in each of the launches that `right` has results of,
/// until something is wrong: the emulator's first finding, other values than
/// `right`, or what its compilation says. Empty if nothing is.
std::string emulateWrong(mlir::ModuleOp module, llvm::StringRef name,
                         const Results &right);

} // namespace tile::test

#endif // TILE_TEST_LIB_EMULATEMUTATION_H
