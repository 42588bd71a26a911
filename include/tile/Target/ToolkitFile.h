// ToolkitFile.h - a file of the CUDA toolkit that the caller provides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas, fatbinary and libdevice are part of the CUDA toolkit. The libraries do
// not search for them and do not read the environment: the caller specifies
// their paths.

#ifndef TILE_TARGET_TOOLKITFILE_H
#define TILE_TARGET_TOOLKITFILE_H

#include <string>

namespace tile {

struct ToolkitFile {
  /// Empty if the caller has none.
  std::string path;
  /// Advice in the message if the file is needed and missing: "install the CUDA
  /// toolkit or ...".
  std::string advice = "install the CUDA toolkit, and give the path";

  bool isProgram() const;
  bool isFile() const;
  /// Returns the end of a message, "which was not found", with the advice.
  std::string getMissing() const;
};

} // namespace tile

#endif // TILE_TARGET_TOOLKITFILE_H
