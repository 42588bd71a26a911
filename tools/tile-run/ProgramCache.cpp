// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- ProgramCache.cpp - programs that were compiled ---------------------===//

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
  std::string key = text ? concat(plugin.getPath(), '\0', arch, '\0', kernel,
                                  '\0', path, '\0', *text)
                         : "";
  Entry &last = entries[machine];
  if (!key.empty() && key == last.key)
    return *last.program;
  last = {};
  Result<CompiledProgram> program = plugin.compile(path, kernel, machine, arch);
  if (program)
    last = {std::move(key), *program};
  return program;
}
