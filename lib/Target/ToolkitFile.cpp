// ToolkitFile.cpp - a file of the CUDA toolkit that the caller provides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/ToolkitFile.h"

#include "llvm/Support/FileSystem.h"

using namespace tile;

bool ToolkitFile::isProgram() const { return llvm::sys::fs::can_execute(path); }

bool ToolkitFile::isFile() const {
  return llvm::sys::fs::is_regular_file(path);
}

std::string ToolkitFile::getMissing() const {
  return (path.empty() ? "" : "'" + path + "', ") + "which was not found; " +
         advice;
}
