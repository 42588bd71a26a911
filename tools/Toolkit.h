// Toolkit.h - search for CUDA's programs and files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas, fatbinary and libdevice come with the CUDA toolkit, or with Python
// wheels that each contain a part of it (nvidia-cuda-nvcc, nvidia-nvvm). The
// search looks for both without running Python. It takes the first of these
// that exists:
//
//   1. the path on the command line,
//   2. the environment's TILE_PTXAS, TILE_FATBINARY, TILE_LIBDEVICE,
//   3. CUDA_HOME and CUDA_PATH,
//   4. nvidia/* in the site-packages that TILE_SITE_PACKAGES names,
//   5. PATH (for libdevice: the toolkit whose ptxas is on PATH),
//   6. /usr/local/cuda,
//   7. nvidia/* in the site-packages of VIRTUAL_ENV, the python3 on PATH and
//      the user.
//
// Does not use LLVM, because tile-run, which is built without LLVM, uses this
// search too.
//
// A path from 1 or 2 is the only one tried: the search never replaces a path
// that the user names explicitly.

#ifndef TILE_TOOLS_TOOLKIT_H
#define TILE_TOOLS_TOOLKIT_H

#include "tile/Target/ToolkitFile.h"

#include <string>

namespace tile {

/// A part of the toolkit.
enum class ToolkitPart { kPtxas, kFatbinary, kLibdevice };

/// Returns the part, with an empty path if it is not found. A non-empty
/// `explicitPath` is the only path tried.
ToolkitFile findToolkitPart(ToolkitPart part,
                            const std::string &explicitPath = "");

} // namespace tile

#endif // TILE_TOOLS_TOOLKIT_H
