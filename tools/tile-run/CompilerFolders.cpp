// CompilerFolders.cpp - folders in which the compiler's library is searched
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompilerFolders.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

static constexpr char kSearchVariable[] = "TILE_COMPILER_PATH";

/// Returns the folder of the running program; empty if it is not known.
static std::string getExecutableFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == ssize_t(sizeof path))
    return "";
  std::string text(path, static_cast<size_t>(length));
  return text.substr(0, text.rfind('/'));
}

std::vector<std::string> tile::runtime::getCompilerFolders() {
  std::vector<std::string> folders;
  if (const char *variable = std::getenv(kSearchVariable)) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      size_t end = std::min(rest.find(':'), rest.size());
      if (end != 0)
        folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::string executable = getExecutableFolder();
  if (!executable.empty()) {
    folders.push_back(executable + "/../lib");
    folders.push_back(executable);
  }
  return folders;
}
