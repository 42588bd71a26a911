// AssembleCubin.h - assemble PTX to the binary that the driver loads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_ASSEMBLECUBIN_H
#define TILE_TARGET_ASSEMBLECUBIN_H

#include "tile/Analysis/Architecture.h"
#include "tile/Report/AssemblyFacts.h"
#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace tile {

struct AssembledCubin {
  std::string cubin;
  /// The facts in the order in which ptxas reports the entry points.
  std::vector<AssemblyFacts> facts;
};

struct AssembleCubinOptions {
  ToolkitFile ptxas;
  /// Whether the cubin contains the line directives of the PTX.
  bool lineTables = true;
};

/// Runs ptxas. If ptxas is missing or fails, this is an error at `location`,
/// with advice on what to install or with the message of ptxas. Temporary files
/// are always removed.
mlir::FailureOr<AssembledCubin>
assembleCubin(mlir::Location location, llvm::StringRef ptx,
              const Architecture &architecture,
              const AssembleCubinOptions &options = {});

/// Parses the messages of `ptxas -v`.
std::vector<AssemblyFacts> parseAssemblyFacts(llvm::StringRef messages);

/// An image of a fat binary.
struct FatbinImage {
  const Architecture *architecture;
  std::string cubin;
};

/// Runs `fatbinary` to make one file with an image for each architecture.
/// Reports errors as `assembleCubin` does.
mlir::FailureOr<std::string> joinFatbin(mlir::Location location,
                                        llvm::ArrayRef<FatbinImage> images,
                                        const ToolkitFile &fatbinary);

} // namespace tile

#endif // TILE_TARGET_ASSEMBLECUBIN_H
