// EmulateMutation.h - runs a kernel after phase 8 on the emulator
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

/// Contents of a kernel's arrays after each launch. A launch that the entry
/// point of the unmutated kernel does not accept, or in which the emulator
/// finds an error, has no value.
using Results = std::vector<std::optional<std::vector<char>>>;

/// Runs the kernel `name` of `module`, which has been through phase 8, in every
/// launch. If it does not compile or no launch succeeds, `problem` is set to
/// the reason.
Results emulateRight(mlir::ModuleOp module, llvm::StringRef name,
                     std::string &problem);

/// Runs a mutated kernel in each of the launches for which `right` has results,
/// up to the first failure. Returns the emulator's first finding, "wrong
/// values" if the results differ from `right`, the error of the compilation, or
/// an empty string if there is no failure.
std::string emulateWrong(mlir::ModuleOp module, llvm::StringRef name,
                         const Results &right);

} // namespace tile::test

#endif // TILE_TEST_LIB_EMULATEMUTATION_H
