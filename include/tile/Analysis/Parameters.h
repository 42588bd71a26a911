// Parameters.h - how many bytes a launch passes to a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_PARAMETERS_H
#define TILE_ANALYSIS_PARAMETERS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Maximum number of bytes of parameters (PTX ISA, "Kernel Function
/// Parameters").
inline constexpr int64_t kMostParameterBytes = 32764;

/// Fails at a kernel whose arguments have more bytes than kMostParameterBytes.
/// Such a kernel would also take long to compile.
llvm::LogicalResult verifyParameters(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_PARAMETERS_H
