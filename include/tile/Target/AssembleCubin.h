// AssembleCubin.h - from PTX to the binary that the driver loads
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
  /// Facts in the order of the entry points' names in the messages of ptxas.
  std::vector<AssemblyFacts> facts;
};

struct AssembleCubinOptions {
  ToolkitFile ptxas;
  /// Write the line directives of the PTX into the cubin.
  bool lineTables = true;
};

/// Runs ptxas. A ptxas that is not there or that fails is an error at
/// `location`, with what to install or with its message. Temporary files are
/// removed in every case.
mlir::FailureOr<AssembledCubin>
assembleCubin(mlir::Location location, llvm::StringRef ptx,
              const Architecture &architecture,
              const AssembleCubinOptions &options = {});

/// Parses the messages of `ptxas -v`.
std::vector<AssemblyFacts> parseAssemblyFacts(llvm::StringRef messages);

/// Image of a fat binary.
struct FatbinImage {
  const Architecture *architecture;
  std::string cubin;
};

/// Runs `fatbinary`: one file with an image for each architecture. Errors as
/// for `assembleCubin`.
mlir::FailureOr<std::string> joinFatbin(mlir::Location location,
                                        llvm::ArrayRef<FatbinImage> images,
                                        const ToolkitFile &fatbinary);

} // namespace tile

#endif // TILE_TARGET_ASSEMBLECUBIN_H
