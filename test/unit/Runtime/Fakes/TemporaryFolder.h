// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- TemporaryFolder.h - a folder for one test ----------------*- C++ -*-===//

#ifndef TILE_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
#define TILE_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <stdlib.h>

/// A new folder, which is removed with all its files.
class TemporaryFolder {
public:
  TemporaryFolder() : folder(::testing::TempDir() + "tile-runtime-XXXXXX") {
    if (!mkdtemp(&folder[0]))
      ADD_FAILURE() << "no temporary folder";
  }
  ~TemporaryFolder() { std::filesystem::remove_all(folder); }

  std::string operator/(const std::string &name) const {
    return folder + "/" + name;
  }

  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }

  std::string read(const std::string &name) const {
    std::ifstream stream(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Returns the names of all files, sorted.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  std::string folder;
};

#endif // TILE_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
