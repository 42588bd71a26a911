// Toolkit.cpp - where CUDA's programs and files are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <algorithm>

using namespace llvm;
using namespace tile;

namespace {
/// What there is to know of a part.
struct PartDescription {
  /// Of a program: its name, looked for on PATH. Empty for a file.
  StringRef program;
  StringRef environment;
  /// Below the toolkit's directory, and below a wheel's.
  StringRef location;
  StringRef advice;
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

/// The path if the part is there.
static std::optional<std::string> check(const PartDescription &part,
                                        const Twine &path) {
  bool exists = part.program.empty() ? sys::fs::is_regular_file(path)
                                     : sys::fs::can_execute(path);
  if (!exists)
    return std::nullopt;
  return path.str();
}

static std::optional<std::string> checkBelow(const PartDescription &part,
                                             StringRef directory) {
  SmallString<128> path(directory);
  sys::path::append(path, part.location);
  return check(part, path);
}

/// The part of the toolkit that PATH leads to. Links are followed for files:
/// a link to ptxas may stand alone in another directory.
static std::optional<std::string> findOnPath(const PartDescription &part) {
  if (!part.program.empty()) {
    ErrorOr<std::string> program = sys::findProgramByName(part.program);
    return program ? std::optional<std::string>(*program) : std::nullopt;
  }
  ErrorOr<std::string> ptxas = sys::findProgramByName("ptxas");
  if (!ptxas)
    return std::nullopt;
  SmallString<128> real;
  if (sys::fs::real_path(*ptxas, real))
    return std::nullopt;
  return checkBelow(part, sys::path::parent_path(sys::path::parent_path(real)));
}

/// Appends the directories `directory`/`prefix`*/`name`, in order of name, the
/// last version first.
static void appendMatches(SmallVectorImpl<std::string> &result,
                          const Twine &directory, StringRef prefix,
                          StringRef name) {
  std::error_code error;
  SmallVector<std::string> found;
  for (sys::fs::directory_iterator it(directory, error), end;
       it != end && !error; it.increment(error)) {
    if (!sys::path::filename(it->path()).starts_with(prefix))
      continue;
    SmallString<128> path(it->path());
    sys::path::append(path, name);
    if (sys::fs::is_directory(path))
      found.push_back(std::string(path));
  }
  llvm::sort(found, std::greater<>());
  result.append(found);
}

/// Appends what an installation of Python at `prefix` searches for packages.
static void appendPackages(SmallVectorImpl<std::string> &result,
                           StringRef prefix) {
  for (StringRef library : {"/lib", "/local/lib"})
    for (StringRef name : {"site-packages", "dist-packages"})
      appendMatches(result, prefix + library, "python3", name);
}

/// The directories of Python packages that the user names.
static SmallVector<std::string> listGivenPackageDirectories() {
  SmallVector<std::string> result;
  if (auto given = sys::Process::GetEnv("TILE_SITE_PACKAGES")) {
    SmallVector<StringRef> directories;
    StringRef(*given).split(directories, sys::EnvPathSeparator, -1, false);
    for (StringRef directory : directories)
      result.push_back(directory.str());
  }
  return result;
}

/// Those that the Pythons of the user and the system have, in order.
static SmallVector<std::string> listPackageDirectories() {
  SmallVector<std::string> result;
  if (auto environment = sys::Process::GetEnv("VIRTUAL_ENV"))
    appendPackages(result, *environment);
  if (ErrorOr<std::string> python = sys::findProgramByName("python3")) {
    // The path as found is that of a virtual environment, the link's target
    // that of the installation.
    SmallString<128> real;
    for (StringRef path :
         {StringRef(*python),
          sys::fs::real_path(*python, real) ? StringRef() : real.str()})
      if (!path.empty())
        appendPackages(result,
                       sys::path::parent_path(sys::path::parent_path(path)));
  }
  SmallString<128> home;
  if (sys::path::home_directory(home))
    appendPackages(result, (home + "/.local").str());
  return result;
}

static std::optional<std::string>
findInWheels(const PartDescription &part, ArrayRef<std::string> directories) {
  for (StringRef packages : directories) {
    // nvidia/cu13, nvidia/cuda_nvcc: wheels of CUDA 13 and before.
    SmallVector<std::string> wheels;
    appendMatches(wheels, packages + "/nvidia", "", "");
    for (StringRef wheel : wheels)
      if (auto path = checkBelow(part, wheel))
        return path;
  }
  return std::nullopt;
}

/// The path of the part, if there is one.
static std::optional<std::string> findPath(const PartDescription &part,
                                           StringRef explicitPath) {
  if (!explicitPath.empty())
    return check(part, explicitPath);
  if (auto given = sys::Process::GetEnv(part.environment))
    return check(part, *given);
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto toolkit = sys::Process::GetEnv(variable))
      if (auto path = checkBelow(part, *toolkit))
        return path;
  if (auto path = findInWheels(part, listGivenPackageDirectories()))
    return path;
  if (auto path = findOnPath(part))
    return path;
  if (auto path = checkBelow(part, "/usr/local/cuda"))
    return path;
  return findInWheels(part, listPackageDirectories());
}

ToolkitFile tile::findToolkitPart(ToolkitPart part, StringRef explicitPath) {
  PartDescription description = describe(part);
  return {findPath(description, explicitPath).value_or(""),
          description.advice.str()};
}
