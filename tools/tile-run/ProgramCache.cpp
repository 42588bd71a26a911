// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- ProgramCache.cpp - the program compiled last -----------------------===//

#include "ProgramCache.h"

#include "tile/Runtime/File.h"

using namespace tile::runtime;

/// More than any program has.
static constexpr int64_t kMaxBytes = int64_t(1) << 30;

Result<CompiledProgram> ProgramCache::compile(const CompilerPlugin &plugin,
                                              const std::string &path,
                                              const std::string &kernel,
                                              Machine machine,
                                              const std::string &arch) {
  // What cannot be read is the compiler's to say.
  Result<std::string> text = readFile(path, kMaxBytes);
  std::string key =
      text ? concat(getMachineName(machine), '\0', plugin.getPath(), '\0', arch,
                    '\0', kernel, '\0', path, '\0', *text)
           : "";
  if (!key.empty() && key == lastKey)
    return *lastProgram;
  lastKey.clear();
  lastProgram.reset();
  Result<CompiledProgram> program = plugin.compile(path, kernel, machine, arch);
  if (program) {
    lastKey = std::move(key);
    lastProgram = *program;
  }
  return program;
}
