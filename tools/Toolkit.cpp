// Toolkit.cpp - search for CUDA's programs and files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <pwd.h>
#include <unistd.h>

using namespace tile;
namespace fs = std::filesystem;

namespace {
/// A part of the toolkit: its locations, and advice for users without it.
struct PartDescription {
  /// The name of a program, which is searched on PATH; empty for a file.
  std::string program;
  const char *environment;
  /// The path relative to the toolkit's directory and to a wheel's directory.
  std::string location;
  std::string advice;
};
} // namespace

static PartDescription describe(ToolkitPart part) {
  switch (part) {
  case ToolkitPart::kPtxas:
    return {"ptxas", "TILE_PTXAS", "bin/ptxas",
            "install the CUDA toolkit or 'pip install nvidia-cuda-nvcc', or "
            "set TILE_PTXAS to its path"};
  case ToolkitPart::kFatbinary:
    return {"fatbinary", "TILE_FATBINARY", "bin/fatbinary",
            "install the CUDA toolkit or 'pip install nvidia-cuda-nvcc', or "
            "set TILE_FATBINARY to its path"};
  case ToolkitPart::kLibdevice:
    return {"", "TILE_LIBDEVICE", "nvvm/libdevice/libdevice.10.bc",
            "install the CUDA toolkit or 'pip install nvidia-nvvm', or set "
            "TILE_LIBDEVICE to the path of libdevice.10.bc"};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Files and environment variables
//===----------------------------------------------------------------------===//

static bool isProgram(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// Splits a list of paths at ':' and drops empty ones.
static std::vector<fs::path> splitPaths(const char *text) {
  std::vector<fs::path> paths;
  std::string rest = text ? text : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0)
      paths.emplace_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return paths;
}

/// Finds the program on PATH.
static std::optional<fs::path> findProgram(const std::string &name) {
  for (const fs::path &directory : splitPaths(std::getenv("PATH")))
    if (isProgram(directory / name))
      return directory / name;
  return std::nullopt;
}

/// Resolves the links of the path; nothing if that fails.
static std::optional<fs::path> resolveLinks(const fs::path &path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? std::nullopt : std::optional<fs::path>(real);
}

static std::optional<fs::path> findHome() {
  if (const char *home = std::getenv("HOME"))
    return home;
  const passwd *user = getpwuid(getuid());
  return user && user->pw_dir ? std::optional<fs::path>(user->pw_dir)
                              : std::nullopt;
}

//===----------------------------------------------------------------------===//
// In a toolkit
//===----------------------------------------------------------------------===//

/// Returns the path if the part exists there.
static std::optional<std::string> check(const PartDescription &part,
                                        const fs::path &path) {
  std::error_code error;
  bool exists =
      part.program.empty() ? fs::is_regular_file(path, error) : isProgram(path);
  return exists ? std::optional<std::string>(path.string()) : std::nullopt;
}

static std::optional<std::string> checkBelow(const PartDescription &part,
                                             const fs::path &directory) {
  return check(part, directory / part.location);
}

/// Finds the part in the toolkit whose programs are on PATH. For a file,
/// follows links to ptxas: PATH may have a link to ptxas in a directory without
/// the other parts.
static std::optional<std::string> findOnPath(const PartDescription &part) {
  if (!part.program.empty()) {
    std::optional<fs::path> program = findProgram(part.program);
    return program ? std::optional<std::string>(program->string())
                   : std::nullopt;
  }
  std::optional<fs::path> ptxas = findProgram("ptxas");
  std::optional<fs::path> real = ptxas ? resolveLinks(*ptxas) : std::nullopt;
  if (!real)
    return std::nullopt;
  return checkBelow(part, real->parent_path().parent_path());
}

//===----------------------------------------------------------------------===//
// In wheels
//===----------------------------------------------------------------------===//

/// Appends the directories `directory`/`prefix`*/`name` in descending order of
/// their paths, so that newer versions usually come first.
static void appendMatches(std::vector<fs::path> &result,
                          const fs::path &directory, const std::string &prefix,
                          const std::string &name) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename().string().compare(0, prefix.size(), prefix) != 0)
      continue;
    fs::path path = name.empty() ? it->path() : it->path() / name;
    std::error_code none;
    if (fs::is_directory(path, none))
      found.push_back(path);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  result.insert(result.end(), found.begin(), found.end());
}

/// Appends the package directories of a Python installation at `prefix`.
static void appendPackages(std::vector<fs::path> &result,
                           const fs::path &prefix) {
  for (const char *library : {"lib", "local/lib"})
    for (const char *name : {"site-packages", "dist-packages"})
      appendMatches(result, prefix / library, "python3", name);
}

/// Lists the package directories of the user's and the system's Pythons, in
/// the order of the search.
static std::vector<fs::path> listPackageDirectories() {
  std::vector<fs::path> result;
  if (const char *environment = std::getenv("VIRTUAL_ENV"))
    appendPackages(result, environment);
  if (std::optional<fs::path> python = findProgram("python3")) {
    // The path may belong to a virtual environment; the target of its link then
    // belongs to the installation.
    appendPackages(result, python->parent_path().parent_path());
    if (std::optional<fs::path> real = resolveLinks(*python))
      appendPackages(result, real->parent_path().parent_path());
  }
  if (std::optional<fs::path> home = findHome())
    appendPackages(result, *home / ".local");
  return result;
}

static std::optional<std::string>
findInWheels(const PartDescription &part,
             const std::vector<fs::path> &directories) {
  for (const fs::path &packages : directories) {
    // The wheels are in nvidia/cu13 from CUDA 13 on, and before in
    // nvidia/cuda_nvcc and others.
    std::vector<fs::path> wheels;
    appendMatches(wheels, packages / "nvidia", "", "");
    for (const fs::path &wheel : wheels)
      if (auto path = checkBelow(part, wheel))
        return path;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Returns the path of the part, if it is found.
static std::optional<std::string> findPath(const PartDescription &part,
                                           const std::string &explicitPath) {
  if (!explicitPath.empty())
    return check(part, explicitPath);
  if (const char *given = std::getenv(part.environment))
    return check(part, given);
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *toolkit = std::getenv(variable))
      if (auto path = checkBelow(part, toolkit))
        return path;
  // The directories of Python packages that the user names.
  if (auto path =
          findInWheels(part, splitPaths(std::getenv("TILE_SITE_PACKAGES"))))
    return path;
  if (auto path = findOnPath(part))
    return path;
  if (auto path = checkBelow(part, "/usr/local/cuda"))
    return path;
  return findInWheels(part, listPackageDirectories());
}

ToolkitFile tile::findToolkitPart(ToolkitPart part,
                                  const std::string &explicitPath) {
  PartDescription description = describe(part);
  // A missing explicit path is returned as well, so that the error names it.
  return {findPath(description, explicitPath).value_or(explicitPath),
          description.advice};
}
